import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMemoryEventStore } from '../../shared/event-store/memory-store.ts'
import { MAP, opened, ordered, running, startApi, type TestApi } from '../support/api.ts'

describe.each([
  ['in DynamoDB', () => ({})],
  ['in memory', () => ({ store: createMemoryEventStore() })],
])('calls over an event store %s', (_, given) => {
  let api: TestApi
  beforeAll(async () => {
    api = await startApi(given())
  })
  afterAll(() => api.stop())

  test('a game from opening to the end', async () => {
    const { id, head, turn } = await running(api, { options: { goal: 12 } })
    let seen = head
    let at = 0
    for (let turns = 0; turns < 40; turns += 1) {
      const legal = await api.ask('GET', `/api/games/${id}/legal`, { as: turn[at]! })
      if (legal.json.legal.length === 0) break
      const told = await ordered(api, id, turn[at]!, seen, { type: 'roll', dice: 3 })
      expect(told.status, told.text).toBe(200)
      seen = told.json.head
      at = 1 - at
    }
    const over = await api.ask('GET', `/api/games/${id}`)
    expect(over.json.game.phase).toBe('over')
    expect(over.json.game.ranking.flat().sort()).toEqual([1, 2])
    const late = await ordered(api, id, turn[0]!, seen, { type: 'roll' })
    expect([late.status, late.json.refusal]).toEqual([422, 'game-not-running'])
    await api.deliver()
    const { games } = (await api.ask('GET', '/api/games?show=mine')).json
    expect(games.find((game: { game: string }) => game.game === id)).toMatchObject({
      phase: 'over',
      head: over.json.head,
      ranking: over.json.game.ranking,
      names: ['anna', 'bela'],
      you: 1,
    })
  })

  test('opening again answers the same, and says where the game is', async () => {
    const body = { commandId: 'Opening-1_A', kind: 'tally', seats: 3, visibility: 'private' }
    const first = await api.ask('POST', '/api/games', { body })
    const again = await api.ask('POST', '/api/games', { body: { ...body, commandId: 'opening-1_a' } })
    expect(again.text).toBe(first.text)
    expect(first.headers['location']).toBe(`/api/games/${first.json.game.game}`)
    const other = await api.ask('POST', '/api/games', { body: { ...body, seats: 4 } })
    expect([other.status, other.json.type]).toEqual([422, '/problems/command-id-reused'])
  })

  test('a private game is seen by its members and by invitation alone', async () => {
    const { id, head, told } = await opened(api, 'anna', { visibility: 'private' })
    for (const path of ['', '/events', '/odds?need=3', '/legal'])
      expect((await api.ask('GET', `/api/games/${id}${path}`, { as: 'bela' })).status).toBe(404)
    expect((await ordered(api, id, 'bela', head, { type: 'join' })).status).toBe(404)
    const { invitation } = told.json
    const preview = await api.ask('GET', `/api/invitations/${invitation}`, { as: 'bela' })
    expect(preview.json).toMatchObject({ head, names: ['anna'], game: { you: null } })
    const wrong = `${id}-${'a'.repeat(20)}`
    expect((await api.ask('GET', `/api/invitations/${wrong}`, { as: 'bela' })).status).toBe(404)
    expect((await ordered(api, id, 'bela', head, { type: 'join' }, { invitation })).status).toBe(200)
    expect((await api.ask('GET', `/api/games/${id}`, { as: 'bela' })).json.invitation).toBeUndefined()
  })

  test('problems of an order name what is wrong and where the game stands', async () => {
    const { id, head, turn } = await running(api)
    const refused = await ordered(api, id, turn[1]!, head, { type: 'roll' })
    expect([refused.status, refused.json.refusal]).toEqual([422, 'not-your-turn'])
    expect((await ordered(api, id, 'cleo', head, { type: 'roll' })).status).toBe(403)
    const body = {
      commandId: 'the-same-order',
      seen: { ...head, hash: head.hash.slice(0, 32) },
      command: { type: 'stash' },
    }
    const url = `/api/games/${id}/commands`
    const first = await api.ask('POST', url, { as: turn[0]!, body })
    expect(first.status, first.text).toBe(200)
    expect((await api.ask('POST', url, { as: turn[0]!, body })).text).toBe(first.text)
    const reused = await api.ask('POST', url, { as: turn[0]!, body: { ...body, command: { type: 'roll' } } })
    expect([reused.status, reused.json.type]).toEqual([422, '/problems/command-id-reused'])
    const overtaken = await ordered(api, id, turn[1]!, head, { type: 'roll' })
    expect([overtaken.status, overtaken.json.head]).toEqual([409, first.json.head])
    const rewound = await ordered(api, id, turn[1]!, { ...head, n: 99 }, { type: 'roll' })
    expect([rewound.status, rewound.json.type]).toEqual([409, '/problems/history-rewound'])
  })

  test('the log as pages, as an export and as a chronicle, without what is hidden', async () => {
    const { id, head, turn } = await running(api)
    const stashed = await ordered(api, id, turn[0]!, head, { type: 'stash' })
    const drawn = stashed.json.events[0].number
    expect(drawn).toBeGreaterThan(0)
    const own = await api.ask('GET', `/api/games/${id}/events?after=${head.n}`, { as: turn[0]! })
    expect(own.json.commits[0].events[0].number).toBe(drawn)
    const other = await api.ask('GET', `/api/games/${id}/events?after=${head.n}`, { as: turn[1]! })
    expect(other.json.commits[0].events[0].number).toBe('unknown')
    expect(other.json.commits[0].eventSalts[0]).toBeNull()
    const headers = { accept: 'application/x-ndjson' }
    const lines = (await api.ask('GET', `/api/games/${id}/events`, { headers })).text.trimEnd().split('\n')
    expect(JSON.parse(lines[0]!)).toEqual({
      hazardLog: 1,
      game: id,
      kind: 'tally',
      rulesVersion: 1,
      head: stashed.json.head,
    })
    expect(lines.slice(1).map((line) => JSON.parse(line).n)).toEqual([1, 2, 3, 4])
    const chronicle = await api.ask('GET', `/api/games/${id}/events`, { headers: { accept: 'text/plain' } })
    expect(chronicle.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(chronicle.text).toContain('bela takes seat 2.')
    const spectators = await api.ask('GET', `/api/games/${id}/events`, {
      as: 'cleo',
      headers: { accept: 'text/plain' },
    })
    expect(spectators.text).toContain(`${turn[0]} stashes a number.`)
  })

  test('a reader who has the answer is told so; another viewer has another tag', async () => {
    const { id, turn } = await running(api)
    const url = `/api/games/${id}`
    const first = await api.ask('GET', url)
    const tag = first.headers['etag']!
    expect(first.headers['cache-control']).toBe('private, no-cache')
    const again = await api.ask('GET', url, { headers: { 'if-none-match': `"x", W/${tag}` } })
    expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', tag])
    expect((await api.ask('GET', url, { as: 'bela', headers: { 'if-none-match': tag } })).status).toBe(200)
    await ordered(api, id, turn[0]!, first.json.head, { type: 'roll' })
    expect((await api.ask('GET', url, { headers: { 'if-none-match': tag } })).status).toBe(200)
    const then = await api.ask('GET', `${url}?at=${first.json.head.n}`)
    expect(then.json.head).toEqual(first.json.head)
  })

  test('odds name the head they speak of', async () => {
    const { id, head } = await running(api)
    const told = await api.ask('GET', `/api/games/${id}/odds?need=3`)
    expect(told.json).toEqual({ head, odds: { ways: 4, of: 6 } })
    const bad = await api.ask('GET', `/api/games/${id}/odds?need=9`)
    expect([bad.status, bad.json.path]).toEqual([400, 'need'])
  })

  test('a name and a time zone', async () => {
    const me = { as: 'dora' }
    expect((await api.ask('GET', '/api/me', me)).json).toEqual({ name: 'dora', timeZone: 'UTC' })
    const { id } = await opened(api, 'dora')
    const body = { name: '  Dóra  II ', timeZone: 'Europe/Vienna' }
    expect((await api.ask('PUT', '/api/me', { ...me, body })).json.name).toBe('Dóra II')
    expect((await api.ask('GET', '/api/me', me)).json).toEqual({ name: 'Dóra II', timeZone: 'Europe/Vienna' })
    const later = await opened(api, 'dora')
    expect((await api.ask('GET', `/api/games/${later.id}`)).json.names).toEqual(['Dóra II'])
    await api.deliver()
    await api.ask('PUT', '/api/me', { ...me, body: { ...body, name: 'Dori' } })
    expect((await api.ask('GET', `/api/games/${id}`)).json.names).toEqual(['Dori'])
  })

  test('what is open to all', async () => {
    expect((await api.ask('GET', '/api/maps/three-fields', { as: null })).json).toEqual(MAP)
    expect((await api.ask('GET', '/api/openapi.json', { as: null })).json.openapi).toBe('3.1.0')
    for (const id of ['constructor', '__proto__', 'atlantis', '..%2fx'])
      expect((await api.ask('GET', `/api/maps/${id}`, { as: null })).status).toBe(404)
  })
})
