/** What is answered over HTTP: for the description and for tests; no function needs these schemas to answer. */

import * as z from 'zod'
import { AUDIT_CHECKS, AUDIT_FAULTS, AUDIT_WAITS, type AuditFault, VERDICTS } from '../application/audit.ts'
import { PHASES, VISIBILITIES } from '../application/game-state.ts'
import type { CallName } from './calls.ts'
import { PROBLEM_WORDS } from './problems.ts'

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`))
const hash = hex(64)
const gameId = z.string().regex(/^[a-z2-7]{20}$/)
const seat = z.int().min(1)
const time = z.int().meta({ description: 'ms since 1970' })
const fact = z.looseObject({ type: z.string() })
const names = z.array(z.string().nullable()).meta({ description: 'By seat; null for one whose person was erased.' })

export const head = z.strictObject({ n: z.int().min(0), hash })

export const awaited = z.strictObject({
  seat,
  task: z.string(),
  since: time,
  until: time.nullable().meta({ description: 'null: without a deadline' }),
})

const ranking = z
  .array(z.array(seat))
  .nullable()
  .meta({ description: 'The seats of each place, best first; null before the end.' })

export const gameView = z.strictObject({
  game: gameId,
  kind: z.string(),
  rulesVersion: z.int(),
  options: z.looseObject({}),
  visibility: z.enum(VISIBILITIES),
  seats: z.int().meta({ description: 'How many may sit down.' }),
  commitment: hash.meta({ description: 'SHA-256 of the secret all dice come from; the end of the game reveals it.' }),
  openedAt: time,
  remarks: z.array(z.string()).meta({ description: 'What to know of the options before sitting down.' }),
  phase: z.enum(PHASES),
  seatsTaken: z.int(),
  you: seat.nullable().meta({ description: 'Your seat; null for a spectator.' }),
  waitingFor: z.array(awaited),
  ranking,
  view: z.unknown().meta({ description: 'The game’s own view; null before the start.' }),
})

const invitation = z.string().optional().meta({ description: 'Only for the host of a private game.' })

export const answerResponse = z.strictObject({ head, events: z.array(fact), game: gameView, invitation })

export const sightResponse = z.strictObject({
  head,
  at: time.meta({ description: 'Time of the commit, ms since 1970.' }),
  names,
  game: gameView,
  invitation,
})

export const listedGame = z.strictObject({
  game: gameId,
  kind: z.string(),
  phase: z.enum(PHASES),
  visibility: z.enum(VISIBILITIES),
  seats: z.int(),
  seatsTaken: z.int(),
  names,
  you: seat.nullable(),
  waitingFor: z.array(awaited),
  ranking,
  head: head.nullable().meta({ description: 'Null while the game runs: look at the game itself.' }),
  openedAt: time,
  startedAt: time.nullable(),
  endedAt: time.nullable(),
})

const next = z.string().nullable().meta({ description: 'The cursor of the next page; null at the end.' })

export const listResponse = z.strictObject({ games: z.array(listedGame), next })

export const legalResponse = z.strictObject({
  head,
  legal: z.unknown().meta({ description: 'Orders as they may be given, ranges as { least, most }.' }),
})

export const oddsResponse = z.strictObject({ head, odds: z.unknown() })

export const exportedCommit = z.strictObject({
  format: z.int(),
  schema: z.int(),
  game: gameId,
  n: z.int().min(1),
  at: time,
  by: z.union([hex(32), z.literal('server')]),
  commandId: z.string(),
  command: fact,
  events: z.array(fact),
  previous: hash,
  seal: hash,
  secret: hash.nullable(),
  hash,
  commandDigest: hash,
  commandSalt: hash.nullable(),
  eventDigests: z.array(hash),
  eventSalts: z.array(hash.nullable()),
})

export const logResponse = z.strictObject({
  head,
  kind: z.string(),
  rulesVersion: z.int(),
  commits: z.array(exportedCommit),
  next: z.int().nullable().meta({ description: 'The number after which the next page begins; null at the end.' }),
})

const count = z.int().min(0)

export const auditResponse = z.strictObject({
  verdict: z.enum(VERDICTS),
  game: gameId.nullable(),
  kind: z.string().nullable(),
  rulesVersion: z.int().nullable(),
  commits: count,
  events: count,
  head: head.nullable(),
  complete: z.boolean().meta({ description: 'Whether the game has ended and all of it could be checked.' }),
  fault: z
    .strictObject({
      n: z.int().meta({ description: 'The first bad commit.' }),
      reason: z.enum(Object.keys(AUDIT_FAULTS) as [AuditFault, ...AuditFault[]]),
      sentence: z.string(),
      detail: z.string(),
    })
    .nullable(),
  checked: z.record(z.enum(AUDIT_CHECKS), count).meta({ description: 'How often each check was made.' }),
  waiting: z.record(z.enum(AUDIT_WAITS), count).meta({ description: 'What must wait for the secret.' }),
  ranking,
  luck: z.array(
    z.strictObject({
      seat,
      measure: z.string(),
      count,
      actual: z.number(),
      expected: z.number(),
      score: z.number().meta({ description: 'Standard deviations from the expectation.' }),
    }),
  ),
})

/** The first line of an export; every further line is a commit. */
export const logHeader = z.strictObject({
  hazardLog: z.literal(1),
  game: gameId,
  kind: z.string(),
  rulesVersion: z.int(),
  head,
})

export const profileResponse = z.strictObject({ name: z.string(), timeZone: z.string() })

export const documentResponse = z.looseObject({})

export const problemResponse = z.strictObject({
  type: z.enum(PROBLEM_WORDS.map((word) => `/problems/${word}` as const)),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  refusal: z.string().optional().meta({ description: 'Why the rules refuse: one word from a closed list.' }),
  path: z.string().optional().meta({ description: 'The bad field.' }),
  head: head.optional().meta({ description: 'The newest head.' }),
})

/** By call. */
export const RESPONSES = {
  openGame: answerResponse,
  listGames: listResponse,
  previewInvitation: sightResponse,
  giveCommand: answerResponse,
  readGame: sightResponse,
  readEvents: logResponse,
  auditGame: auditResponse,
  readOdds: oddsResponse,
  readLegal: legalResponse,
  readProfile: profileResponse,
  writeProfile: profileResponse,
  readMap: documentResponse,
  readOpenApi: documentResponse,
} as const satisfies Record<CallName, z.ZodType>
