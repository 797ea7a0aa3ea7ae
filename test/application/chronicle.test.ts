/** A log told in sentences: pleasant to read, complete, the same from a file and from a server. */

import { describe, expect, test } from 'vitest'
import { hazard } from '../../bin/hazard.ts'
import { BY_SEAT, chronicleOf } from '../../shared/application/chronicle.ts'
import { conquest } from '../../shared/conquest/conquest.ts'
import type { GameRules } from '../../shared/game-rules.ts'
import { goldenLines, parsedLog, readManifest } from '../golden/manifest.ts'

const rules = conquest as unknown as GameRules
const FOLDER = 'test/golden/conquest'

async function told(...args: string[]) {
  const out: string[] = []
  const err: string[] = []
  const code = await hazard(args, { out: (text) => out.push(text), err: (text) => err.push(text) })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

describe.each(readManifest())('$file', ({ file, options }) => {
  const { commits } = parsedLog(goldenLines(file))
  const lines = chronicleOf(rules, options, commits, BY_SEAT)

  test('every line is a sentence, a heading or a place; nothing is undefined, no line has two spaces', () => {
    expect(lines[0]).toMatch(/^Hazard: conquest, game [a-z2-7]{20}$/)
    for (const line of lines.slice(1)) {
      expect(line).toMatch(/^$|^— .+ — \d{4}-\d\d-\d\d \d\d:\d\d UTC$|^[A-Z0-9].*\.$|^\d\. Commander /)
      expect(line).not.toMatch(/undefined|NaN|\[object| {2}|unknown/)
    }
  })

  test('each turn has its heading, after an empty line', () => {
    const turns = commits.flatMap(({ events }) => events).filter(({ type }) => type === 'turnBegan')
    const headings = lines.flatMap((line, place) => (line.startsWith('— Turn') ? [place] : []))
    expect(headings.length).toBe(turns.length)
    for (const place of headings) expect(lines[place - 1]).toBe('')
  })

  test('every die is in it', () => {
    const battles = commits.flatMap(({ events }) => events).filter(({ type }) => type === 'battleFought')
    const shown = lines.filter((line) => line.includes(' attacks '))
    expect(shown.length).toBe(battles.length)
    for (const [place, { attack, defence }] of battles.entries())
      expect(shown[place]).toContain(`: ${(attack as number[]).join(' ')} against ${(defence as number[]).join(' ')};`)
  })
})

describe('hazard log', () => {
  test('tells a file', async () => {
    const { code, out, err } = await told('log', `${FOLDER}/two-greedy.ndjson`)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('— Turn 1, round 1: Commander 2 —')
    expect(out.trimEnd().endsWith('1. Commander 1\n2. Commander 2')).toBe(true)
  })

  test.each([
    [['log'], 'takes one file'],
    [['log', 'no-such-file'], 'there is no such file'],
    [['log', FOLDER], 'it is a folder'],
    [['log', 'package.json'], 'is not JSON'],
  ])('%s: %s', async (args, sentence) => {
    const { code, err } = await told(...args)
    expect(code).toBe(2)
    expect(err).toContain(sentence)
  })
})

describe('hazard audit', () => {
  test.each([
    [['audit', `${FOLDER}/two-greedy.ndjson`], 0, 'SOUND'],
    [['audit', `${FOLDER}/two-greedy.ndjson`, '--head', 'ffffffff'], 1, 'BROKEN'],
    [['audit', `${FOLDER}/two-greedy.ndjson`, '--head', '40-ffffffff'], 1, 'cut off'],
    [['audit', 'package.json'], 2, 'CANNOT BE JUDGED'],
  ])('%s: %i', async (args, exit, words) => {
    const { code, out } = await told(...args)
    expect(code).toBe(exit)
    expect(out).toContain(words)
  })
})
