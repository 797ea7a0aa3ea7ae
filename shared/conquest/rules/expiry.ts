/** A deadline has passed: the server plays the least, or the miss is a resignation (R25). */

import type { Seat } from '../../game-rules.ts'
import type { ConquestMap } from '../maps.ts'
import type { Refusal } from '../refusals.ts'
import { type ConquestState, seatToAct } from '../state.ts'
import type { Telling } from '../telling.ts'
import { setsIn } from './cards.ts'
import { isTradeDue } from './duty.ts'
import { tellLeastOccupation } from './occupy.ts'
import { placementRange, tellDeploy } from './placement.ts'
import { tellResignation } from './resignation.ts'
import { freeTerritories, tellClaim } from './setup.ts'
import { tellTrade } from './trade.ts'
import { tellTurnEnded } from './turn.ts'

/** The task under way, unique within the game: one for each turn, claim and placement step; null when nobody is awaited. */
export function taskUnderWay({ situation }: ConquestState): string | null {
  switch (situation.phase) {
    case 'opening':
    case 'over':
      return null
    case 'claim':
    case 'place':
      return `${situation.phase}-${situation.step}`
    case 'draft':
    case 'attack':
    case 'occupy':
    case 'trade':
    case 'deploy':
      return `turn-${situation.turn}`
  }
}

/** Why the expiry comes to nothing, or null. */
export function refuseExpiry(state: ConquestState, task: string): Refusal | null {
  if (taskUnderWay(state) !== task) return 'task-over'
  return state.options.turnSeconds === null ? 'no-deadline' : null
}

/** The least of the step or turn; an expired turn is a miss even if orders came earlier in it. */
export function tellExpiry(telling: Telling): void {
  const seat = seatToAct(telling.state)!
  const misses = telling.state.misses[seat - 1]! + 1
  if (misses >= telling.state.options.missesToResign) tellResignation(telling, seat, true)
  else {
    telling.tell({ type: 'turnMissed', seat, misses })
    tellLeast(telling, seat)
  }
}

function tellLeast(telling: Telling, seat: Seat): void {
  const { phase } = telling.state.situation
  switch (phase) {
    case 'opening':
    case 'over':
      throw new Error('nobody is awaited')
    case 'claim':
      tellClaim(telling, seat, telling.map.territories[freeTerritories(telling.state)[0]!]!.id)
      break
    case 'place':
      tellLeastPlacement(telling, seat)
      break
    case 'draft':
    case 'attack':
    case 'occupy':
    case 'trade':
    case 'deploy':
      tellLeastOccupation(telling)
      while (isTradeDue(telling.state))
        tellTrade(telling, seat, setsIn(telling.map, telling.state.hands[seat - 1]!)[0]!)
      tellLeastPlacement(telling, seat)
      tellTurnEnded(telling, seat)
  }
}

function tellLeastPlacement(telling: Telling, seat: Seat): void {
  const due = placementRange(telling.state)
  if (due === null) return
  const post = mostThreatened(telling.map, telling.state, seat)
  tellDeploy(telling, seat, [{ territory: telling.map.territories[post]!.id, armies: due.most }])
}

/** The own territory with most armies of other owners, the garrison's included, adjacent; ties to map order. */
function mostThreatened(map: ConquestMap, { owners, armies }: ConquestState, seat: Seat): number {
  let post = -1
  let most = -1
  for (let territory = 0; territory < owners.length; territory++) {
    if (owners[territory] !== seat) continue
    let threat = 0
    for (const neighbour of map.neighbours[territory]!) if (owners[neighbour] !== seat) threat += armies[neighbour]!
    if (threat > most) {
      post = territory
      most = threat
    }
  }
  return post
}
