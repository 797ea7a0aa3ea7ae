/** What may be chosen when a game of Conquest is opened. */

import * as z from 'zod'

export const SETUPS = ['deal', 'claim'] as const
export const HANDICAPS = ['none', 'balanced'] as const
export const PAYOUTS = ['escalating', 'fixed'] as const
/** V7 will add `bot` and `open`: who then takes over what a commander leaves behind. */
export const VACATED = ['garrison'] as const

/** What holds where nothing else is chosen; positions leave it out. */
export const USUAL = {
  setup: 'deal',
  handicap: 'none',
  bastions: true,
  cards: 'escalating',
  turnSeconds: 259_200,
  missesToResign: 2,
  roundLimit: 500,
  vacated: 'garrison',
} as const

/** The options over the maps of a rule book; the first map is the default. */
export function optionsSchema(maps: readonly string[]) {
  return z.strictObject({
    map: z.enum(maps as [string, ...string[]]).default(maps[0]!),
    setup: z.enum(SETUPS).default(USUAL.setup),
    handicap: z.enum(HANDICAPS).default(USUAL.handicap),
    bastions: z.boolean().default(USUAL.bastions),
    cards: z.enum(PAYOUTS).default(USUAL.cards),
    /** Time for one turn, claim or placement; null for no deadline (R25). */
    turnSeconds: z.int().min(60).max(2_592_000).nullable().default(USUAL.turnSeconds),
    missesToResign: z.int().min(1).max(10).default(USUAL.missesToResign),
    /** After so many rounds the game ends, ranked by what each holds. */
    roundLimit: z.int().min(1).max(1_000_000).default(USUAL.roundLimit),
    vacated: z.enum(VACATED).default(USUAL.vacated),
  })
}

export type ConquestOptions = z.infer<ReturnType<typeof optionsSchema>>
