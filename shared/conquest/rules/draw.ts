/** The card drawn at the end of a turn with a conquest (R19). */

import type { Telling } from '../telling.ts'
import { cardId, deck, deckSize } from './cards.ts'

/** One card, if any is left: a pick among the deck in card order; an empty deck takes up the discards first (R19). */
export function tellDraw(telling: Telling, seat: number): void {
  const { map } = telling
  const { discards, faceDown } = telling.state
  const discarded = discards.length + faceDown.length
  if (deckSize(map, telling.state) === 0 && discarded > 0)
    telling.tell({ type: 'discardsReshuffled', count: discarded })
  const left = deck(map, telling.state)
  if (left.length === 0) return
  telling.tell({ type: 'cardDrawn', seat, card: cardId(map, left[telling.pick(left.length)]!) })
}
