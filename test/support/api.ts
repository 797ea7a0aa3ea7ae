/** The HTTP API in tests: the functions over DynamoDB in this process, called with API Gateway's events, and Tally for a game. */

import type { APIGatewayProxyEventV2WithJWTAuthorizer, DynamoDBRecord } from 'aws-lambda'
import { expect } from 'vitest'
import type * as z from 'zod'
import { createDynamoClient } from '../../functions/adapters/dynamodb/client.ts'
import { partitionOf } from '../../functions/adapters/dynamodb/commit-codec.ts'
import { createTableIfMissing, EVENTS_TABLE, READ_MODELS_TABLE } from '../../functions/adapters/dynamodb/tables.ts'
import { createApi } from '../../functions/api.ts'
import { createDependencies, type Dependencies } from '../../functions/dependencies.ts'
import { createProjectCommits } from '../../functions/project-commits.ts'
import type { GameId, Head, StoredCommit } from '../../shared/event-store/commit.ts'
import type { EventStore } from '../../shared/event-store/event-store.ts'
import { gamesOf } from '../../shared/games.ts'
import { CALLS, type Call, type CallName } from '../../shared/http-contract/calls.ts'
import { problemResponse, RESPONSES } from '../../shared/http-contract/responses.ts'
import { startLoopbackDynamo } from './loopback-dynamodb.ts'
import { freshId, TEST_RING } from './play.ts'
import { tally } from './tally-game.ts'

export interface Asked {
  /** Signed in as; null for nobody. */
  readonly as?: string | null
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is. */
  readonly raw?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export interface Told {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  readonly json: any
}

export interface TestApi {
  readonly dependencies: Dependencies
  readonly project: ReturnType<typeof createProjectCommits>
  readonly lines: Readonly<Record<string, unknown>>[]
  /** Units since the last look, by table and operation. */
  readonly units: Map<string, number>
  clock: number
  ask(method: string, url: string, asked?: Asked): Promise<Told>
  /** Signals of the commits appended since the last call, delivered to the projector. */
  deliver(): Promise<void>
  readonly signals: DynamoDBRecord[]
  stop(): Promise<void>
}

export const MAP = { territories: 3 }

/** An API over tables of its own; `store` in place of the events table. */
export async function startApi(given: { store?: EventStore } = {}): Promise<TestApi> {
  const dynamo = await startLoopbackDynamo()
  const client = createDynamoClient({ endpoint: dynamo.endpoint })
  await createTableIfMissing(client, 'events', EVENTS_TABLE)
  await createTableIfMissing(client, 'read-models', READ_MODELS_TABLE)
  const lines: Readonly<Record<string, unknown>>[] = []
  const units = new Map<string, number>()
  const signals: DynamoDBRecord[] = []
  let sequence = 0
  const made = createDependencies({
    dynamoEndpoint: dynamo.endpoint,
    eventsTable: 'events',
    readModelsTable: 'read-models',
    keyRing: TEST_RING,
    games: gamesOf([{ ...tally, maps: { 'three-fields': async () => MAP } }]),
    now: () => (test.clock += 1000),
    log: (line) => lines.push(line),
    onCapacity: (table, operation, count) => {
      const name = `${table} ${operation}`
      units.set(name, (units.get(name) ?? 0) + count)
    },
  })
  const behind = given.store ?? made.ports.store
  const store: EventStore = {
    readBackwards: (...read) => behind.readBackwards(...read),
    readForwards: (...read) => behind.readForwards(...read),
    async append(stored) {
      const appended = await behind.append(stored)
      if (appended === 'appended' && stored.changesAwaited) signals.push(signalOf(stored, ++sequence))
      return appended
    },
  }
  const dependencies = { ...made, ports: { ...made.ports, store } }
  const api = createApi(dependencies)
  const project = createProjectCommits(dependencies)

  const test: TestApi = {
    dependencies,
    project,
    lines,
    units,
    signals,
    clock: Date.UTC(2026, 11, 1),
    async ask(method, url, asked = {}) {
      const result = await api(eventOf(method, url, asked))
      const text = result.body ?? ''
      const headers = result.headers as Record<string, string>
      const json = headers['content-type']?.includes('json') && !text.includes('\n') ? JSON.parse(text) : undefined
      const told = { status: result.statusCode!, headers, text, json }
      checkShape(method, url, told)
      return told
    },
    async deliver() {
      const { batchItemFailures } = await project({ Records: signals.splice(0) })
      expect(batchItemFailures).toEqual([])
    },
    async stop() {
      made.close()
      client.destroy()
      await dynamo.stop()
    },
  }
  return test
}

/** A stream record of a commit. */
export function signalOf({ commit }: Pick<StoredCommit, 'commit'>, sequence: number): DynamoDBRecord {
  const Keys = { pk: { S: partitionOf(commit.game) }, n: { N: String(commit.n) } }
  return { eventName: 'INSERT', dynamodb: { Keys, SequenceNumber: String(sequence) } }
}

/** The event API Gateway would hand on. */
export function eventOf(method: string, url: string, asked: Asked): APIGatewayProxyEventV2WithJWTAuthorizer {
  const [rawPath = '', rawQueryString = ''] = url.split(/\?(.*)/s)
  const as = asked.as === undefined ? 'anna' : asked.as
  const raw = asked.raw ?? (asked.body === undefined ? undefined : JSON.stringify(asked.body))
  const body = raw === undefined ? {} : { body: Buffer.from(raw).toString('base64'), isBase64Encoded: true }
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: decodeURIComponent(rawPath),
    rawQueryString,
    headers: { ...(raw === undefined ? {} : { 'content-type': 'application/json' }), ...asked.headers },
    isBase64Encoded: false,
    ...body,
    requestContext: {
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test' },
      ...(as === null ? {} : { authorizer: { jwt: { claims: { sub: `subject-of-${as}`, name: as }, scopes: [] } } }),
    },
  } as unknown as APIGatewayProxyEventV2WithJWTAuthorizer
}

