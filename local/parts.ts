/** The functions and tables that this machine runs: the very ones of AWS, wired to its database. */

import type { DynamoDBRecord } from 'aws-lambda'
import { CHANGES_AWAITED } from '../functions/adapters/dynamodb/commit-codec.ts'
import { EVENTS_TABLE, READ_MODELS_TABLE } from '../functions/adapters/dynamodb/tables.ts'
import { createApi } from '../functions/api.ts'
import { createDependencies } from '../functions/dependencies.ts'
import { faultLine } from '../functions/log.ts'
import { createProjectCommits } from '../functions/project-commits.ts'
import { reconcile } from '../shared/application/project.ts'
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

/** The functions as they run on AWS, over the database of this machine. */
export const parts: Parts = {
  eventsTable: { TableName: 'events', ...EVENTS_TABLE },
  readModelsTable: { TableName: 'read-models', ...READ_MODELS_TABLE },
  passes: (record) => record.dynamodb?.NewImage?.[CHANGES_AWAITED]?.N === '1',
  firstGame: {
    commandId: 'my-first-game',
    kind: 'conquest',
    options: { map: 'small' },
    seats: 2,
    visibility: 'public',
  },
  async assemble({ dynamoEndpoint, region, eventsTable, readModelsTable, keyRing, clock }) {
    const dependencies = createDependencies({
      dynamoEndpoint,
      region,
      eventsTable,
      readModelsTable,
      keyRing,
      now: clock.now,
    })
    const { ports, readModels, log, close } = dependencies
    return {
      api: createApi(dependencies),
      projectCommits: createProjectCommits(dependencies),
      async reconcile() {
        const { failed } = await reconcile({ ...ports, rows: readModels })
        for (const { game, fault } of failed)
          log({ level: 'error', message: 'a game could not be reconciled', game, ...faultLine(fault) })
      },
      async close() {
        close()
      },
    }
  },
}
