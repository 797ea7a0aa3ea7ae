/** How the dice of a battle fell for both sides, against the exact odds of that roll. */

import type { Luck } from '../game-rules.ts'
import type { ConquestEvent } from './events.ts'
import { rollOdds } from './odds.ts'
import { GARRISON } from './state.ts'

const DESTROYED = 'armies destroyed'
const LOST = 'armies lost'

/** For each side of a battle but the garrison: armies destroyed and lost. The dice that fell tell what was rolled (R12, R14). */
export function luckOf(event: ConquestEvent): readonly Luck[] {
  if (event.type !== 'battleFought') return []
  const { seat, rival, attackersLost, defendersLost } = event
  const defenceDice = event.defence.length
  // A log nobody has checked yet may tell of any number of dice.
  if (!isRoll(event.attack.length) || !isRoll(defenceDice)) return []
  const odds = rollOdds({ dice: event.attack.length, defenders: defenceDice, bastion: defenceDice === 3 })
  const spread = (lost: 'attackersLost' | 'defendersLost') =>
    odds.losses.reduce((sum, each) => sum + each.probability * (each[lost] - odds[lost]) ** 2, 0)
  const attackers = { actual: attackersLost, expected: odds.attackersLost, variance: spread('attackersLost') }
  const defenders = { actual: defendersLost, expected: odds.defendersLost, variance: spread('defendersLost') }
  const ofAttacker: Luck[] = [
    { seat, measure: DESTROYED, ...defenders },
    { seat, measure: LOST, ...attackers },
  ]
  if (rival === GARRISON) return ofAttacker
  return [
    ...ofAttacker,
    { seat: rival, measure: DESTROYED, ...attackers },
    { seat: rival, measure: LOST, ...defenders },
  ]
}

function isRoll(dice: number): boolean {
  return dice >= 1 && dice <= 3
}
