/** `hazard odds`: the exact odds of fighting on, and of the next roll. */

import { parseArgs } from 'node:util'
import { Complaint, EXIT } from '../../local/complaint.ts'
import {
  type BattleOdds,
  battleOdds,
  MOST_ARMIES_FOR_ODDS,
  type RollOdds,
  rollOdds,
} from '../../shared/conquest/odds.ts'
import type { Io } from '../hazard.ts'

export const summary = 'exact odds of an attack'
export const usage = `hazard odds <attackers> <defenders> [--bastion] [--stop-at n] [--json]

Fights on with the most dice until the target falls or the origin holds as few armies as --stop-at says (1 by default).
  <attackers>    armies on the origin, the one that stays included: 2 to ${MOST_ARMIES_FOR_ODDS}
  <defenders>    armies on the target: 1 to ${MOST_ARMIES_FOR_ODDS}
  --bastion      the target is a Bastion: three dice, best two kept, while it holds three or more
  --stop-at n    stop when the origin holds n armies or fewer: 1 to attackers - 1
  --json         the whole distribution, for programs`

/** Prints the odds. Throws Complaint for armies out of range. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { bastion: { type: 'boolean' }, 'stop-at': { type: 'string' }, json: { type: 'boolean' } },
  })
  if (positionals.length !== 2) throw new Complaint('odds takes two numbers, attackers and defenders.', EXIT.usage)
  const attackers = wholeNumber('attackers', positionals[0]!)
  const defenders = wholeNumber('defenders', positionals[1]!)
  const bastion = values.bastion ?? false
  const stopAt = values['stop-at'] === undefined ? 1 : wholeNumber('stop-at', values['stop-at'])
  try {
    const battle = battleOdds({ attackers, defenders, bastion, stopAt })
    const roll = rollOdds({ dice: Math.min(3, attackers - 1), defenders, bastion })
    const asked = { attackers, defenders, bastion, stopAt }
    io.out(values.json === true ? JSON.stringify({ ...asked, roll, battle }) : told(asked, roll, battle))
    return EXIT.done
  } catch (fault) {
    if (fault instanceof RangeError) throw new Complaint(`${fault.message}.`, EXIT.usage)
    throw fault
  }
}

function wholeNumber(field: string, text: string): number {
  if (!/^\d{1,7}$/.test(text))
    throw new Complaint(`${field} must be a whole number, not ${JSON.stringify(text)}.`, EXIT.usage)
  return Number(text)
}

interface Asked {
  readonly attackers: number
  readonly defenders: number
  readonly bastion: boolean
  readonly stopAt: number
}

function told({ attackers, defenders, bastion, stopAt }: Asked, roll: RollOdds, battle: BattleOdds): string {
  return [
    `${attackers} attack ${defenders}${bastion ? ' in a Bastion' : ''}${stopAt === 1 ? '' : `, stopping at ${stopAt}`}:`,
    `  conquest        ${percent(battle.conquest)}`,
    `  attackers lost  ${battle.attackersLost.toFixed(4)} on average`,
    `  defenders lost  ${battle.defendersLost.toFixed(4)} on average`,
    'The next roll:',
    ...roll.losses.map(
      (each) =>
        `  attackers lose ${each.attackersLost}, defenders ${each.defendersLost}:  ${percent(each.probability)}  (${each.ways} of ${each.total})`,
    ),
    'What is left:',
    ...battle.outcomes
      .filter(({ probability }) => probability >= 0.0005)
      .map((each) => `  ${each.attackers} against ${each.defenders}:  ${percent(each.probability)}`),
  ].join('\n')
}

function percent(probability: number): string {
  return `${(100 * probability).toFixed(2).padStart(6)} %`
}
