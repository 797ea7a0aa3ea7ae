/** Requisition cards: which are a set, what it pays, when one is due, what is left in the deck (R4, R10, R20, R23, V5, V6). */

import type { UnitType } from '../map.ts'
import type { ConquestMap } from '../maps.ts'
import type { ConquestOptions } from '../options.ts'
import type { Card, Table } from '../state.ts'

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
