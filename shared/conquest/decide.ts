/** Judges an order: the events that follow, or the first reason in the order of the rules why nothing does. */

import type { Actor, Chance, Decision, Seat } from '../game-rules.ts'
import type { ConquestCommand, Order } from './commands.ts'
import type { ConquestEvent } from './events.ts'
import type { ConquestMap } from './maps.ts'
import type { Refusal } from './refusals.ts'
import { refuseAssault, refuseAttack, tellAssault, tellAttack } from './rules/attack.ts'
import { cardById } from './rules/cards.ts'
import { refuseByDuty } from './rules/duty.ts'
import { refuseExpiry, tellExpiry } from './rules/expiry.ts'
import { refuseFortify, tellFortify } from './rules/fortify.ts'
import { refuseOccupy, tellOccupy } from './rules/occupy.ts'
import { refuseDeploy, tellDeploy } from './rules/placement.ts'
import { tellResignation } from './rules/resignation.ts'
import { refuseClaim, tellClaim } from './rules/setup.ts'
import { refuseTrade, tellTrade } from './rules/trade.ts'
import { tellTurnEnded } from './rules/turn.ts'
import { type ConquestState, isLiving, seatToAct } from './state.ts'
import { type Telling, telling } from './telling.ts'

export function decide(
  map: ConquestMap,
  state: ConquestState,
  command: ConquestCommand,
  by: Actor,
  chance: Chance,
): Decision<ConquestEvent, Refusal> {
  const refusal = command.type === 'expire' ? refuseServer(state, command.task, by) : refuse(map, state, command, by)
  if (refusal !== null) return { refusal }
  const told = telling(map, state, chance)
  if (command.type === 'expire') tellExpiry(told)
  else follow(told, command, by as Seat)
  return { events: told.events }
}

function refuseServer(state: ConquestState, task: string, by: Actor): Refusal | null {
  return by === 'server' ? refuseExpiry(state, task) : 'for-the-server-alone'
}

function refuse(map: ConquestMap, state: ConquestState, order: Order, by: Actor): Refusal | null {
  const { phase } = state.situation
  if (phase === 'opening' || phase === 'over') return 'game-not-running'
  if (by === 'server' || !isLiving(state, by)) return 'not-a-living-commander'
  if (order.type === 'resign') return null
  if (seatToAct(state) !== by) return 'not-your-turn'
  return refuseByDuty(state, order.type) ?? refuseFields(map, state, order, by)
}

function refuseFields(map: ConquestMap, state: ConquestState, order: Order, seat: Seat): Refusal | null {
  switch (order.type) {
    case 'claim':
      return refuseClaim(map, state, order)
    case 'deploy':
      return refuseDeploy(map, state, seat, order)
    case 'trade':
      return refuseTrade(map, state, seat, order)
    case 'attack':
      return refuseAttack(map, state, seat, order)
    case 'assault':
      return refuseAssault(map, state, seat, order)
    case 'occupy':
      return refuseOccupy(state, order)
    case 'fortify':
      return refuseFortify(map, state, seat, order)
    case 'endTurn':
    case 'resign':
      return null
  }
}

function follow(told: Telling, order: Order, seat: Seat): void {
  if (order.type !== 'resign' && told.state.misses[seat - 1]! > 0) told.tell({ type: 'commanderReturned', seat })
  switch (order.type) {
    case 'claim':
      tellClaim(told, seat, order.territory)
      break
    case 'deploy':
      tellDeploy(told, seat, order.placements)
      break
    case 'trade': {
      const [first, second, third] = order.cards.map((id) => cardById(told.map, id)!)
      tellTrade(told, seat, [first!, second!, third!])
      break
    }
    case 'attack':
      tellAttack(told, seat, order)
      break
    case 'assault':
      tellAssault(told, seat, order)
      break
    case 'occupy':
      tellOccupy(told, order.armies)
      break
    case 'fortify':
      tellFortify(told, seat, order)
      break
    case 'endTurn':
      tellTurnEnded(told, seat)
      break
    case 'resign':
      tellResignation(told, seat, false)
  }
}
