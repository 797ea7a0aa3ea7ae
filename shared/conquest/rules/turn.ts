/** A turn begins with its draft and ends with its card (R9, R19, R28). */

import type { Seat } from '../../game-rules.ts'
import { type ConquestState, isLiving, type Table, territoriesHeld } from '../state.ts'
import type { Telling } from '../telling.ts'
import { armiesDue, regionsHeld } from './draft.ts'
import { tellDraw } from './draw.ts'
import { tellRoundLimit } from './ending.ts'

/** The next seat clockwise after `after` that `serves`, itself last; from the first place if null. */
export function seatAfter(table: Table, after: Seat | null, serves: (seat: Seat) => boolean): Seat | null {
  const { order } = table
  const from = after === null ? 0 : order.indexOf(after) + 1
  for (let step = 0; step < order.length; step++) {
    const seat = order[(from + step) % order.length]!
    if (serves(seat)) return seat
  }
  return null
}

/** The draft is counted at the start of the turn (R9). */
export function tellTurnBegan(telling: Telling, seat: Seat, turn: number, round: number): void {
  const { map, state } = telling
  const held = regionsHeld(map, state, seat)
  telling.tell({
    type: 'turnBegan',
    seat,
    turn,
    round,
    territories: territoriesHeld(state, seat),
    regions: held.map((region) => map.regions[region]!.id),
    armies: armiesDue(map, state, seat),
  })
}

/** The card of a turn with a conquest, the end, and the next turn (R18, R19). */
export function tellTurnEnded(telling: Telling, seat: Seat): void {
  const { situation } = telling.state
  if ('conquered' in situation && situation.conquered) tellDraw(telling, seat)
  telling.tell({ type: 'turnEnded', seat })
  tellNextTurn(telling, seat)
}

/** The turn passes on from `seat`, over all who have fallen (R28); a new round begins with the first in turn order who lives. */
export function tellNextTurn(telling: Telling, seat: Seat): void {
  const { state } = telling
  const { turn, round } = turnUnderWay(state)
  const next = seatAfter(state, seat, (each) => isLiving(state, each))!
  const nextRound = state.order.indexOf(next) < state.order.indexOf(seat) ? round + 1 : round
  if (nextRound > state.options.roundLimit) tellRoundLimit(telling)
  else tellTurnBegan(telling, next, turn + 1, nextRound)
}

function turnUnderWay({ situation }: ConquestState): { readonly turn: number; readonly round: number } {
  if (!('turn' in situation)) throw new Error('no turn is under way')
  return situation
}
