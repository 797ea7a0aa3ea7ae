/** What may be chosen when a game of Conquest is opened. */

import * as z from 'zod'

export const SETUPS = ['deal', 'claim'] as const
export const HANDICAPS = ['none', 'balanced'] as const
export const PAYOUTS = ['escalating', 'fixed'] as const
/** V7 will add `bot` and `open`: who then takes over what a commander leaves behind. */
export const VACATED = ['garrison'] as const

/** The options over the maps of a rule book; the first map is the default. */
export function optionsSchema(maps: readonly string[]) {
  return z.strictObject({
    map: z.enum(maps as [string, ...string[]]).default(maps[0]!),
    setup: z.enum(SETUPS).default('deal'),
    handicap: z.enum(HANDICAPS).default('none'),
    bastions: z.boolean().default(true),
    cards: z.enum(PAYOUTS).default('escalating'),
    /** Time for one turn, claim or placement; null for no deadline (R25). */
    turnSeconds: z.int().min(60).max(2_592_000).nullable().default(259_200),
    missesToResign: z.int().min(1).max(10).default(2),
    /** After so many rounds the game ends, ranked by what each holds. */
    roundLimit: z.int().min(1).max(1_000_000).default(500),
    vacated: z.enum(VACATED).default('garrison'),
  })
}

export type ConquestOptions = z.infer<ReturnType<typeof optionsSchema>>
