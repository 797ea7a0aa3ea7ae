/** A game of Conquest as it stands: what lies on the table, and the situation. Plain JSON; territories and cards by index in map order. */

import type { Ranking, Seat, UNKNOWN } from '../game-rules.ts'
import type { Ending } from './events.ts'
import type { ConquestOptions } from './options.ts'

/** The owner of what belongs to the neutral garrison (R8). */
export const GARRISON = 0
/** A seat, the garrison, or nobody yet. */
export type Owner = Seat | typeof GARRISON | null

/** An index in card order, or unknown to whoever folded a redacted log. */
export type Card = number | typeof UNKNOWN

export interface Fallen {
  readonly seat: Seat
  readonly how: 'eliminated' | 'resigned'
}

/** The facts of every situation. The deck is not kept: it is all cards that lie nowhere else. */
export interface Table {
  readonly options: ConquestOptions
  readonly seats: number
  /** Seats by place in turn order; empty before the roll. */
  readonly order: readonly Seat[]
  readonly owners: readonly Owner[]
  readonly armies: readonly number[]
  /** By seat, from 0; each in card order, unknown ones last. */
  readonly hands: readonly (readonly Card[])[]
  /** Face up, as they were traded (R21). */
  readonly discards: readonly number[]
  /** Hands of the resigned, in card order, unknown ones last (R24). */
  readonly faceDown: readonly Card[]
  /** Sets traded by anyone (R5). */
  readonly dial: number
  /** By seat, from 0, as are the counts for the records below (R25). */
  readonly misses: readonly number[]
  readonly conquests: readonly number[]
  readonly eliminations: readonly number[]
  /** In the order of falling (R27). */
  readonly fallen: readonly Fallen[]
}

interface Setup {
  /** Starting armies not yet standing, by seat from 0. */
  readonly reserves: readonly number[]
}

interface Step extends Setup {
  readonly seat: Seat
  readonly step: number
  readonly since: number
}

export interface Turn {
  readonly seat: Seat
  readonly turn: number
  readonly round: number
  /** Whether a card is due at the end of the turn (R19). */
  readonly conquered: boolean
  readonly since: number
}

export const PHASES = ['opening', 'claim', 'place', 'draft', 'attack', 'occupy', 'trade', 'deploy', 'over'] as const
export type Phase = (typeof PHASES)[number]

export type Situation =
  | ({ readonly phase: 'opening' } & Setup)
  | ({ readonly phase: 'claim' } & Step)
  | ({ readonly phase: 'place' } & Step)
  /** Armies to place, and optional trades, until the first attack, fortify or end of turn (R11). */
  | ({ readonly phase: 'draft'; readonly pool: number } & Turn)
  | ({ readonly phase: 'attack' } & Turn)
  /** The origin, the territory just conquered, and the dice of the winning roll (R16). */
  | ({ readonly phase: 'occupy'; readonly origin: number; readonly target: number; readonly dice: number } & Turn)
  /** Forced trades after an elimination (R23), and then the placement of what they paid. */
  | ({ readonly phase: 'trade' | 'deploy'; readonly pool: number } & Turn)
  | {
      readonly phase: 'over'
      readonly ranking: Ranking
      readonly ending: Ending
      readonly turn: number
      readonly round: number
    }

export interface ConquestState extends Table {
  readonly situation: Situation
}

/** Whose step or turn it is; null when it is nobody's. */
export function seatToAct({ situation }: ConquestState): Seat | null {
  return situation.phase === 'opening' || situation.phase === 'over' ? null : situation.seat
}

/** Whether the seat is of this game, which has begun, and has not fallen. */
export function isLiving(state: Table, seat: Seat): boolean {
  return state.order.includes(seat) && !state.fallen.some((fallen) => fallen.seat === seat)
}

/** In turn order. */
export function livingSeats(state: Table): readonly Seat[] {
  return state.order.filter((seat) => isLiving(state, seat))
}

/** How many territories the owner holds. */
export function territoriesHeld(state: Table, owner: Owner): number {
  let held = 0
  for (const each of state.owners) if (each === owner) held += 1
  return held
}

/** Armies on all territories of the owner. */
export function armiesHeld(state: Table, owner: Owner): number {
  let held = 0
  for (let territory = 0; territory < state.owners.length; territory++)
    if (state.owners[territory] === owner) held += state.armies[territory]!
  return held
}
