/** Every call of the HTTP API: the one table behind the routes and the OpenAPI file. What is answered is in responses.ts. */

import type * as z from 'zod'
import type { ProblemWord } from './problems.ts'
import {
  commandRequest,
  eventsQuery,
  gameParams,
  gameQuery,
  invitationParams,
  listQuery,
  mapParams,
  noParams,
  noQuery,
  oddsQuery,
  openGameRequest,
  profileRequest,
} from './requests.ts'

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Parameters in braces. */
  readonly path: `/api/${string}`
  readonly summary: string
  /** Whether anybody may make it, without signing in. */
  readonly open: boolean
  readonly params: z.ZodType
  readonly query: z.ZodType
  /** null: it takes none. */
  readonly body: z.ZodType | null
  readonly status: 200 | 201
  /** The further media types it can answer in. */
  readonly alsoAs: readonly string[]
  /** What can go wrong beside a bad request, a missing token and faults of ours. */
  readonly problems: readonly ProblemWord[]
}

const USUAL = {
  open: false,
  params: noParams,
  query: noQuery,
  body: null,
  status: 200,
  alsoAs: [],
  problems: [],
} as const

function call<const C extends Partial<Call> & Pick<Call, 'method' | 'path' | 'summary'>>(given: C) {
  return { ...USUAL, ...given } as Omit<typeof USUAL, keyof C> & C
}

export const EXPORT_TYPE = 'application/x-ndjson'
export const CHRONICLE_TYPE = 'text/plain'

export const CALLS = {
  openGame: call({
    method: 'POST',
    path: '/api/games',
    summary: 'Open a game',
    body: openGameRequest,
    status: 201,
    problems: ['command-id-reused', 'too-often', 'outcome-unknown'],
  }),
  listGames: call({
    method: 'GET',
    path: '/api/games',
    summary: 'List your games, or the public ones that still gather',
    query: listQuery,
  }),
  previewInvitation: call({
    method: 'GET',
    path: '/api/invitations/{code}',
    summary: 'Look at the private game an invitation is for',
    params: invitationParams,
    problems: ['not-found'],
  }),
  giveCommand: call({
    method: 'POST',
    path: '/api/games/{id}/commands',
    summary: 'Give an order to a game',
    params: gameParams,
    body: commandRequest,
    problems: [
      'not-seated',
      'not-found',
      'overtaken',
      'history-rewound',
      'refused',
      'command-id-reused',
      'outcome-unknown',
    ],
  }),
  readGame: call({
    method: 'GET',
    path: '/api/games/{id}',
    summary: 'Look at a game, now or as it was',
    params: gameParams,
    query: gameQuery,
    problems: ['not-found'],
  }),
  readEvents: call({
    method: 'GET',
    path: '/api/games/{id}/events',
    summary: 'Read the log as you may see it: pages, the export for audits, or a chronicle for people',
    params: gameParams,
    query: eventsQuery,
    alsoAs: [EXPORT_TYPE, CHRONICLE_TYPE],
    problems: ['not-found'],
  }),
  auditGame: call({
    method: 'GET',
    path: '/api/games/{id}/audit',
    summary: 'Audit the log as you may see it: chain, dice, every decision',
    params: gameParams,
    alsoAs: [CHRONICLE_TYPE],
    problems: ['not-found', 'too-often'],
  }),
  readOdds: call({
    method: 'GET',
    path: '/api/games/{id}/odds',
    summary: 'Reckon exact odds',
    params: gameParams,
    query: oddsQuery,
    problems: ['not-found', 'refused'],
  }),
  readLegal: call({
    method: 'GET',
    path: '/api/games/{id}/legal',
    summary: 'Ask what you may do now',
    params: gameParams,
    problems: ['not-found'],
  }),
  readProfile: call({
    method: 'GET',
    path: '/api/me',
    summary: 'Read your name and time zone',
  }),
  writeProfile: call({
    method: 'PUT',
    path: '/api/me',
    summary: 'Change your name and time zone',
    body: profileRequest,
  }),
  readMap: call({
    method: 'GET',
    path: '/api/maps/{id}',
    summary: 'Fetch a map',
    open: true,
    params: mapParams,
    problems: ['not-found'],
  }),
  readOpenApi: call({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'Fetch this description',
    open: true,
  }),
} as const satisfies Record<string, Call>

export type CallName = keyof typeof CALLS
