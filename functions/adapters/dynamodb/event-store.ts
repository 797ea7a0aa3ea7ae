/** The event store in DynamoDB. Nothing else sends PutItem to the events table: its condition is what keeps the log append-only. */

import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  DynamoDBServiceException,
  PutItemCommand,
  type PutItemCommandInput,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb'
import type { GameId, StoredCommit } from '../../../shared/event-store/commit.ts'
import {
  CommitTooLarge,
  type EventStore,
  MOST_COMMIT_BYTES,
  OutcomeUnknown,
  StoreUnavailable,
} from '../../../shared/event-store/event-store.ts'
import { decodeCommit, encodeCommit, encodeSnapshot, PARTITION_KEY, partitionOf, SORT_KEY } from './commit-codec.ts'
import { type Item, itemBytes } from './item-size.ts'

export interface DynamoEventStoreSettings {
  readonly client: DynamoDBClient
  /** Name of the events table. */
  readonly table: string
  /** Told the capacity units of every answered call. A failed condition consumes units too, but is not told. */
  readonly onCapacity?: (operation: 'Query' | 'PutItem', units: number) => void
}

const PAGE_BYTES = 1024 * 1024

/** The port over one table. Errors that speak of the program or its rights (a missing table, access denied) are thrown as the SDK gives them. */
export function createDynamoEventStore({ client, table, onCapacity }: DynamoEventStoreSettings): EventStore {
  /** Items of a game by number, from one Query or, past 1 MB, more: until `limit` items or `mostBytes` have come. */
  async function query(game: GameId, range: Range, limit: number, mostBytes: number): Promise<StoredCommit[]> {
    const commits: StoredCommit[] = []
    let bytes = 0
    let start: Item | undefined
    if (limit < 1) return commits
    do {
      const page = await onQuery(rangeQuery(table, game, range, limit - commits.length, start))
      for (const item of page.Items ?? []) {
        commits.push(decodeCommit(item))
        bytes += itemBytes(item)
      }
      start = page.LastEvaluatedKey
    } while (start && commits.length < limit && bytes < mostBytes)
    return commits
  }

  async function onQuery(input: QueryCommandInput) {
    try {
      const page = await client.send(new QueryCommand(input))
      onCapacity?.('Query', page.ConsumedCapacity?.CapacityUnits ?? 0)
      return page
    } catch (error) {
      if (isOfTheProgram(error)) throw error
      throw new StoreUnavailable(`the events table could not be read: ${nameOf(error)}`, { cause: error })
    }
  }

  return {
    readBackwards: (game, limit, upTo) => query(game, { upTo }, limit, Number.POSITIVE_INFINITY),

    readForwards: (game, after, limit) => query(game, { after }, limit, PAGE_BYTES),

    async append(stored) {
      const item = itemWithin(stored)
      try {
        const answer = await client.send(new PutItemCommand(appendOf(table, item)))
        onCapacity?.('PutItem', answer.ConsumedCapacity?.CapacityUnits ?? 0)
        return 'appended'
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return 'taken'
        if (isOfTheProgram(error)) throw error
        const { n, game } = stored.commit
        throw new OutcomeUnknown(`commit ${n} of ${game} may or may not be written: ${nameOf(error)}`, { cause: error })
      }
    },
  }
}

/** The item with its snapshot, or without if that would break the limit. Throws CommitTooLarge. */
export function itemWithin(stored: StoredCommit): Item {
  const item = encodeCommit(stored)
  const bytes = itemBytes(item)
  if (bytes > MOST_COMMIT_BYTES) {
    const { n, game } = stored.commit
    throw new CommitTooLarge(`commit ${n} of ${game} has ${bytes} bytes, more than ${MOST_COMMIT_BYTES}`)
  }
  if (!stored.snapshot) return item
  const snapshot = encodeSnapshot(stored.snapshot)
  return bytes + itemBytes(snapshot) > MOST_COMMIT_BYTES ? item : { ...item, ...snapshot }
}

type Range = { readonly upTo: number | undefined } | { readonly after: number }

function appendOf(table: string, item: Item): PutItemCommandInput {
  return {
    TableName: table,
    Item: item,
    ConditionExpression: `attribute_not_exists(${PARTITION_KEY})`,
    ReturnConsumedCapacity: 'TOTAL',
  }
}

function rangeQuery(
  table: string,
  game: GameId,
  range: Range,
  limit: number,
  start: Item | undefined,
): QueryCommandInput {
  const forwards = 'after' in range
  const bound = forwards ? range.after : range.upTo
  return {
    TableName: table,
    KeyConditionExpression: `${PARTITION_KEY} = :game${bound === undefined ? '' : ` AND ${SORT_KEY} ${forwards ? '>' : '<='} :bound`}`,
    ExpressionAttributeValues: {
      ':game': { S: partitionOf(game) },
      ...(bound === undefined ? {} : { ':bound': { N: String(bound) } }),
    },
    ConsistentRead: true,
    ScanIndexForward: forwards,
    Limit: limit,
    ReturnConsumedCapacity: 'TOTAL',
    ...(start ? { ExclusiveStartKey: start } : {}),
  }
}

/** Whether the request itself was at fault, so that sending it again would not help and nothing was written. */
export function isOfTheProgram(error: unknown): boolean {
  if (!(error instanceof Error)) return true
  if (error instanceof DynamoDBServiceException) {
    const status = error.$metadata.httpStatusCode ?? 500
    return status >= 400 && status < 500 && !THROTTLED.has(error.name)
  }
  return error instanceof TypeError || error instanceof RangeError || error.name === 'CredentialsProviderError'
}

const THROTTLED = new Set([
  'ProvisionedThroughputExceededException',
  'ReplicatedWriteConflictException',
  'RequestLimitExceeded',
  'RequestTimeout',
  'ThrottledException',
  'ThrottlingException',
  'TooManyRequestsException',
  'TransactionInProgressException',
])

export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : String(error)
}
