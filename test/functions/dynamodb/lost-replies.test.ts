/** What the store says when the network or DynamoDB fails, and that the log holds exactly one commit whatever it says. */

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createDynamoClient } from '../../../functions/adapters/dynamodb/client.ts'
import { createDynamoEventStore } from '../../../functions/adapters/dynamodb/event-store.ts'
import { createTableIfMissing, EVENTS_TABLE } from '../../../functions/adapters/dynamodb/tables.ts'
import type { StoredCommit } from '../../../shared/event-store/commit.ts'
import { type EventStore, OutcomeUnknown, StoreUnavailable } from '../../../shared/event-store/event-store.ts'
import { countedLog, freshGame } from '../../support/counter-game.ts'
import { type Fault, type FaultProxy, SERVER_ERROR, startFaultProxy, THROTTLED } from '../../support/fault-proxy.ts'
import { type LoopbackDynamo, startLoopbackDynamo } from '../../support/loopback-dynamodb.ts'

let dynamo: LoopbackDynamo
let proxy: FaultProxy
let direct: DynamoDBClient
let client: DynamoDBClient
let patient: DynamoDBClient
let store: EventStore
/** Reads past the proxy. */
let truth: EventStore

beforeAll(async () => {
  dynamo = await startLoopbackDynamo()
  proxy = await startFaultProxy(dynamo.endpoint)
  direct = createDynamoClient({ endpoint: dynamo.endpoint })
  client = createDynamoClient({ endpoint: proxy.endpoint, requestTimeout: 150 })
  patient = createDynamoClient({ endpoint: proxy.endpoint })
  await createTableIfMissing(direct, 'events', EVENTS_TABLE)
  store = createDynamoEventStore({ client, table: 'events' })
  truth = createDynamoEventStore({ client: direct, table: 'events' })
})

afterEach(() => {
  proxy.heal()
  proxy.recount()
})

afterAll(async () => {
  for (const each of [client, patient, direct]) each.destroy()
  await proxy.stop()
  await dynamo.stop()
})

const second = async (): Promise<StoredCommit> => {
  const [first, next] = countedLog(freshGame(), 2)
  await truth.append(first!)
  return next!
}
const logOf = async ({ commit }: StoredCommit) =>
  (await truth.readForwards(commit.game, 1, 8)).map((each) => each.commit)

describe('an append whose first try fails', () => {
  it.each<[string, Fault, 'appended' | 'taken', number]>([
    ['its reply is lost', 'lose-reply', 'taken', 2],
    ['it never arrives', 'lose-request', 'appended', 1],
    ['its reply comes too late', { delayReply: 400 }, 'taken', 2],
    ['a server error', SERVER_ERROR, 'appended', 1],
    ['throttling', THROTTLED, 'appended', 1],
  ])('%s', async (_, fault, outcome, forwarded) => {
    const stored = await second()
    proxy.next('PutItem', [fault])
    expect(await store.append(stored)).toBe(outcome)
    expect(proxy.count('PutItem')).toEqual({ received: 2, forwarded })
    expect(await logOf(stored)).toEqual([stored.commit])
  })

  it('its reply is lost twice', async () => {
    const stored = await second()
    proxy.next('PutItem', ['lose-reply', 'lose-reply'])
    expect(await store.append(stored)).toBe('taken')
    expect(await logOf(stored)).toEqual([stored.commit])
  })

  it('hangs longer than the usual time for an attempt', async () => {
    const stored = await second()
    proxy.next('PutItem', [{ delayReply: 10_000 }])
    expect(await createDynamoEventStore({ client: patient, table: 'events' }).append(stored)).toBe('taken')
    expect(await logOf(stored)).toEqual([stored.commit])
  })
})

