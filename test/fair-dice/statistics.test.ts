/** The chance of many games is uniform and independent; the same statistics would find a plain remainder out. */

import { expect, test } from 'vitest'
import { keyedHash } from '../../shared/fair-dice/keyed-hash.ts'
import { type Finding, PICKS_AMONG, soakChance } from '../support/chance-statistics.ts'

/** Games of a hundred commits; more in a soak. The sample is seeded, so what it finds is always the same. */
const GAMES = Number(process.env['HAZARD_CHANCE_GAMES'] ?? 40)
const KEY = new Uint8Array(32)

const scoreOf = (findings: readonly Finding[], what: string) => findings.find((each) => each.what === what)!.score

test('uniform among 3, 6, 42 and 200; independent within a commit, between commits, between games', {
  timeout: 600_000,
}, () => {
  const findings = soakChance(GAMES)
  expect(findings.length).toBe(PICKS_AMONG.length + 3)
  for (const { what, score } of findings) expect(Math.abs(score), what).toBeLessThan(4)
})

test('the statistics would find the bias of a plain remainder', () => {
  const plain = soakChance(40, (game, n) => {
    let block = new Uint8Array(0)
    let next = 0
    let count = 0
    return {
      pick(k) {
        if (next === block.length) {
          block = new Uint8Array(keyedHash(KEY, 'plain', game, n, count++))
          next = 0
        }
        return block[next++]! % k
      },
    }
  })
  expect(scoreOf(plain, 'uniform among 42')).toBeGreaterThan(10)
  expect(scoreOf(plain, 'uniform among 200')).toBeGreaterThan(10)
})

test('the statistics would find commits that share their dice', () => {
  const lasting = soakChance(20, (game, n) => ({ pick: (k) => keyedHash(KEY, 'shared', game, n >> 1)[0]! % k }))
  expect(scoreOf(lasting, 'independent between consecutive commits')).toBeGreaterThan(10)
})
