import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { board } from '../support/conquest-boards.ts'
import { countLines } from '../support/conquest-perft.ts'

describe('worked by hand', () => {
  test('an attack', () => {
    // Depth 1. From a (3 armies) b or c can be attacked, each with one die or two, against one: 36 + 216 showings each;
    // the turn ended without a card; resigned: 2 × 252 + 1 + 1 = 506.
    // Depth 2. One die wins 15 of 36: then 1 or 2 move in, or resigned: 3 lines. It loses 21: two armies are left, one die
    // against b or c, the turn ended or resigned: 36 + 36 + 2 = 74. Two dice win 125 of 216: 2 must move in, so the server
    // moves them; from there the third territory is attacked with one die (36), or 1 moves back or the turn ends, each
    // with one of 5 cards, or resigned: 36 + 5 + 5 + 1 = 47. They lose 91: 74 again. Twice over, for b and c:
    // 2 × (15 × 3 + 21 × 74 + 125 × 47 + 91 × 74) = 28,416. After the end of the turn blue has three armies for two
    // territories: 2 + 3 + 4 ways to place one, two or three, or resigned: 10. After red's resignation nothing.
    const state = board('ring3 red/blue red attack a:red:3 b:blue:1 c:blue:1')
    expect(countLines(state, 1)).toBe(506)
    expect(countLines(state, 2)).toBe(28_426)
  })
  test('a Bastion', () => {
    // Depth 1. Against b (3 armies, a Bastion) one die meets three: 6⁴. Against c one die meets one: 36. Then end, resign:
    // 1296 + 36 + 2 = 1334.
    // Depth 2. The one die takes an army of b only if it beats the best of three, Σ (k − 1)³ = 225 of 1296: then red still
    // has 2 armies, b two: 6³ + 36 + 2 = 254 lines. Else red has 1: ended or resigned, 2 lines. Against c it wins 15: the
    // one army moves in by itself; none can attack or fortify: ended with one of 5 cards, or resigned: 6. It loses 21: 2
    // lines. After the end blue's draft: 10.
    // 225 × 254 + 1071 × 2 + 15 × 6 + 21 × 2 + 10 = 59,434.
    const state = board('fort3 red/blue red attack a:red:2 b:blue:3 c:blue:1')
    expect(countLines(state, 1)).toBe(1334)
    expect(countLines(state, 2)).toBe(59_434)
  })
  test('a draft with an optional trade', () => {
    // Depth 1. One set; three armies on one territory: 3 ways; resigned: 5.
    // Depth 2. After the trade 3 + 4 armies: 7 ways, resigned: 8. After one or two placed: the trade, 2 or 1 ways, resigned:
    // 4 + 3. After all three: a has 4 armies: the trade; three dice against b or c, 36 + 216 + 1296 each; ended; resigned:
    // 1 + 2 × 1548 + 2 = 3099. 8 + 4 + 3 + 3099 = 3114; after the resignation nothing.
    const state = board('ring3 red/blue red draft+3 a:red:1 b:blue:1 c:blue:1 hands=red:a+b+c')
    expect(countLines(state, 1)).toBe(5)
    expect(countLines(state, 2)).toBe(3114)
  })
  test('claims', () => {
    // Depth 1: two free, or resigned: 3. Depth 2: after a claim blue has the last one, or resigns: 2 × 2; the resignation
    // leaves blue alone: over. 4.
    const state = board('ring3 red/blue red claim a:grey:2 b:free c:free setup=claim reserves=3,3')
    expect(countLines(state, 1)).toBe(3)
    expect(countLines(state, 2)).toBe(4)
  })
  test('an elimination that forces trades', () => {
    // Depth 1. Red's two armies on a against b: one die, 36; against green's c: 36; ended; resigned: 74.
    // Depth 2. Against b 15 win: blue is out, its hand makes six with red's, the one army moves in, and of a b c and both
    // wilds and nothing else five stand: 10 sets of three in five cards, all sets (any wild completes; a b c is one of each):
    // but five trade nothing now, so: ended, one of no cards (all five are in hand: no draw), or resigned: 2 lines.
    // 21 lose: ended or resigned: 2. The same against c, where green has no cards: red holds three and draws nothing
    // from an empty deck (blue holds two): 2 lines. So 72 × 2 = 144. After red's end blue begins with 3 armies on one
    // territory: 3 ways, or resigned: 4. After red's resignation blue's draft the same: 4.
    const state = board('ring3 red/blue/green red attack a:red:2 b:blue:1 c:green:1 hands=red:a+b+c,blue:wild-1+wild-2')
    expect(countLines(state, 1)).toBe(74)
    expect(countLines(state, 2)).toBe(152)
  })
})

/** Frozen counts: a position, then lines of depth and count; `#` begins a comment. */
const folder = join(import.meta.dirname, 'perft')
describe.each(readdirSync(folder))('%s', (file) => {
  const [position = '', ...counts] = readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  test.each(counts.map((line) => line.split(' ').map(Number)))('depth %i: %i lines', (depth, count) => {
    expect(countLines(board(position), depth!)).toBe(count)
  })
})
