/** Odds on request: of a battle on the board, or of any numbers. */

import * as z from 'zod'
import type { Json } from '../game-rules.ts'
import type { ConquestMap } from './maps.ts'
import { battleOdds, MOST_ARMIES_FOR_ODDS, MOST_ROLLS, rollOdds } from './odds.ts'
import type { Refusal } from './refusals.ts'
import { LEAST_ON_ORIGIN } from './rules/attack.ts'
import { isBastion, mostAttackDice } from './rules/battle.ts'
import type { ConquestState } from './state.ts'

function queries() {
  const number = z
    .string()
    .regex(/^[1-9][0-9]{0,6}$/, 'must be a whole number from 1')
    .transform(Number)

  const limits = { dice: number.optional(), stopAt: number.optional(), maxRolls: number.optional() }

  return z.union([
    z.strictObject({ origin: z.string().min(1).max(64), target: z.string().min(1).max(64), ...limits }),
    z.strictObject({
      attackers: number,
      defenders: number,
      bastion: z
        .enum(['true', 'false'])
        .transform((word) => word === 'true')
        .optional(),
      ...limits,
    }),
  ])
}

export const oddsQuerySchema = z.lazy(queries)

export type ConquestOddsQuery = z.infer<typeof oddsQuerySchema>

interface Battle {
  readonly attackers: number
  readonly defenders: number
  readonly bastion?: boolean | undefined
}

/** Exact odds of the next roll and of fighting on; only armies, which everyone sees, enter. */
export function odds(
  map: ConquestMap,
  state: ConquestState,
  query: ConquestOddsQuery,
): { readonly odds: Json } | { readonly refusal: Refusal } {
  const battle = 'origin' in query ? battleOnBoard(map, state, query) : query
  if (typeof battle === 'string') return { refusal: battle }
  const { attackers, defenders, bastion = false } = battle
  if (attackers < LEAST_ON_ORIGIN) return { refusal: 'too-few-armies' }
  if (Math.max(attackers, defenders) > MOST_ARMIES_FOR_ODDS) return { refusal: 'too-many-armies-for-odds' }
  const { dice = mostAttackDice(attackers), stopAt = 1, maxRolls = MOST_ROLLS } = query
  if (dice > mostAttackDice(attackers)) return { refusal: 'too-many-dice' }
  if (stopAt > attackers - 1) return { refusal: 'stop-at-out-of-range' }
  if (maxRolls > MOST_ROLLS) return { refusal: 'max-rolls-out-of-range' }
  const roll = { dice, ...rollOdds({ dice, defenders, bastion }) }
  const fightingOn = { stopAt, maxRolls, ...battleOdds({ attackers, defenders, bastion, stopAt, maxRolls }) }
  return { odds: { attackers, defenders, bastion, roll, fightingOn } as unknown as Json }
}

function battleOnBoard(
  map: ConquestMap,
  state: ConquestState,
  query: { readonly origin: string; readonly target: string },
): Battle | Refusal {
  const origin = map.index.get(query.origin)
  const target = map.index.get(query.target)
  if (origin === undefined || target === undefined) return 'unknown-territory'
  if (state.armies[origin]! < LEAST_ON_ORIGIN) return 'too-few-armies'
  if (state.owners[origin] === state.owners[target]) return 'own-territory'
  if (!map.neighbours[origin]!.includes(target)) return 'not-adjacent'
  if (state.armies[target] === 0) return 'nothing-to-attack'
  return {
    attackers: state.armies[origin]!,
    defenders: state.armies[target]!,
    bastion: isBastion(map, state, target),
  }
}
