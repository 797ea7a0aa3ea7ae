/** The read models: kept up by signals that may come twice, out of order or never. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { DynamoDBRecord } from 'aws-lambda'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { projectGame, reconcile } from '../../shared/application/project.ts'
import { changesTo } from '../../shared/application/read-models.ts'
import type { GameId, Head } from '../../shared/event-store/commit.ts'
import { StoreUnavailable } from '../../shared/event-store/event-store.ts'
import { createMemoryEventStore } from '../../shared/event-store/memory-store.ts'
import { opened, ordered, running, startApi, type TestApi } from '../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.stop())
beforeEach(() => api.deliver())

const rows = () => ({ ...api.dependencies.ports, rows: api.dependencies.readModels })
const signalsOf = () => api.signals.splice(0)
const project = (Records: readonly DynamoDBRecord[]) => api.project({ Records: [...Records] })

interface Listed {
  game: GameId
  head: Head | null
  phase: string
  seatsTaken: number
}

/** All pages of a list. */
async function listed(show: 'mine' | 'open', as: string): Promise<Listed[]> {
  const games: Listed[] = []
  let url: string | null = `/api/games?show=${show}`
  while (url !== null) {
    const told = await api.ask('GET', url, { as })
    expect(told.status, told.text).toBe(200)
    games.push(...told.json.games)
    url = /<(.*)>; rel="next"/.exec(told.headers['link'] ?? '')?.[1] ?? null
  }
  return games
}
const inList = async (show: 'mine' | 'open', as: string, game: GameId) =>
  (await listed(show, as)).find((each) => each.game === game)

async function expectAgreement(id: GameId): Promise<void> {
  const { json } = await api.ask('GET', `/api/games/${id}`)
  expect(await inList('mine', 'anna', id)).toMatchObject({
    head: json.game.phase === 'running' ? null : json.head,
    phase: json.game.phase,
    waitingFor: json.game.waitingFor,
    seatsTaken: json.game.seatsTaken,
    names: json.names,
    you: json.game.you,
  })
}

test('a game enters the lobby when opened and leaves it when it starts', async () => {
  const { id, head } = await opened(api, 'anna')
  expect(await inList('open', 'cleo', id)).toBeUndefined()
  await api.deliver()
  expect(await inList('open', 'cleo', id)).toMatchObject({ names: ['anna'], you: null, phase: 'gathering' })
  await ordered(api, id, 'bela', head, { type: 'join' })
  await api.deliver()
  expect(await inList('open', 'cleo', id)).toBeUndefined()
  expect(await inList('mine', 'bela', id)).toMatchObject({ phase: 'running', you: 2 })
  const row = await api.dependencies.readModels.rowOf(id)
  expect(row!.startedAt).toBeGreaterThan(row!.openedAt)
  await expectAgreement(id)
})

test('who leaves a game loses it from the list; who comes back has it again', async () => {
  const { id, head } = await opened(api, 'anna', { seats: 4 })
  const joined = await ordered(api, id, 'bela', head, { type: 'join' })
  await api.deliver()
  const left = await ordered(api, id, 'bela', joined.json.head, { type: 'leave' })
  await api.deliver()
  expect(await inList('mine', 'bela', id)).toBeUndefined()
  const back = await ordered(api, id, 'bela', left.json.head, { type: 'join' })
  await api.deliver()
  expect(await inList('mine', 'bela', id)).toBeDefined()
  const again = await ordered(api, id, 'bela', back.json.head, { type: 'leave' })
  await ordered(api, id, 'anna', again.json.head, { type: 'leave' })
  await api.deliver()
  expect(await inList('open', 'cleo', id)).toBeUndefined()
  expect((await api.dependencies.readModels.rowOf(id))?.phase).toBe('closed')
})

test('signals twice, backwards and one by one come to the same rows', async () => {
  const { id, head, turn } = await running(api)
  const next = await ordered(api, id, turn[0]!, head, { type: 'roll' })
  await ordered(api, id, turn[1]!, next.json.head, { type: 'stash' })
  const signals = signalsOf()
  await project([...signals].reverse())
  const row = await api.dependencies.readModels.rowOf(id)
  for (const signal of [...signals, ...signals]) expect(await project([signal])).toEqual({ batchItemFailures: [] })
  expect(await api.dependencies.readModels.rowOf(id)).toEqual(row)
  await expectAgreement(id)
})

test('a lost signal is made good by the next, and without a next by reconciling', async () => {
  const { id, head, turn } = await running(api)
  signalsOf()
  expect(await inList('mine', 'anna', id)).toBeUndefined()
  const first = await reconcile(rows())
  expect(first.mended).toEqual([id])
  expect(first.failed).toEqual([])
  await expectAgreement(id)
  const next = await ordered(api, id, turn[0]!, head, { type: 'roll' })
  signalsOf()
  await ordered(api, id, turn[1]!, next.json.head, { type: 'roll' })
  await api.deliver()
  await expectAgreement(id)
  expect((await reconcile(rows())).mended).toEqual([])
})

