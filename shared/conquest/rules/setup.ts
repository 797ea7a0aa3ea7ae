/**
 * Setting up (R6–R8, V1–V3). Draws, in this order: the rolls for the first place, seats in order, the tied again; the garrison's
 * territories; the deal by place in rounds, the odd ones last; then the armies, by place in turn order. A territory is
 * picked from those left in map order, an army's place from its owner's territories in map order.
 */

import type { Seat } from '../../game-rules.ts'
import type { OrderOf } from '../commands.ts'
import type { ConquestMap } from '../maps.ts'
import type { ConquestOptions } from '../options.ts'
import type { Refusal } from '../refusals.ts'
import { type ConquestState, isLiving, livingSeats } from '../state.ts'
import { rollDice, type Telling } from '../telling.ts'
import { seatAfter, tellTurnBegan } from './turn.ts'

/** Armies on each territory of the garrison (R8). */
const GARRISON_ARMIES = 2
/** At most so many are placed at a time in the rounds of V2. */
const MOST_PLACED_AT_ONCE = 5
/** Extra armies by place in turn order, by number of commanders (V3). */
const HANDICAPS: Readonly<Record<number, readonly number[]>> = {
  2: [0, 3],
  3: [0, 2, 4],
  4: [0, 0, 0, 0],
  5: [0, 0, 0, 0, 0],
  6: [0, 0, 0, 0, 0, 1],
}

/** From the laying of the board to the first turn, or to the first claim. */
export function tellSetup(telling: Telling): void {
  const { map } = telling
  const { options, seats } = telling.state
  const armies = startingArmies(map, seats)
  telling.tell({ type: 'boardLaid', map: options.map, mapVersion: map.version, armies })
  tellTurnOrder(telling)
  tellHandicap(telling, options)
  if (seats === 2) tellGarrison(telling)
  switch (options.setup) {
    case 'deal':
      tellDeal(telling)
      tellPlayBegan(telling)
      break
    case 'claim':
      tellNextStep(telling, null, 1)
  }
}

function startingArmies(map: ConquestMap, seats: number): number {
  const armies = map.startingArmies[String(seats)]
  if (armies === undefined) throw new Error(`the map ${map.id} does not serve ${seats} commanders`)
  return armies
}

/** Highest goes first, those tied for highest roll again; play goes clockwise from there (R6). */
function tellTurnOrder(telling: Telling): void {
  const seats = Array.from({ length: telling.state.seats }, (_, place) => place + 1)
  const rolls: { seat: Seat; die: number }[][] = []
  let contenders = seats
  while (contenders.length > 1) {
    const dice = rollDice(telling, contenders.length)
    const highest = Math.max(...dice)
    rolls.push(contenders.map((seat, i) => ({ seat, die: dice[i]! })))
    contenders = contenders.filter((_, i) => dice[i] === highest)
  }
  const first = contenders[0]! - 1
  telling.tell({ type: 'turnOrderRolled', rolls, order: [...seats.slice(first), ...seats.slice(0, first)] })
}

function tellHandicap(telling: Telling, options: ConquestOptions): void {
  switch (options.handicap) {
    case 'none':
      return
    case 'balanced': {
      const { order, seats } = telling.state
      const grants = order.map((seat, place) => ({ seat, armies: HANDICAPS[seats]![place]! }))
      telling.tell({ type: 'handicapGranted', grants })
    }
  }
}

/** Of T territories each of two commanders will have ⌊7T/20⌋, the garrison the rest (R8). */
function tellGarrison(telling: Telling): void {
  const { map } = telling
  const free = [...map.territories.keys()]
  const each = Math.floor((7 * free.length) / 20)
  const drawn: number[] = []
  while (free.length > 2 * each) drawn.push(drawOne(telling, free))
  drawn.sort((a, b) => a - b)
  const territories = drawn.map((territory) => map.territories[territory]!.id)
  telling.tell({ type: 'garrisonPlaced', territories, armies: GARRISON_ARMIES })
}

