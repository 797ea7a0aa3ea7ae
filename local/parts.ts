/** The functions and tables that this machine runs: the very ones of AWS, wired to its database. */

import type { DynamoDBRecord } from 'aws-lambda'
import type { KeyRing } from '../shared/fair-dice/key-ring.ts'
import type { ApiFunction } from './api-event.ts'
import type { Clock } from './clock.ts'
import type { Table } from './embedded-dynamodb.ts'
import type { StreamFunction } from './stream.ts'

/** What the functions are made from. */
export interface World {
  readonly dynamoEndpoint: string
  readonly region: string
  readonly eventsTable: string
  readonly readModelsTable: string
  readonly keyRing: KeyRing
  readonly clock: Clock
}

export interface Functions {
  readonly api: ApiFunction
  readonly projectCommits: StreamFunction
  /** Brings the read models up to the logs, wherever a signal has been missed. */
  reconcile(): Promise<void>
  close(): Promise<void>
}

export interface Parts {
  readonly eventsTable: Table
  readonly readModelsTable: Table
  /** The stream's filter. */
  passes(record: DynamoDBRecord): boolean
  assemble(world: World): Promise<Functions>
  /** The body of a first `POST /api/games`, shown at the start. */
  readonly firstGame: object
}

const key = (attribute: string, type: 'S' | 'N', role: 'HASH' | 'RANGE') => ({ attribute, type, role })

function table(name: string, ...keys: readonly ReturnType<typeof key>[]): Table {
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: keys.map(({ attribute, type }) => ({ AttributeName: attribute, AttributeType: type })),
    KeySchema: keys.map(({ attribute, role }) => ({ AttributeName: attribute, KeyType: role })),
  }
}

/** Until the functions are there, a stand-in that answers every call with 503. */
export const parts: Parts = {
  eventsTable: table('events', key('pk', 'S', 'HASH'), key('n', 'N', 'RANGE')),
  readModelsTable: table('read-models', key('pk', 'S', 'HASH'), key('sk', 'S', 'RANGE')),
  passes: () => true,
  firstGame: { kind: 'conquest' },
  assemble: async () => ({
    api: async () => ({
      statusCode: 503,
      body: '{"message":"Service Unavailable"}',
      headers: { 'content-type': 'application/json' },
    }),
    projectCommits: async () => ({ batchItemFailures: [] }),
    reconcile: async () => {},
    close: async () => {},
  }),
}
