/** Requisition cards: sets, payouts, the deck and the draw at the end of a turn (R4, R5, R10, R19–R21, V5, V6). */

import type { OrderOf } from '../commands.ts'
import type { UnitType } from '../map.ts'
import type { ConquestMap } from '../maps.ts'
import type { ConquestOptions } from '../options.ts'
import type { Refusal } from '../refusals.ts'
import type { Card, ConquestState, Table } from '../state.ts'
import type { Telling } from '../telling.ts'

/** With so many at the start of the draft a set must be traded (R10). */
const FULL_HAND = 5
/** With so many after an elimination sets must be traded (R23) … */
const OVERFULL_HAND = 6
/** … until no more than so many are left. */
const REST_AFTER_FORCED_TRADES = 4

export type CardSet = readonly [number, number, number]
/** Three alike by their type, or one of each (R20, V6). */
export type SetKind = UnitType | 'one of each'

const ESCALATION = [4, 6, 8, 10, 12, 15]
const FIXED_PAYOUTS: Readonly<Record<SetKind, number>> = { infantry: 4, cavalry: 6, artillery: 8, 'one of each': 10 }

/** The id of a card: its territory's, `wild-1` or `wild-2`. */
export function cardId(map: ConquestMap, card: number): string {
  return map.territories[card]?.id ?? `wild-${card - map.territories.length + 1}`
}

/** The card with this id, if there is one. */
export function cardById(map: ConquestMap, id: string): number | undefined {
  if (id === 'wild-1') return map.territories.length
  if (id === 'wild-2') return map.territories.length + 1
  return map.index.get(id)
}

/** What kind of set three distinct cards are, or null if they are none (R20). */
export function setKind(map: ConquestMap, cards: CardSet): SetKind | null {
  const types = cards.map((card) => map.cards[card]!.unitType).filter((type) => type !== 'wild')
  const distinct = new Set(types).size
  if (distinct === 1 && types.length > 1) return types[0]!
  return types.length < 3 || distinct === 3 ? 'one of each' : null
}

/** What a set pays when `dial` sets have been traded before it (V5, V6). */
export function payout(options: ConquestOptions, dial: number, kind: SetKind): number {
  switch (options.cards) {
    case 'escalating':
      return ESCALATION[dial] ?? ESCALATION.at(-1)! + 5 * (dial + 1 - ESCALATION.length)
    case 'fixed':
      return FIXED_PAYOUTS[kind]
  }
}

/** Every set in a hand, in card order: first, second, third card compared (R25). */
export function setsIn(map: ConquestMap, hand: readonly Card[]): readonly CardSet[] {
  const cards = hand.filter((card) => typeof card === 'number')
  const sets: CardSet[] = []
  for (let first = 0; first < cards.length; first++)
    for (let second = first + 1; second < cards.length; second++)
      for (let third = second + 1; third < cards.length; third++) {
        const set: CardSet = [cards[first]!, cards[second]!, cards[third]!]
        if (setKind(map, set) !== null) sets.push(set)
      }
  return sets
}

/** Whether a set must be traded before anything else: a full hand in the draft falls below five by one trade (R10). */
export function owesDraftTrade(handSize: number): boolean {
  return handSize >= FULL_HAND
}

/** Whether a hand just grown by an elimination must shrink (R23); without one it is never so large after the draft. */
export function owesForcedTrade(handSize: number): boolean {
  return handSize >= OVERFULL_HAND
}

/** Whether forced trading goes on: a five reached by trading does (R23). */
export function goesOnTrading(handSize: number): boolean {
  return handSize > REST_AFTER_FORCED_TRADES
}

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

/** How many cards are left to draw. */
export function deckSize(map: ConquestMap, table: Table): number {
  let elsewhere = table.discards.length + table.faceDown.length
  for (const hand of table.hands) elsewhere += hand.length
  return map.cards.length - elsewhere
}

/** The cards left to draw, in card order. */
export function deck(map: ConquestMap, table: Table): readonly number[] {
  const elsewhere = new Set<Card>([...table.discards, ...table.faceDown, ...table.hands.flat()])
  return [...map.cards.keys()].filter((card) => !elsewhere.has(card))
}

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
