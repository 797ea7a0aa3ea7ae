/** The numbers in docs/log-format.md are those of the log it names, and its lists are complete. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { expect, test } from 'vitest'
import { PLATFORM_EVENT_TYPES } from '../../shared/application/game-state.ts'
import { orderSchema } from '../../shared/conquest/commands.ts'
import { eventSchema, HIDDEN_EVENTS } from '../../shared/conquest/events.ts'
import { chanceKey } from '../../shared/fair-dice/chance.ts'
import { keyedHash } from '../../shared/fair-dice/keyed-hash.ts'
import { saltFor } from '../../shared/fair-dice/secret.ts'
import { goldenLines, parsedLog } from './manifest.ts'

const text = readFileSync(join(import.meta.dirname, '../../docs/log-format.md'), 'utf8')
const { commits } = parsedLog(goldenLines('two-greedy.ndjson'))
const secret = hexToBytes(commits.at(-1)!.secret!)

test('the example is the golden log it names', () => {
  const key = chanceKey(secret, commits[2]!.previous)
  expect(text).toContain(commits[2]!.previous)
  expect(text).toContain(bytesToHex(key))
  expect(text).toContain(`${keyedHash(key, 'chance', 3, 0).join(' ')}.`)
  expect(text).toContain(`begins ${keyedHash(key, 'chance', 5, 0).slice(0, 5).join(' ')}.`)
  expect(text).toContain(saltFor(secret, 7, 1))
  expect(text).toContain(commits[6]!.eventDigests[0]!)
  expect(text).toContain(`${commits[6]!.hash.slice(0, 8)}…${commits[6]!.hash.slice(-6)}`)
})

test('every event, command and hidden type is in it, and every field of a commit', () => {
  for (const type of [...PLATFORM_EVENT_TYPES, ...HIDDEN_EVENTS]) expect(text).toContain(`\`${type}\``)
  for (const { shape } of [...eventSchema.unwrap().options, ...orderSchema.unwrap().options])
    expect(text).toContain(`\`${shape.type.value}\``)
  for (const field of Object.keys(commits[0]!)) expect(text).toContain(`\`${field}\``)
})
