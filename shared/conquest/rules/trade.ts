/** Trading a set (R5, R20, R21). */

import type { OrderOf } from '../commands.ts'
import type { ConquestMap } from '../maps.ts'
import type { Refusal } from '../refusals.ts'
import type { ConquestState } from '../state.ts'
import type { Telling } from '../telling.ts'
import { type CardSet, cardById, cardId, payout, setKind } from './cards.ts'

/** Why these cards cannot be traded, or null (R20). */
export function refuseTrade(
  map: ConquestMap,
  state: ConquestState,
  seat: number,
  { cards }: OrderOf<'trade'>,
): Refusal | null {
  const hand = state.hands[seat - 1]!
  const named: number[] = []
  for (const id of cards) {
    const card = cardById(map, id)
    if (card === undefined) return 'unknown-card'
    if (!hand.includes(card)) return 'not-in-hand'
    if (named.includes(card)) return 'card-twice'
    named.push(card)
  }
  return setKind(map, [named[0]!, named[1]!, named[2]!]) === null ? 'no-set' : null
}

/** A set is traded and moves the dial (R5, R21). */
export function tellTrade(telling: Telling, seat: number, set: CardSet): void {
  const { map, state } = telling
  const kind = setKind(map, set)
  if (kind === null) throw new Error('these cards are no set')
  telling.tell({
    type: 'setTraded',
    seat,
    cards: [cardId(map, set[0]), cardId(map, set[1]), cardId(map, set[2])],
    armies: payout(state.options, state.dial, kind),
    set: state.dial + 1,
  })
}