function drawOne(telling: Telling, left: number[]): number {
  return left.splice(telling.pick(left.length), 1)[0]!
}

/** V1. */
function tellDeal(telling: Telling): void {
  const { map } = telling
  const { order } = telling.state
  const free = freeTerritories(telling.state)
  const odd = free.length % order.length
  const even = free.length - odd
  const hands = order.map((seat) => ({ seat, territories: [] as number[] }))
  for (let dealt = 0; free.length > 0; dealt++) {
    const place = dealt < even ? dealt % order.length : order.length - odd + (dealt - even)
    hands[place]!.territories.push(drawOne(telling, free))
  }
  for (const hand of hands) hand.territories.sort((a, b) => a - b)
  telling.tell({
    type: 'territoriesDealt',
    hands: hands.map(({ seat, territories }) => ({
      seat,
      territories: territories.map((territory) => map.territories[territory]!.id),
    })),
  })

  const more = map.territories.map(() => 0)
  const { situation } = telling.state
  if (situation.phase !== 'opening') throw new Error('dealt after the opening')
  for (const { seat, territories } of hands)
    for (let left = situation.reserves[seat - 1]!; left > 0; left--)
      more[territories[telling.pick(territories.length)]!]! += 1
  const placements = map.territories.map(({ id }, territory) => ({ territory: id, armies: more[territory]! }))
  telling.tell({ type: 'armiesDealt', placements: placements.filter(({ armies }) => armies > 0) })
}

/** Territories nobody owns yet, in map order. */
export function freeTerritories({ owners }: ConquestState): number[] {
  return [...owners.keys()].filter((territory) => owners[territory] === null)
}

/** Why the territory cannot be claimed, or null (V2). */
export function refuseClaim(map: ConquestMap, state: ConquestState, { territory }: OrderOf<'claim'>): Refusal | null {
  const claimed = map.index.get(territory)
  if (claimed === undefined) return 'unknown-territory'
  return state.owners[claimed] === null ? null : 'not-free'
}

/** One free territory is claimed, and the next step begins (V2). */
export function tellClaim(telling: Telling, seat: Seat, territory: string): void {
  telling.tell({ type: 'territoryClaimed', seat, territory })
  tellStepOver(telling, seat)
}

/** After the step of `seat`, done or lost with its commander. */
export function tellStepOver(telling: Telling, seat: Seat): void {
  const { situation } = telling.state
  if (situation.phase !== 'claim' && situation.phase !== 'place') throw new Error('no step of the setup')
  tellNextStep(telling, seat, situation.step + 1)
}

/** Claims go on while a territory is free; the rounds of placement begin with the first in turn order (V2). */
function tellNextStep(telling: Telling, after: Seat | null, step: number): void {
  const { state } = telling
  if (state.owners.includes(null)) {
    const seat = seatAfter(state, after, (each) => isLiving(state, each))!
    telling.tell({ type: 'claimAwaited', seat, step })
    return
  }
  const claimsJustOver = state.situation.phase !== 'place'
  const seat = seatAfter(state, claimsJustOver ? null : after, (each) => placementDue(state, each) > 0)
  if (seat === null) tellPlayBegan(telling)
  else telling.tell({ type: 'placementAwaited', seat, step, armies: placementDue(state, seat) })
}

/** Exactly so many armies are placed in one step of V2; those with none left are skipped. */
export function placementDue(state: ConquestState, seat: Seat): number {
  const { situation } = state
  if (!isLiving(state, seat) || !('reserves' in situation)) return 0
  return Math.min(MOST_PLACED_AT_ONCE, situation.reserves[seat - 1]!)
}

/** The first in turn order opens play. */
function tellPlayBegan(telling: Telling): void {
  tellTurnBegan(telling, livingSeats(telling.state)[0]!, 1, 1)
}