test('a game that has ended is looked at no more; an opening that came to nothing is given up after a day', async () => {
  const { id, head, turn } = await running(api, { options: { goal: 1 } })
  await ordered(api, id, turn[0]!, head, { type: 'roll' })
  signalsOf()
  const { readModels, ports } = api.dependencies
  const nothing = 'z'.repeat(20) as GameId
  await readModels.bind(nothing, '0'.repeat(32) as never, { subject: 'nobody', name: 'nobody' }, true)
  expect((await reconcile(rows())).mended).toEqual([id])
  const unfinished = async () => {
    const games: GameId[] = []
    for await (const { game } of readModels.unfinished()) games.push(game)
    return games
  }
  expect(await unfinished()).not.toContain(id)
  expect(await unfinished()).toContain(nothing)
  await reconcile({ ...rows(), now: () => ports.now() + 25 * 3600 * 1000 })
  expect(await unfinished()).not.toContain(nothing)
})

test('a full game whose start was lost is started', async () => {
  const { append } = api.dependencies.ports.store
  const { id, head } = await opened(api, 'anna')
  let appended = 0
  const store = api.dependencies.ports.store as { append: typeof append }
  store.append = async (stored) => {
    if (stored.commit.by === 'server' && appended++ === 0) throw new StoreUnavailable('lost')
    return append(stored)
  }
  const joined = await ordered(api, id, 'bela', head, { type: 'join' })
  expect(joined.status, joined.text).toBe(200)
  store.append = append
  expect((await api.ask('GET', `/api/games/${id}`)).json.game.phase).toBe('gathering')
  await api.deliver()
  expect((await api.ask('GET', `/api/games/${id}`)).json.game.phase).toBe('running')
  await api.deliver()
  await expectAgreement(id)
})

test('one failing game is named and stops no other', async () => {
  const [one, two, three] = [await opened(api, 'anna'), await opened(api, 'anna'), await opened(api, 'anna')]
  const store = api.dependencies.ports.store as { readBackwards: typeof api.dependencies.ports.store.readBackwards }
  const { readBackwards } = store
  store.readBackwards = async (game, ...more) => {
    if (game === two!.id) throw new StoreUnavailable('secret-address:443')
    return readBackwards(game, ...more)
  }
  const signals = signalsOf()
  const strange = { eventName: 'INSERT', dynamodb: { Keys: { pk: { S: 'x' } }, SequenceNumber: '0' } } as DynamoDBRecord
  const result = await project([strange, ...signals])
  store.readBackwards = readBackwards
  expect(result.batchItemFailures).toEqual([{ itemIdentifier: signals[1]!.dynamodb!.SequenceNumber }])
  for (const { id } of [one!, three!]) await expectAgreement(id)
  expect(await inList('mine', 'anna', two!.id)).toBeUndefined()
  expect(api.lines).toMatchObject([{ message: expect.any(String) }, { game: two!.id, fault: 'StoreUnavailable' }])
  api.lines.splice(0)
  expect(await project([signals[1]!])).toEqual({ batchItemFailures: [] })
  await expectAgreement(two!.id)
})

test('an altered record is written down', async () => {
  await project([{ eventName: 'MODIFY', dynamodb: { Keys: { pk: { S: 'x' } }, SequenceNumber: '1' } }])
  expect(api.lines.splice(0)[0]).toMatchObject({ message: 'the log was altered', eventName: 'MODIFY' })
})

test('an older row never replaces a newer one, and a signal of a commit that is not there comes again', async () => {
  const { id, head, turn } = await running(api)
  await api.deliver()
  const { readModels } = api.dependencies
  const old = (await readModels.rowOf(id))!
  await ordered(api, id, turn[0]!, head, { type: 'roll' })
  const [signal] = api.signals
  await api.deliver()
  const newer = await readModels.rowOf(id)
  expect(await readModels.save(old, changesTo(old, old))).toBe('older')
  expect(await readModels.rowOf(id)).toEqual(newer)
  const ahead = { ...signal!, dynamodb: { ...signal!.dynamodb, Keys: { ...signal!.dynamodb!.Keys, n: { N: '99' } } } }
  expect((await project([ahead])).batchItemFailures).toHaveLength(1)
  api.lines.splice(0)
})

test('a projector that loses a race against a newer one makes good what it wrote', async () => {
  const { id, head } = await opened(api, 'anna', { seats: 4 })
  const joined = await ordered(api, id, 'bela', head, { type: 'join' })
  signalsOf()
  const { readModels, ports } = api.dependencies
  let raced = false
  const slow = {
    ...readModels,
    async save(...[row, changes]: Parameters<typeof readModels.save>) {
      if (!raced) {
        raced = true
        await ordered(api, id, 'bela', joined.json.head, { type: 'leave' })
        await api.deliver()
        expect(row.n).toBe(2)
      }
      return readModels.save(row, changes)
    },
  }
  await projectGame({ ...ports, rows: slow }, id, 2)
  expect((await readModels.rowOf(id))?.n).toBe(3)
  expect((await readModels.gamesOf('subject-of-bela', null, 100)).rows.map(({ row }) => row.game)).not.toContain(id)
  await expectAgreement(id)
})

