/** Clients and adapters, made once a container. */

import { setTimeout } from 'node:timers/promises'
import type { Games, Ports } from '../shared/application/ports.ts'
import type { ReadModels } from '../shared/application/read-models.ts'
import { createWarmGames } from '../shared/application/warm-games.ts'
import type { KeyRing } from '../shared/fair-dice/key-ring.ts'
import { games } from '../shared/games.ts'
import { createDynamoClient } from './adapters/dynamodb/client.ts'
import { createDynamoEventStore } from './adapters/dynamodb/event-store.ts'
import { createDynamoReadModels } from './adapters/dynamodb/read-models.ts'
import { type Log, logToStderr } from './log.ts'

export interface DependencySettings {
  /** Another endpoint that answers as DynamoDB does. */
  readonly dynamoEndpoint?: string
  readonly region?: string
  readonly eventsTable: string
  readonly readModelsTable: string
  readonly keyRing: KeyRing
  /** ms since 1970. */
  readonly now: () => number
  readonly onCapacity?: (table: 'events' | 'read-models', operation: string, units: number) => void
  /** Other games than those of this code: for tests. */
  readonly games?: Games
  readonly log?: Log
}

export interface Dependencies {
  readonly ports: Ports
  readonly readModels: ReadModels
  readonly log: Log
  close(): void
}

/** Games kept at hand by a container: some 20 KB each. */
const MOST_WARM_GAMES = 64

/** All that the functions need. The caller ends it with `close`. */
export function createDependencies(settings: DependencySettings): Dependencies {
  const { dynamoEndpoint, region, keyRing, now, onCapacity } = settings
  const client = createDynamoClient({
    ...(dynamoEndpoint === undefined ? {} : { endpoint: dynamoEndpoint }),
    ...(region === undefined ? {} : { region }),
  })
  const readModels = createDynamoReadModels({
    client,
    table: settings.readModelsTable,
    now,
    onCapacity: (operation, units) => onCapacity?.('read-models', operation, units),
  })
  const store = createDynamoEventStore({
    client,
    table: settings.eventsTable,
    onCapacity: (operation, units) => onCapacity?.('events', operation, units),
  })
  const pause = (ms: number) => setTimeout(Math.random() * ms)
  return {
    ports: {
      store,
      games: settings.games ?? games,
      keyRing,
      members: readModels,
      allowance: readModels,
      warm: createWarmGames(MOST_WARM_GAMES),
      now,
      pause,
    },
    readModels,
    log: settings.log ?? logToStderr,
    close: () => client.destroy(),
  }
}

/**
 * What a container on AWS is told by its environment, with the master keys fetched from the secret named there.
 * Throws an Error that names what is missing, never its value; MasterKeysUnavailable, MalformedKeyRing.
 */
export async function dependenciesFromEnvironment(environment: NodeJS.ProcessEnv): Promise<Dependencies> {
  const need = (name: string) => {
    const value = environment[name]
    if (value === undefined || value === '') throw new Error(`the environment has no ${name}`)
    return value
  }
  const eventsTable = need('EVENTS_TABLE')
  const readModelsTable = need('READ_MODELS_TABLE')
  const secretId = need('MASTER_KEYS_SECRET')
  // Loaded here alone: one machine keeps its keys in a file and has no use for this client.
  const { readMasterKeys } = await import('./adapters/secrets-manager/master-keys.ts')
  return createDependencies({ eventsTable, readModelsTable, keyRing: await readMasterKeys(secretId), now: Date.now })
}

/** Makes something at the first call and keeps it for all later ones. A failure is not kept: the next call tries again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((fault) => {
      made = undefined
      throw fault
    })
    return made
  }
}
