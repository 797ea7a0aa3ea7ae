/** Attacks, and assaults that equal giving the single attacks (R12, R15–R17). */

import type { Seat } from '../../game-rules.ts'
import type { OrderOf, Wish } from '../commands.ts'
import type { ConquestMap } from '../maps.ts'
import { MOST_ROLLS } from '../odds.ts'
import type { Refusal } from '../refusals.ts'
import type { ConquestState, Owner, Table } from '../state.ts'
import type { Telling } from '../telling.ts'
import { mostAttackDice, tellBattle } from './battle.ts'
import { tellConquest } from './elimination.ts'

/** The least armies on an origin: one has to stay. */
export const LEAST_ON_ORIGIN = 2

/** Whether the owner may attack from `origin` to `target`: adjacent, and of another owner (R12). */
export function isTarget(map: ConquestMap, table: Table, owner: Owner, origin: number, target: number): boolean {
  return table.owners[target] !== owner && map.neighbours[origin]!.includes(target)
}

function refuseBattle(
  map: ConquestMap,
  state: ConquestState,
  seat: Seat,
  order: { readonly origin: string; readonly target: string },
): Refusal | null {
  const origin = map.index.get(order.origin)
  if (origin === undefined) return 'unknown-territory'
  if (state.owners[origin] !== seat) return 'not-your-territory'
  if (state.armies[origin]! < LEAST_ON_ORIGIN) return 'too-few-armies'
  const target = map.index.get(order.target)
  if (target === undefined) return 'unknown-territory'
  if (state.owners[target] === seat) return 'own-territory'
  return map.neighbours[origin]!.includes(target) ? null : 'not-adjacent'
}

function isOutOfRange(wish: Wish | undefined, least: number, most: number): boolean {
  return typeof wish === 'number' && (wish < least || wish > most)
}

/** Why this attack cannot be made, or null (R12, R16). */
export function refuseAttack(
  map: ConquestMap,
  state: ConquestState,
  seat: Seat,
  order: OrderOf<'attack'>,
): Refusal | null {
  const refusal = refuseBattle(map, state, seat, order)
  if (refusal !== null) return refusal
  const armies = state.armies[map.index.get(order.origin)!]!
  if (order.dice > mostAttackDice(armies)) return 'too-many-dice'
  return isOutOfRange(order.occupy, order.dice, armies - 1) ? 'occupy-out-of-range' : null
}

/** Why this assault cannot be made, or null (R16, R17). */
export function refuseAssault(
  map: ConquestMap,
  state: ConquestState,
  seat: Seat,
  order: OrderOf<'assault'>,
): Refusal | null {
  const refusal = refuseBattle(map, state, seat, order)
  if (refusal !== null) return refusal
  const armies = state.armies[map.index.get(order.origin)!]!
  if (order.stopAt !== undefined && order.stopAt > armies - 1) return 'stop-at-out-of-range'
  if (order.maxRolls !== undefined && order.maxRolls > MOST_ROLLS) return 'max-rolls-out-of-range'
  return isOutOfRange(order.occupy, 1, armies - 1) ? 'occupy-out-of-range' : null
}

/** One roll, and what follows if the target falls. */
export function tellAttack(telling: Telling, seat: Seat, order: OrderOf<'attack'>): void {
  const origin = telling.map.index.get(order.origin)!
  const target = telling.map.index.get(order.target)!
  tellBattle(telling, seat, origin, target, order.dice)
  if (telling.state.armies[target] === 0) tellConquest(telling, seat, origin, target, order.dice, order.occupy)
}

/** Rolls the most dice until the target falls, the origin is down to `stopAt`, or the rolls run out; all taken anew each roll (R17). */
export function tellAssault(telling: Telling, seat: Seat, order: OrderOf<'assault'>): void {
  const { stopAt = 1, maxRolls = MOST_ROLLS } = order
  const origin = telling.map.index.get(order.origin)!
  const target = telling.map.index.get(order.target)!
  for (let roll = 1; roll <= maxRolls && telling.state.armies[origin]! > stopAt; roll++) {
    const dice = mostAttackDice(telling.state.armies[origin]!)
    tellBattle(telling, seat, origin, target, dice)
    if (telling.state.armies[target] === 0) {
      tellConquest(telling, seat, origin, target, dice, order.occupy)
      break
    }
  }
}