/** Every answer must be what the contract says of its call, whatever the test is about. */
function checkShape(method: string, url: string, { status, headers, json }: Told): void {
  if (status >= 400) {
    expect(headers['content-type']).toBe('application/problem+json')
    expect(problemResponse.parse(json).status).toBe(status)
    return
  }
  if (status === 304 || json === undefined) return
  const path = url.split('?', 1)[0]!
  const [name, call] = (Object.entries(CALLS) as [CallName, Call][]).find(
    ([, each]) => each.method === method && new RegExp(`^${each.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )!
  const response: z.ZodType = RESPONSES[name]
  expect(response.parse(json)).toEqual(json)
  expect(status).toBe(call.status)
}

/** Opens a game of Tally. */
export async function opened(
  api: TestApi,
  as: string,
  more: object = {},
): Promise<{ id: GameId; head: Head; told: Told }> {
  const told = await api.ask('POST', '/api/games', {
    as,
    body: { commandId: freshId(), kind: 'tally', options: { goal: 10_000 }, seats: 2, visibility: 'public', ...more },
  })
  expect(told.status, told.text).toBe(201)
  return { id: told.json.game.game, head: told.json.head, told }
}

/** Sends an order with a fresh id. */
export function ordered(
  api: TestApi,
  id: GameId,
  as: string,
  seen: Head,
  command: object,
  more: object = {},
): Promise<Told> {
  return api.ask('POST', `/api/games/${id}/commands`, { as, body: { commandId: freshId(), seen, command, ...more } })
}

/** A running game of two; whose turn it is comes first in `turn`. */
export async function running(api: TestApi, more: object = {}): Promise<{ id: GameId; head: Head; turn: string[] }> {
  const { id, head, told } = await opened(api, 'anna', more)
  const { invitation } = told.json
  const joined = await ordered(api, id, 'bela', head, { type: 'join' }, invitation ? { invitation } : {})
  expect(joined.status, joined.text).toBe(200)
  const sight = (await api.ask('GET', `/api/games/${id}`)).json
  const turn = sight.game.waitingFor[0].seat === 1 ? ['anna', 'bela'] : ['bela', 'anna']
  return { id, head: sight.head, turn }
}
