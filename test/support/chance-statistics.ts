/** Statistics over the chance of many games: how far from uniform, and from independent, as standard scores. */

import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { Hash } from '../../shared/event-store/commit.ts'
import { chanceKey, chanceOf } from '../../shared/fair-dice/chance.ts'

/** Three unit types, a die, the cards of the great map, and one that a plain remainder would bend most. */
export const PICKS_AMONG = [3, 6, 42, 200] as const

export interface Finding {
  readonly what: string
  readonly picks: number
  /** Standard deviations by which chi-square lies above its expectation. */
  readonly score: number
}

const COMMITS = 100
const PICKS_A_COMMIT = 20

type Stream = (game: number, n: number) => { pick(k: number): number }

/** The chance as games have it, each with a secret and a foundation of its own. */
export const OURS: Stream = (game, n) => chanceOf(keyOf(game), n)

const keys = new Map<number, Uint8Array>()

function keyOf(game: number): Uint8Array {
  const known = keys.get(game)
  if (known !== undefined) return known
  const secret = sha256(utf8ToBytes(`secret of game ${game}`))
  const foundation = Buffer.from(sha256(utf8ToBytes(`before the start of game ${game}`))).toString('hex') as Hash
  const key = chanceKey(secret, foundation)
  keys.set(game, key)
  return key
}

/** Over `games` games of a hundred commits: uniformity for each k, and independence within, between commits, and between games. */
export function soakChance(games: number, stream: Stream = OURS): readonly Finding[] {
  const findings: Finding[] = PICKS_AMONG.map((k) => {
    const counts = new Array<number>(k).fill(0)
    for (let game = 0; game < games; game++)
      for (let n = 1; n <= COMMITS; n++) {
        const { pick } = stream(game, n)
        for (let each = 0; each < PICKS_A_COMMIT; each++) counts[pick(k)]! += 1
      }
    return finding(`uniform among ${k}`, [counts])
  })
  const within = table()
  const between = table()
  const acrossGames = table()
  for (let game = 0; game < games; game++)
    for (let n = 1; n < COMMITS; n++) {
      const here = stream(game, n)
      const die = here.pick(6)
      within[die]![here.pick(6)]! += 1
      between[die]![stream(game, n + 1).pick(6)]! += 1
      acrossGames[die]![stream(game + 1, n).pick(6)]! += 1
    }
  return [
    ...findings,
    finding('independent within a commit', within),
    finding('independent between consecutive commits', between),
    finding('independent between games', acrossGames),
  ]
}

function table(): number[][] {
  return Array.from({ length: 6 }, () => new Array<number>(6).fill(0))
}

/** Chi-square of one row against uniform, of several against independence; the score after Wilson and Hilferty. */
function finding(what: string, rows: readonly (readonly number[])[]): Finding {
  const total = rows.flat().reduce((sum, each) => sum + each, 0)
  const columns = rows[0]!.map((_, column) => rows.reduce((sum, row) => sum + row[column]!, 0))
  let chiSquare = 0
  for (const row of rows) {
    const inRow = row.reduce((sum, each) => sum + each, 0)
    for (const [column, count] of row.entries()) {
      const expected = rows.length === 1 ? total / row.length : (inRow * columns[column]!) / total
      chiSquare += (count - expected) ** 2 / expected
    }
  }
  const freedom = rows.length === 1 ? columns.length - 1 : (rows.length - 1) * (columns.length - 1)
  const spread = 2 / (9 * freedom)
  return { what, picks: total, score: (Math.cbrt(chiSquare / freedom) - (1 - spread)) / Math.sqrt(spread) }
}
