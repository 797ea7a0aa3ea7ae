/** The facts of Conquest, past and self-sufficient: what chance said is in them. Territories and cards by id, commanders by seat. */

import * as z from 'zod'
import { UNKNOWN } from '../game-rules.ts'

/** How a game ends: the last rival eliminated, the last rival resigned, or the round limit reached. */
export const ENDINGS = ['conquest', 'resignation', 'round-limit'] as const
export type Ending = (typeof ENDINGS)[number]

function events() {
  const seat = z.int().min(1).max(6)
  /** A seat, or 0 for the neutral garrison. */
  const owner = z.int().min(0).max(6)
  const territory = z.string().min(1).max(64)
  const card = z.string().min(1).max(64)
  const armies = z.int().min(0)
  const die = z.int().min(1).max(6)
  const placements = z.array(z.strictObject({ territory, armies }))

  return z.discriminatedUnion('type', [
    /** Which board is played on, and the starting armies of each commander (R7). */
    z.strictObject({ type: z.literal('boardLaid'), map: z.string().max(64), mapVersion: z.int(), armies }),
    /** Every roll for the first place (R6), and the turn order by place. */
    z.strictObject({
      type: z.literal('turnOrderRolled'),
      rolls: z.array(z.array(z.strictObject({ seat, die }))),
      order: z.array(seat),
    }),
    /** Extra starting armies (V3). */
    z.strictObject({ type: z.literal('handicapGranted'), grants: z.array(z.strictObject({ seat, armies })) }),
    /** `armies` on each (R8). */
    z.strictObject({ type: z.literal('garrisonPlaced'), territories: z.array(territory), armies }),
    /** By place in turn order, one army on each (V1). */
    z.strictObject({
      type: z.literal('territoriesDealt'),
      hands: z.array(z.strictObject({ seat, territories: z.array(territory) })),
    }),
    /** The armies beyond the first on each territory (V1). */
    z.strictObject({ type: z.literal('armiesDealt'), placements }),

    /** Someone's step of the setup begins (V2). */
    z.strictObject({ type: z.literal('claimAwaited'), seat, step: z.int().min(1) }),
    z.strictObject({ type: z.literal('territoryClaimed'), seat, territory }),
    z.strictObject({ type: z.literal('placementAwaited'), seat, step: z.int().min(1), armies }),

    /** `armies` to draft: for `territories` held, and the bonuses of `regions` wholly held (R9). */
    z.strictObject({
      type: z.literal('turnBegan'),
      seat,
      turn: z.int().min(1),
      round: z.int().min(1),
      territories: z.int().min(0),
      regions: z.array(z.string().max(64)),
      armies,
    }),
    /** `set` is the dial after it (R5). */
    z.strictObject({
      type: z.literal('setTraded'),
      seat,
      cards: z.tuple([card, card, card]),
      armies,
      set: z.int().min(1),
    }),
    z.strictObject({ type: z.literal('armiesDeployed'), seat, placements }),
    /** One roll; dice as they fell, the third die of a Bastion included (R13, R14). */
    z.strictObject({
      type: z.literal('battleFought'),
      seat,
      origin: territory,
      target: territory,
      rival: owner,
      attack: z.array(die),
      defence: z.array(die),
      attackersLost: armies,
      defendersLost: armies,
    }),
    /** `dice` of the winning roll: as many armies at least must move in (R16). */
    z.strictObject({
      type: z.literal('territoryConquered'),
      seat,
      origin: territory,
      territory,
      rival: owner,
      dice: z.int().min(1).max(3),
    }),
    z.strictObject({ type: z.literal('commanderEliminated'), seat, by: seat }),
    z.strictObject({
      type: z.literal('handTaken'),
      seat,
      rival: seat,
      cards: z.union([z.array(card), z.literal(UNKNOWN)]),
      count: z.int().min(0),
    }),
    z.strictObject({ type: z.literal('territoryOccupied'), seat, origin: territory, territory, armies }),
    z.strictObject({ type: z.literal('armiesFortified'), seat, origin: territory, destination: territory, armies }),

    /** The discards, face up and face down, become the deck (R19). */
    z.strictObject({ type: z.literal('discardsReshuffled'), count: z.int().min(1) }),
    z.strictObject({ type: z.literal('cardDrawn'), seat, card: z.union([card, z.literal(UNKNOWN)]) }),
    z.strictObject({ type: z.literal('turnEnded'), seat }),

    /** A deadline passed; `misses` in a row now (R25). */
    z.strictObject({ type: z.literal('turnMissed'), seat, misses: z.int().min(1) }),
    /** The first order after one or more misses: the count is 0 again (R25). */
    z.strictObject({ type: z.literal('commanderReturned'), seat }),
    /** `missed`: by missing too often instead of by order (R25). */
    z.strictObject({ type: z.literal('commanderResigned'), seat, missed: z.boolean() }),
    z.strictObject({ type: z.literal('gameOver'), ranking: z.array(z.array(seat)), ending: z.enum(ENDINGS) }),
  ])
}

/** Made when first asked for, which only an audit does. */
export const eventSchema = z.lazy(events)

export type ConquestEvent = z.infer<typeof eventSchema>
export type EventOf<T extends ConquestEvent['type']> = Extract<ConquestEvent, { type: T }>

/** The events whose content can be hidden from someone. */
export const HIDDEN_EVENTS = ['cardDrawn', 'handTaken'] as const satisfies readonly ConquestEvent['type'][]
