/** What the store costs: one call an append and a load, and the units and bytes of a long game against their budgets. */

import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDynamoClient } from '../../../functions/adapters/dynamodb/client.ts'
import { createDynamoEventStore, itemWithin } from '../../../functions/adapters/dynamodb/event-store.ts'
import { itemBytes } from '../../../functions/adapters/dynamodb/item-size.ts'
import { createTableIfMissing, EVENTS_TABLE } from '../../../functions/adapters/dynamodb/tables.ts'
import { NO_HEAD } from '../../../shared/event-store/chain.ts'
import type { StoredCommit } from '../../../shared/event-store/commit.ts'
import { CommitTooLarge, type EventStore, SNAPSHOT_EVERY } from '../../../shared/event-store/event-store.ts'
import { boardLog } from '../../support/board-log.ts'
import { counted, countedLog, freshGame, incompressible } from '../../support/counter-game.ts'
import { type LoopbackDynamo, startLoopbackDynamo } from '../../support/loopback-dynamodb.ts'

let dynamo: LoopbackDynamo
let client: DynamoDBClient
let store: EventStore
let calls: { operation: string; units: number }[] = []
let sent: unknown[] = []

beforeAll(async () => {
  dynamo = await startLoopbackDynamo()
  client = createDynamoClient({ endpoint: dynamo.endpoint })
  await createTableIfMissing(client, 'events', EVENTS_TABLE)
  client.middlewareStack.add(
    (next) => (call) => {
      sent.push(call.input)
      return next(call)
    },
    { step: 'initialize' },
  )
  store = createDynamoEventStore({
    client,
    table: 'events',
    onCapacity: (operation, units) => calls.push({ operation, units }),
  })
})

afterAll(async () => {
  client.destroy()
  await dynamo.stop()
})

const recount = () => {
  calls = []
  sent = []
}

it('appends by one PutItem that demands that there is no such commit', async () => {
  recount()
  const [first] = countedLog(freshGame(), 1)
  await store.append(first!)
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ TableName: 'events', ConditionExpression: 'attribute_not_exists(pk)' })
  expect(await store.append(first!)).toBe('taken')
  expect(sent).toHaveLength(2)
  expect(sent[1]).toMatchObject({ ConditionExpression: 'attribute_not_exists(pk)' })
})

it('sends nothing of a commit that is too large', async () => {
  recount()
  const commit = counted(freshGame(), NO_HEAD, 1, { command: { type: 'count', note: incompressible(100_000) } })
  await expect(store.append({ commit, snapshot: null, changesAwaited: false })).rejects.toBeInstanceOf(CommitTooLarge)
  const swollen = counted(freshGame(), NO_HEAD, 1, { command: { type: 'count', note: 'a'.repeat(1_100_000) } })
  await expect(store.append({ commit: swollen, snapshot: null, changesAwaited: false })).rejects.toThrow(
    'bytes of text',
  )
  expect(sent).toEqual([])
})

it('reads consistently, and the newest eight by one Query', async () => {
  const game = freshGame()
  for (const stored of countedLog(game, 20)) await store.append(stored)
  recount()
  await store.readBackwards(game, SNAPSHOT_EVERY)
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ ConsistentRead: true, ScanIndexForward: false, Limit: 8 })
  recount()
  await store.readForwards(game, 18, 8)
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ ConsistentRead: true, ScanIndexForward: true, Limit: 8 })
})

it('counts the bytes of an item as DynamoDB charges for them', async () => {
  const game = freshGame()
  const noted = (length: number): StoredCommit => ({
    commit: counted(game, NO_HEAD, 1, { command: { type: 'count', note: incompressible(length) } }),
    snapshot: null,
    changesAwaited: true,
  })
  const lengths = Array.from({ length: 1_500 }, (_, length) => length)
  const sizes = lengths.map((length) => itemBytes(itemWithin(noted(length))))
  for (const [limit, units] of [
    [1_024, 1],
    [1_025, 2],
  ] as const) {
    const length = lengths.find((each) => sizes[each] === limit)
    expect(length).toBeDefined()
    const answer = await client.send(
      new PutItemCommand({ TableName: 'events', Item: itemWithin(noted(length!)), ReturnConsumedCapacity: 'TOTAL' }),
    )
    expect(answer.ConsumedCapacity?.CapacityUnits).toBe(units)
  }
})

it('keeps a long game within its budgets', async () => {
  const game = freshGame()
  const log = boardLog(game, 200)
  const loads: number[] = []
  recount()
  for (const stored of log) {
    await store.append(stored)
    const before = calls.length
    await store.readBackwards(game, SNAPSHOT_EVERY)
    expect(calls).toHaveLength(before + 1)
    loads.push(calls.at(-1)!.units)
  }
  const writes = calls.filter(({ operation }) => operation === 'PutItem').map(({ units }) => units)
  const bytes = log.map((stored) => itemBytes(itemWithin({ ...stored, snapshot: null })))
  const snapshots = log
    .filter(({ snapshot }) => snapshot)
    .map((stored) => itemBytes(itemWithin(stored)) - itemBytes(itemWithin({ ...stored, snapshot: null })))
  const measured = {
    bytes: { median: median(bytes), most: Math.max(...bytes) },
    snapshotBytes: { median: median(snapshots), most: Math.max(...snapshots) },
    writeUnits: { median: median(writes), mean: sum(writes) / writes.length },
    readUnits: { median: median(loads), most: Math.max(...loads) },
  }
  expect(measured.bytes.median).toBeLessThanOrEqual(600)
  expect(measured.writeUnits.median).toBe(1)
  expect(measured.writeUnits.mean).toBeLessThanOrEqual(1.15)
  expect(measured.readUnits.most).toBeLessThanOrEqual(2)
})

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
}