describe('pages', () => {
  test('every game once, in the order of the list; a cursor is good for its person and list alone', async () => {
    const ids: GameId[] = []
    for (let count = 0; count < 60; count += 1) {
      if (count % 20 === 0) api.clock += 24 * 3600 * 1000
      ids.push((await opened(api, 'emil')).id)
    }
    await api.deliver()
    const mine = (await listed('mine', 'emil')).map(({ game }) => game)
    expect([...mine].sort()).toEqual([...ids].sort())
    const lobby = (await listed('open', 'cleo')).map(({ game }) => game)
    expect(lobby.filter((game) => ids.includes(game))).toEqual([...ids].reverse())
    const { next } = (await api.ask('GET', '/api/games?show=mine', { as: 'emil' })).json
    for (const [show, as] of [
      ['mine', 'anna'],
      ['open', 'emil'],
    ] as const) {
      const told = await api.ask('GET', `/api/games?show=${show}&cursor=${next}`, { as })
      expect([told.status, told.json.path]).toEqual([400, 'cursor'])
    }
  })

  test('a commander may open a hundred games a day', async () => {
    for (let count = 0; count < 100; count += 1) await opened(api, 'gina')
    const body = { commandId: 'one-too-many', kind: 'tally', seats: 2, visibility: 'public' }
    const told = await api.ask('POST', '/api/games', { as: 'gina', body })
    expect([told.status, told.json.type]).toEqual([429, '/problems/too-often'])
    expect(Number(told.headers['retry-after'])).toBeLessThanOrEqual(24 * 3600)
    api.clock += 24 * 3600 * 1000
    expect((await api.ask('POST', '/api/games', { as: 'gina', body })).status).toBe(201)
  })
})

test('no call scans a table', async () => {
  const { send } = DynamoDBClient.prototype
  const sent = new Set<string>()
  const watched = vi.spyOn(DynamoDBClient.prototype, 'send').mockImplementation(function (this: DynamoDBClient, ...of) {
    sent.add(of[0].constructor.name)
    return send.apply(this, of as never) as never
  })
  const { id } = await running(api)
  await api.deliver()
  await reconcile(rows())
  for (const url of ['?show=mine', '?show=open', `/${id}`, `/${id}/events`, `/${id}/legal`, `/${id}/odds?need=2`])
    expect((await api.ask('GET', `/api/games${url}`)).status).toBe(200)
  await api.ask('GET', '/api/me')
  await api.ask('PUT', '/api/me', { body: { name: 'anna', timeZone: 'UTC' } })
  watched.mockRestore()
  expect([...sent].sort()).toEqual([
    'BatchGetItemCommand',
    'DeleteItemCommand',
    'GetItemCommand',
    'PutItemCommand',
    'QueryCommand',
    'UpdateItemCommand',
  ])
})

describe('what it costs', () => {
  test('a change of turn: one write unit; an order that leaves the turn: none', async () => {
    const { id, head, turn } = await running(api)
    await api.deliver()
    let seen = head
    for (let count = 0; count < 10; count += 1) {
      api.units.clear()
      const told = await ordered(api, id, turn[count % 2]!, seen, { type: 'roll' })
      const calls = [...api.units]
      expect(calls).toEqual([
        ['events Query', expect.any(Number)],
        ['events PutItem', 1],
      ])
      api.units.clear()
      await api.deliver()
      expect(api.units.get('read-models PutItem')).toBe(1)
      expect([...api.units.keys()].sort()).toEqual(['events Query', 'read-models GetItem', 'read-models PutItem'])
      seen = told.json.head
    }
    api.units.clear()
    await ordered(api, id, turn[0]!, seen, { type: 'greet', seat: 1 })
    expect(api.signals).toEqual([])
    await expectAgreementBehind(id)
  })

  /** An order that changes nothing of the turn leaves the row at the commit before. */
  async function expectAgreementBehind(id: GameId): Promise<void> {
    const { json } = await api.ask('GET', `/api/games/${id}`)
    expect(await inList('mine', 'anna', id)).toMatchObject({ phase: json.game.phase, waitingFor: json.game.waitingFor })
  }
})

test('faults of the stores are 503 or 500, and tell nothing', async () => {
  const other = await startApi({ store: createMemoryEventStore() })
  const { id } = await opened(other, 'anna')
  const store = other.dependencies.ports.store as unknown as { readBackwards: () => Promise<never> }
  store.readBackwards = async () => {
    throw new StoreUnavailable('the events table could not be read')
  }
  const unavailable = await other.ask('GET', `/api/games/${id}`)
  expect([unavailable.status, unavailable.headers['retry-after']]).toEqual([503, '2'])
  store.readBackwards = async () => {
    throw new Error('key 5a5a5a5a at 10.0.0.7')
  }
  const internal = await other.ask('GET', `/api/games/${id}`)
  expect([internal.status, internal.json.type]).toEqual([500, '/problems/internal'])
  expect(internal.text + JSON.stringify(other.lines)).not.toMatch(/5a5a|10\.0\.0\.7/)
  expect(other.lines).toHaveLength(2)
  await other.stop()
})
