/** Reading exported commits from outside: a file, a server's answer. Shape only; whether they are true is the chain's question. */

import * as z from 'zod'
import { assertCanonical, NotCanonical } from './canonical-json.ts'
import { COMMIT_FORMAT, type ExportedCommit, type Fact } from './commit.ts'
import { parseCommandId, parseGameId, parseMemberId } from './ids.ts'

/** The value is no exported commit; the message says where. */
export class MalformedCommit extends Error {
  override readonly name = 'MalformedCommit'
}

const digest = z.string().regex(/^[0-9a-f]{64}$/, 'not 64 hex digits')
const salt = digest.nullable()
const whole = z.int().nonnegative()
const fact = z.custom<Fact>(
  (value) => typeof value === 'object' && value !== null && typeof (value as Fact).type === 'string',
  'no type',
)

const exportedCommit = z.strictObject({
  format: z.literal(COMMIT_FORMAT),
  schema: whole,
  game: z.string().refine((text) => parseGameId(text) !== null, 'no id of a game'),
  n: z.int().positive(),
  at: whole,
  by: z.string().refine((text) => text === 'server' || parseMemberId(text) !== null, 'neither server nor a member'),
  commandId: z.string().refine((text) => parseCommandId(text) === text, 'no command id in lower case'),
  command: fact,
  commandDigest: digest,
  commandSalt: salt,
  events: z.array(fact),
  eventDigests: z.array(digest),
  eventSalts: z.array(salt),
  previous: digest,
  seal: digest,
  secret: digest.nullable(),
  hash: digest,
})

/** The exported commit that a parsed JSON value is. Throws MalformedCommit. */
export function parseExportedCommit(value: unknown): ExportedCommit {
  try {
    assertCanonical(value)
  } catch (error) {
    if (error instanceof NotCanonical) throw new MalformedCommit(error.message)
    throw error
  }
  const parsed = exportedCommit.safeParse(value)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!
    throw new MalformedCommit(`$${path.map((part) => `.${String(part)}`).join('')}: ${message}`)
  }
  return parsed.data as unknown as ExportedCommit
}
