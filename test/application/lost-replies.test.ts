/** The same order when the network between function and table fails: the log holds it once, and the sender learns how it went. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDynamoClient } from '../../functions/adapters/dynamodb/client.ts'
import { createDynamoEventStore } from '../../functions/adapters/dynamodb/event-store.ts'
import { createTableIfMissing, EVENTS_TABLE } from '../../functions/adapters/dynamodb/tables.ts'
import { waitingFor } from '../../shared/application/game-state.ts'
import { loadGame } from '../../shared/application/load-game.ts'
import { openGame } from '../../shared/application/open-game.ts'
import type { Person, Ports } from '../../shared/application/ports.ts'
import type { CommandId, GameId, Head } from '../../shared/event-store/commit.ts'
import { type Fault, type FaultProxy, SERVER_ERROR, startFaultProxy, THROTTLED } from '../support/fault-proxy.ts'
import { type LoopbackDynamo, startLoopbackDynamo } from '../support/loopback-dynamodb.ts'
import { anna, answered, bela, freshId, headOfGame, order, problemOf, startTally, testPorts } from '../support/play.ts'

let dynamo: LoopbackDynamo
let proxy: FaultProxy
let ports: Ports
let game: GameId
let seen: Head
let commandId: CommandId
/** Whose turn it is. */
let who: Person

beforeAll(async () => {
  dynamo = await startLoopbackDynamo()
  proxy = await startFaultProxy(dynamo.endpoint)
  const client = createDynamoClient({ endpoint: proxy.endpoint, requestTimeout: 200 })
  await createTableIfMissing(client, 'events', EVENTS_TABLE)
  ports = testPorts({ store: createDynamoEventStore({ client, table: 'events' }) })
})

afterAll(async () => {
  await proxy.stop()
  await dynamo.stop()
})

beforeEach(async () => {
  proxy.heal()
  game = await startTally(ports, [anna, bela])
  seen = await headOfGame(ports, game)
  const loaded = await loadGame(ports, game)
  who = [anna, bela][waitingFor(loaded!.rules, loaded!.state)[0]!.seat - 1]!
  commandId = freshId()
})

const greet = () => order(ports, game, anna, seen, { type: 'greet', seat: 2 }, { commandId })
const roll = () => order(ports, game, who, seen, { type: 'roll', dice: 3 }, { commandId })

const HARD: readonly (readonly [string, Fault])[] = [
  ['the reply is lost', 'lose-reply'],
  ['the reply comes after the timeout', { delayReply: 400 }],
  ['the answer is 500', SERVER_ERROR],
  ['the table throttles', THROTTLED],
  ['the request is lost', 'lose-request'],
]

describe.each(HARD)('when %s', (_, fault) => {
  test.each([
    ['rolls', roll],
    ['may be retried', greet],
  ])('once, an order that %s is played once and answered', async (_, give) => {
    proxy.next('PutItem', [fault])
    const first = answered(await give())
    expect(first.head.n).toBe(seen.n + 1)
    expect(await give()).toEqual(first)
    expect((await headOfGame(ports, game)).n).toBe(seen.n + 1)
  })

  test.each([
    ['rolls', roll],
    ['may be retried', greet],
  ])('every time, an order that %s is outcome-unknown, and sent again is played once', async (_, give) => {
    proxy.always('PutItem', fault)
    expect(problemOf(await give()).problem).toBe('outcome-unknown')
    proxy.heal()
    const second = answered(await give())
    expect(second.head.n).toBe(seen.n + 1)
    expect((await headOfGame(ports, game)).n).toBe(seen.n + 1)
  })
})

test('opening a game whose reply is lost every time, sent again, opens one game', async () => {
  const request = { kind: 'tally', options: {}, seats: 2, visibility: 'public' as const }
  const open = () => openGame(ports, { person: anna, commandId, request })
  proxy.always('PutItem', 'lose-reply')
  expect(problemOf(await open()).problem).toBe('outcome-unknown')
  proxy.heal()
  const opened = answered(await open())
  expect(opened.head.n).toBe(1)
  expect(await open()).toEqual(opened)
})

test('a fresh order costs two calls to the events table', async () => {
  proxy.recount()
  answered(await greet())
  expect(proxy.count('Query').received).toBe(1)
  expect(proxy.count('PutItem').received).toBe(1)
})