describe('an append all of whose tries fail has an unknown outcome, and sending it again finds out', () => {
  it.each<[string, Fault, 'appended' | 'taken']>([
    ['replies are lost', 'lose-reply', 'taken'],
    ['nothing arrives', 'lose-request', 'appended'],
    ['replies come too late', { delayReply: 400 }, 'taken'],
    ['server errors', SERVER_ERROR, 'appended'],
    ['an error without a known name', { status: 503, exception: 'ServiceUnavailable' }, 'appended'],
    ['throttling', THROTTLED, 'appended'],
  ])('%s', async (_, fault, again) => {
    const stored = await second()
    proxy.always('PutItem', fault)
    await expect(store.append(stored)).rejects.toBeInstanceOf(OutcomeUnknown)
    expect(proxy.count('PutItem').received).toBe(3)
    expect(await logOf(stored)).toEqual(again === 'taken' ? [stored.commit] : [])
    proxy.heal()
    expect(await store.append(stored)).toBe(again)
    expect(await store.append(stored)).toBe('taken')
    expect(await logOf(stored)).toEqual([stored.commit])
  })

  it('a request arrives after its sender gave up', async () => {
    const stored = await second()
    proxy.always('PutItem', { delayRequest: 700 })
    await expect(store.append(stored)).rejects.toBeInstanceOf(OutcomeUnknown)
    proxy.heal()
    await expect.poll(() => logOf(stored), { timeout: 10_000 }).toEqual([stored.commit])
    expect(await store.append(stored)).toBe('taken')
  })

  it('names the commit, and keeps the cause', async () => {
    const stored = await second()
    proxy.always('PutItem', SERVER_ERROR)
    const error = await store.append(stored).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'OutcomeUnknown', cause: { name: 'InternalServerError' } })
    expect((error as Error).message).toContain(`commit 2 of ${stored.commit.game}`)
  })

  it('only faults of the events table count', async () => {
    const stored = await second()
    proxy.always('PutItem', 'lose-reply', 'read-models')
    expect(await store.append(stored)).toBe('appended')
  })
})

describe('a read', () => {
  const faults: [string, Fault][] = [
    ['its reply is lost', 'lose-reply'],
    ['it never arrives', 'lose-request'],
    ['its reply comes too late', { delayReply: 400 }],
    ['a server error', SERVER_ERROR],
    ['throttling', THROTTLED],
  ]

  it.each(faults)('is made again: %s', async (_, fault) => {
    const stored = await second()
    proxy.next('Query', [fault])
    expect((await store.readBackwards(stored.commit.game, 8)).map(({ commit }) => commit.n)).toEqual([1])
    expect(proxy.count('Query').received).toBe(2)
  })

  it.each(faults)('says when the store is unavailable: %s', async (_, fault) => {
    const stored = await second()
    proxy.always('Query', fault)
    await expect(store.readBackwards(stored.commit.game, 8)).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(store.readForwards(stored.commit.game, 0, 8)).rejects.toBeInstanceOf(StoreUnavailable)
  })
})

describe('faults of the program are no outage', () => {
  it.each(['ResourceNotFoundException', 'ValidationException', 'AccessDeniedException', 'UnrecognizedClientException'])(
    '%s is thrown as it is, at once',
    async (exception) => {
      const stored = await second()
      proxy.always('PutItem', { status: 400, exception })
      proxy.always('Query', { status: 400, exception })
      await expect(store.append(stored)).rejects.toMatchObject({ name: exception })
      await expect(store.readBackwards(stored.commit.game, 8)).rejects.toMatchObject({ name: exception })
      expect(proxy.count('PutItem').received).toBe(1)
      expect(await logOf(stored)).toEqual([])
    },
  )

  it('a table that is not there', async () => {
    const elsewhere = createDynamoEventStore({ client: direct, table: 'nowhere' })
    await expect(elsewhere.append(await second())).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
    await expect(elsewhere.readBackwards(freshGame(), 8)).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  })

  it('an endpoint that nobody answers is an outage', async () => {
    const dead = createDynamoClient({ endpoint: 'http://127.0.0.1:9' })
    const nobody = createDynamoEventStore({ client: dead, table: 'events' })
    await expect(nobody.append(await second())).rejects.toBeInstanceOf(OutcomeUnknown)
    await expect(nobody.readForwards(freshGame(), 0, 8)).rejects.toBeInstanceOf(StoreUnavailable)
    dead.destroy()
  })
})
