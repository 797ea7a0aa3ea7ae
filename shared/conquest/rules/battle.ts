/** One roll: how many dice each side has, and who falls (R12–R14). Draws: the attacker's dice, then the defender's. */

import type { Seat } from '../../game-rules.ts'
import type { ConquestMap } from '../maps.ts'
import type { Table } from '../state.ts'
import { rollDice, type Telling } from '../telling.ts'

const MOST_ATTACK_DICE = 3
const MOST_DEFENCE_DICE = 2
/** A Bastion with so many armies rolls as many dice (R14). */
const BASTION_ARMIES = 3

/** At most three, and fewer than the armies (R12). */
export function mostAttackDice(armies: number): number {
  return Math.min(MOST_ATTACK_DICE, armies - 1)
}

/** Whether the territory is a Bastion in this game (V4). */
export function isBastion(map: ConquestMap, { options }: Table, territory: number): boolean {
  return options.bastions && map.bastions[territory]!
}

/** The most dice the defender may roll (R12); a Bastion holding three or more armies rolls three (R14). */
export function defenceDice(armies: number, bastion: boolean): number {
  return bastion && armies >= BASTION_ARMIES ? BASTION_ARMIES : Math.min(MOST_DEFENCE_DICE, armies)
}

/** Highest against highest, second against second; ties go to the defender; only the best two defence dice are kept (R13, R14). */
export function compareDice(
  attack: readonly number[],
  defence: readonly number[],
): { readonly attackersLost: number; readonly defendersLost: number } {
  const best = [...attack].sort((a, b) => b - a)
  const against = [...defence].sort((a, b) => b - a)
  const pairs = Math.min(best.length, against.length, MOST_DEFENCE_DICE)
  let defendersLost = 0
  for (let pair = 0; pair < pairs; pair++) if (best[pair]! > against[pair]!) defendersLost += 1
  return { attackersLost: pairs - defendersLost, defendersLost }
}

/** Rolls once, with `dice` against the most the defender has. */
export function tellBattle(telling: Telling, seat: Seat, origin: number, target: number, dice: number): void {
  const { map, state } = telling
  const attack = rollDice(telling, dice)
  const defence = rollDice(telling, defenceDice(state.armies[target]!, isBastion(map, state, target)))
  telling.tell({
    type: 'battleFought',
    seat,
    origin: map.territories[origin]!.id,
    target: map.territories[target]!.id,
    rival: state.owners[target]!,
    attack,
    defence,
    ...compareDice(attack, defence),
  })
}
