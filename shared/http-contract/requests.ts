/** What may be asked over HTTP: every path, query and body. Ids become ids here and nowhere else. */

import * as z from 'zod'
import { VISIBILITIES } from '../application/game-state.ts'
import type { CommandId, Fact, GameId } from '../event-store/commit.ts'
import { parseCommandId, parseGameId } from '../event-store/ids.ts'

export const commandId = z
  .string()
  .regex(/^[0-9A-Za-z_-]{8,64}$/, '8 to 64 letters, digits, hyphens and underscores')
  .transform((text) => parseCommandId(text) as CommandId)
  .meta({
    description:
      'Chosen by the sender, one for each order: sending an order again with its id is harmless. Case does not count.',
  })

const gameId = z
  .string()
  .regex(/^[a-z2-7]{20}$/, '20 characters of a–z and 2–7')
  .transform((text) => parseGameId(text) as GameId)

const invitation = z.string().regex(/^[a-z2-7]{20}-[a-z2-7]{20}$/, 'the code of an invitation')

const number = (least: number) =>
  z
    .string()
    .regex(least === 0 ? /^(0|[1-9][0-9]{0,8})$/ : /^[1-9][0-9]{0,8}$/, `a whole number from ${least}, in digits`)
    .transform(Number)

const cursor = z.string().min(1).max(200)

/** A record whose fields the game's own schema judges. */
const ofTheGame = (description: string) =>
  z
    .custom<{ readonly [name: string]: unknown }>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'an object',
    )
    .meta({ type: 'object', description })

const command = z
  .custom<Fact>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      typeof (value as { type?: unknown }).type === 'string',
    'an object whose type says what it is',
  )
  .meta({ type: 'object', properties: { type: { type: 'string' } }, required: ['type'] })

export const seenHead = z.strictObject({
  n: z.int().min(0).max(1_000_000_000),
  hash: z.string().regex(/^[0-9A-Fa-f]{32,64}$/, '32 to 64 hex digits'),
})

export const noParams = z.strictObject({})
export const gameParams = z.strictObject({ id: gameId })
export const invitationParams = z.strictObject({ code: invitation })
export const mapParams = z.strictObject({ id: z.string().regex(/^[a-z0-9-]{1,40}$/) })

export const noQuery = z.strictObject({})
export const listQuery = z.strictObject({
  show: z.enum(['mine', 'open']),
  cursor: cursor.optional().meta({ description: 'From the link to the next page.' }),
})
export const gameQuery = z.strictObject({
  at: number(1)
    .optional()
    .meta({ description: 'The number of the commit after which to look; the newest if left out.' }),
})
export const eventsQuery = z.strictObject({
  after: number(0).optional().meta({ description: 'The number after which to begin; 0 if left out.' }),
})
/** The game's own schema judges it. */
export const oddsQuery = ofTheGame('The query is the game’s own.') as unknown as z.ZodType<
  Readonly<Record<string, string>>
>

export const openGameRequest = z.lazy(() =>
  z.strictObject({
    commandId,
    kind: z.string().min(1).max(40),
    options: ofTheGame('The game’s own; what is left out gets its default.').optional(),
    seats: z.int().min(1).max(100),
    visibility: z.enum(VISIBILITIES),
  }),
)

export const commandRequest = z.lazy(() =>
  z.strictObject({
    commandId,
    seen: seenHead.meta({ description: 'The newest head the sender has seen.' }),
    command: command.meta({ description: 'join, leave or start; else an order of the game, as `legal` tells.' }),
    invitation: invitation.optional().meta({ description: 'To join a private game.' }),
  }),
)

/** What would break a line, turn the direction of writing or is no character. */
const UNFIT = /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u
export const MOST_NAME_LENGTH = 40

/** The name as it is shown, or null if it is not fit to be. */
export function fitName(text: string): string | null {
  const name = text
    .normalize('NFC')
    .replace(/\p{Zs}+/gu, ' ')
    .trim()
  return name === '' || [...name].length > MOST_NAME_LENGTH || UNFIT.test(name) ? null : name
}

export const profileRequest = z.lazy(() =>
  z.strictObject({
    name: z
      .string()
      .max(200)
      .refine((text) => fitName(text) !== null, `1 to ${MOST_NAME_LENGTH} characters, no control characters`)
      .transform((text) => fitName(text)!),
    timeZone: z
      .string()
      .regex(/^[A-Za-z_]{1,32}(\/[A-Za-z0-9_+-]{1,32}){0,2}$/, 'the name of a time zone, as Europe/Vienna')
      .refine(isTimeZone, 'there is no such time zone'),
  }),
)

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
