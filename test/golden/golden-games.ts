/** The games kept as golden logs: each deterministic from its name, each for something that can happen. More are added, none is changed. */

import { logLines } from '../../shared/application/export-log.ts'
import { simulateLog } from '../../shared/application/simulate.ts'
import { conquest } from '../../shared/conquest/conquest.ts'
import type { ConquestState } from '../../shared/conquest/state.ts'
import type { GameRules } from '../../shared/game-rules.ts'
import { type LoggedTable, openTable } from '../support/logged-table.ts'

const rules = conquest as unknown as GameRules

/** How each ends; `closed` before it began. */
export const GOLDEN_ENDINGS = [
  'all conquered',
  'last rival eliminated',
  'last rival resigned',
  'last rival missed too often',
  'round limit',
  'closed',
] as const
export type GoldenEnding = (typeof GOLDEN_ENDINGS)[number]

export interface GoldenGame {
  readonly name: string
  readonly what: string
  readonly ending: GoldenEnding
  lines(): readonly string[]
}

interface Wishes {
  /** The name, unless given. */
  readonly seed?: string
  readonly options: object
  readonly seats: number
  readonly visibility?: 'public' | 'private'
}

function played(
  name: string,
  what: string,
  ending: GoldenEnding,
  wishes: Wishes,
  play: (table: LoggedTable) => void,
): GoldenGame {
  return {
    name,
    what,
    ending,
    lines() {
      const table = openTable({ rules, ...wishes, name: wishes.seed ?? name })
      play(table)
      if (!table.ended) throw new Error(`${name} has not ended`)
      return table.lines()
    },
  }
}

const phaseOf = (table: LoggedTable) => (table.game as ConquestState).situation.phase
const hand = (table: LoggedTable) => {
  const { situation, hands } = table.game as ConquestState
  return 'seat' in situation ? hands[situation.seat - 1]!.length : 0
}

export const GOLDEN_GAMES: readonly GoldenGame[] = [
  {
    name: 'two-greedy',
    what: 'two greedy bots, the example of docs/log-format.md: beside a neutral garrison',
    ending: 'all conquered',
    lines() {
      const options = rules.schemas.options.parse({ map: 'small' })
      return [
        ...logLines(rules, simulateLog({ rules, options, bots: ['greedy', 'greedy'], seed: 'golden' }, 0).commits),
      ]
    },
  },
  ...[
    ['three-forced-trade', 'an elimination that forces trades', 31],
    ['three-one-wild', 'trades of every type with one wild', 85],
    ['three-no-wild', 'three alike of two types', 104],
    ['three-two-wilds', 'a trade with two wilds', 68],
  ].map(([name, what, seed]) =>
    played(
      `${name}`,
      `three bots: ${what}, discards shuffled, the whole board conquered`,
      'all conquered',
      { seed: `small3h-${seed}`, options: { map: 'small' }, seats: 3 },
      (table) => table.fill().play(['greedy', 'random', 'greedy']),
    ),
  ),
  played(
    'six-on-world',
    'six commanders on the great map: four forced trades, six payouts of the dial and more',
    'all conquered',
    { seed: 'w6-2', options: { map: 'world', roundLimit: 40 }, seats: 6 },
    (table) => table.fill().play(['greedy']),
  ),
  played(
    'fixed-private',
    'fixed payouts, no Bastions, a private game',
    'all conquered',
    { options: { map: 'small', cards: 'fixed', bastions: false }, seats: 3, visibility: 'private' },
    (table) => table.fill().play(['greedy', 'random', 'greedy']),
  ),
  played(
    'claimed-by-two',
    'claims and rounds of placing beside a garrison, then one resigns',
    'last rival resigned',
    { options: { map: 'small', setup: 'claim', turnSeconds: null }, seats: 2, visibility: 'private' },
    (table) => {
      table.fill().play(['greedy'], { until: () => hand(table) > 0 })
      table.order(1, { type: 'resign' })
    },
  ),
  played(
    'claimed-by-three',
    'claims, placements and turns run out of time; one comes back, one resigns out of turn with cards in hand',
    'last rival eliminated',
    { options: { map: 'small', setup: 'claim', handicap: 'balanced', missesToResign: 3, turnSeconds: 60 }, seats: 3 },
    (table) => {
      table.fill().expire().play(['greedy'], { most: 4 })
      table.play(['greedy'], { until: () => phaseOf(table) === 'place' }).expire()
      table.play(['greedy'], { until: () => phaseOf(table) === 'draft' }).expire()
      table.play(['random'], { until: () => phaseOf(table) === 'occupy' }).expire()
      table.play(['greedy'], { until: () => (table.game as ConquestState).hands.every((cards) => cards.length > 0) })
      const { situation } = table.game as ConquestState
      const other = ('seat' in situation ? situation.seat % 3 : 0) + 1
      table.order(other, { type: 'resign' })
      table.play(['greedy', 'random', 'greedy'])
    },
  ),
  played(
    'slept-through',
    'orders, then nobody gives any more: the server plays the least, draws the card that is due, and both are out by missing',
    'last rival missed too often',
    { options: { map: 'small', handicap: 'balanced', missesToResign: 2 }, seats: 2 },
    (table) => {
      table.fill()
      table.play(['greedy'], { until: () => (table.game as ConquestState).conquests.some((count) => count > 0) })
      while (!table.ended) table.expire()
    },
  ),
  played(
    'one-miss-is-too-many',
    'missesToResign 1: the first deadline that passes is a resignation, in the turn of three',
    'last rival missed too often',
    { options: { map: 'small', missesToResign: 1, turnSeconds: 2_592_000 }, seats: 3 },
    (table) => {
      table.fill().play(['greedy'], { most: 6 }).expire().play(['greedy'], { most: 3 })
      while (!table.ended) table.expire()
    },
  ),
  played(
    'hoarders',
    'the server trades for those who sleep on full hands, and the discards are shuffled',
    'round limit',
    { options: { map: 'small', missesToResign: 10, roundLimit: 14, cards: 'fixed' }, seats: 2 },
    (table) => {
      table.fill()
      while (!table.ended) {
        const { situation } = table.game as ConquestState
        if (situation.phase === 'draft' && hand(table) >= 5) {
          table.expire()
          continue
        }
        // One conquest a turn and no more, so that hands grow.
        const { seat, command } = table.thought('greedy')
        const enough = situation.phase === 'attack' && situation.conquered
        table.order(seat, enough ? { type: 'endTurn' } : command)
      }
    },
  ),
  played(
    'four-two-rounds',
    'four commanders on the great map, no deadline, two rounds',
    'round limit',
    { options: { map: 'world', turnSeconds: null, roundLimit: 2, handicap: 'balanced' }, seats: 4 },
    (table) => table.fill().play(['greedy']),
  ),
  played(
    'five-claim-one-round',
    'five commanders claim the great map, one round',
    'round limit',
    { options: { map: 'world', setup: 'claim', roundLimit: 1, bastions: false }, seats: 5 },
    (table) => table.fill().play(['greedy', 'random']),
  ),
  played(
    'host-starts-early',
    'one leaves while the game gathers, those behind move up; the host starts with three of six seats taken',
    'last rival resigned',
    { options: { map: 'world', handicap: 'balanced' }, seats: 6 },
    (table) => {
      table.join(2).join(3).join(4).leave(2).start()
      table.play(['greedy'], { most: 4 }).order(3, { type: 'resign' })
      table.order(2, { type: 'resign' })
    },
  ),
  played('abandoned', 'all leave before the start', 'closed', { options: {}, seats: 4 }, (table) =>
    table.join(2).leave(1).leave(2),
  ),
]
