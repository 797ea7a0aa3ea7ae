/** Whatever is sent: a precise 4xx, nothing written, nothing written down as a fault of ours. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { GameId, Head } from '../../shared/event-store/commit.ts'
import { CALLS, type Call } from '../../shared/http-contract/calls.ts'
import { type Asked, opened, ordered, running, startApi, type TestApi } from '../support/api.ts'
import { freshId } from '../support/play.ts'

let api: TestApi
let game: { id: GameId; head: Head; turn: string[] }
let secret: { id: GameId; head: Head }
let finished: { id: GameId; head: Head }

beforeAll(async () => {
  api = await startApi()
  game = await running(api)
  secret = await opened(api, 'bela', { visibility: 'private' })
  const short = await running(api, { options: { goal: 1 } })
  const end = await ordered(api, short.id, short.turn[0]!, short.head, { type: 'roll' })
  finished = { id: short.id, head: end.json.head }
  expect([...api.units.keys()]).toEqual(expect.arrayContaining(['events PutItem', 'read-models UpdateItem']))
  api.units.clear()
})
afterAll(() => api.stop())
afterEach(() => {
  const written = [...api.units.keys()].filter((name) => /Put|Update|Delete/.test(name))
  expect(written, 'nothing may be written').toEqual([])
  expect(api.lines, 'no fault of ours').toEqual([])
})

const NUMBERS: readonly [string, string][] = [
  ['1e308', '1e308'],
  ['minus one', '-1'],
  ['a fraction', '1.5'],
  ['a string', '"3"'],
  ['null', 'null'],
  ['a list', '[1]'],
  ['an object', '{}'],
  ['true', 'true'],
  ['too large to be exact', '9007199254740993'],
]
const order = (more: string) =>
  `{"commandId":"${freshId()}","seen":{"n":${game.head.n},"hash":"${game.head.hash}"},"command":{"type":"roll"}${more}}`
const opening = (fields: object) => ({
  commandId: freshId(),
  kind: 'tally',
  options: {},
  seats: 2,
  visibility: 'public',
  ...fields,
})
const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

describe('bodies', () => {
  const BODIES: readonly [string, () => Asked, number][] = [
    ['none', () => ({ headers: { 'content-type': 'application/json' }, raw: '' }), 400],
    ['no JSON', () => ({ raw: '{"a":' }), 400],
    ['NaN', () => ({ raw: '{"seats":NaN}' }), 400],
    ['null', () => ({ raw: 'null' }), 400],
    ['a list', () => ({ raw: '[]' }), 400],
    ['a number', () => ({ raw: '1e308' }), 400],
    ['a key __proto__', () => ({ raw: '{"__proto__":{"seats":2}}' }), 400],
    ['a key constructor', () => ({ raw: '{"constructor":{"prototype":{}}}' }), 400],
    ['not UTF-8', () => ({ raw: new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]) }), 400],
    ['a lone surrogate', () => ({ raw: '{"commandId":"\\ud800"}' }), 400],
    ['a lone surrogate in a key', () => ({ raw: '{"\\udfff":1}' }), 400],
    ['17 deep', () => ({ raw: `{"options":${deep(16)}}` }), 400],
    ['very deep', () => ({ raw: deep(30_000) }), 400],
    ['1 MB', () => ({ raw: `{"kind":"${'x'.repeat(1024 * 1024)}"}` }), 413],
    ['text', () => ({ raw: '{}', headers: { 'content-type': 'text/plain' } }), 415],
    ['of another charset', () => ({ raw: '{}', headers: { 'content-type': 'application/json; charset=latin1' } }), 415],
    ['of no type', () => ({ raw: '{}', headers: { 'content-type': '' } }), 415],
  ]
  const withBody = Object.entries(CALLS as Record<string, Call>).filter(([, call]) => call.body !== null)
  test.each(
    withBody.flatMap(([name, call]) => BODIES.map(([what, asked, status]) => ({ name, what, call, asked, status }))),
  )('$name: $what is $status', async ({ call, asked, status }) => {
    const told = await api.ask(call.method, call.path.replace('{id}', game.id), asked())
    expect(told.status, told.text).toBe(status)
  })
})

describe('fields of an order', () => {
  test.each(NUMBERS)('seen.n: %s', async (_, value) => {
    const raw = order('').replace(`"n":${game.head.n}`, `"n":${value}`)
    const told = await api.ask('POST', `/api/games/${game.id}/commands`, { as: game.turn[0]!, raw })
    expect([told.status, told.json.path]).toEqual([400, 'seen.n'])
  })

  test.each(NUMBERS)('a number of the game: %s', async (_, value) => {
    const raw = order('').replace('{"type":"roll"}', `{"type":"roll","dice":${value}}`)
    const told = await api.ask('POST', `/api/games/${game.id}/commands`, { as: game.turn[0]!, raw })
    expect([told.status, told.json.path]).toEqual([400, 'command.dice'])
  })

  test.each([
    [',"commandId":"short"', 'commandId'],
    [`,"commandId":"${'x'.repeat(65)}"`, 'commandId'],
    [',"commandId":"with space"', 'commandId'],
    [',"commandId":7777777777', 'commandId'],
    [',"seen":{"n":1,"hash":"abc"}', 'seen.hash'],
    [`,"seen":{"n":1,"hash":"${'g'.repeat(64)}"}`, 'seen.hash'],
    [`,"seen":{"n":1,"hash":"${'a'.repeat(64)}","more":1}`, 'seen'],
    [',"seen":7', 'seen'],
    [',"command":null', 'command'],
    [',"command":[]', 'command'],
    [',"command":{"type":7}', 'command'],
    [',"command":{"type":"__proto__"}', 'command.type'],
    [',"command":{"type":"constructor"}', 'command.type'],
    [',"command":{"type":"skip","turn":1}', 'command.type'],
    [',"command":{"type":"open"}', 'command.type'],
    [',"command":{"type":"join","more":1}', 'command'],
    [',"command":{"type":"roll","__proto__":{"dice":3}}', 'command'],
    [',"command":{"type":"roll","by":2}', 'command'],
    [',"invitation":"x"', 'invitation'],
    [',"subject":"subject-of-bela"', ''],
    [',"toString":1', ''],
  ])('%s', async (more, path) => {
    const told = await api.ask('POST', `/api/games/${game.id}/commands`, { as: game.turn[0]!, raw: order(more) })
    expect([told.status, told.json.path]).toEqual([400, path])
  })
})

describe('fields of an opening', () => {
  test.each(NUMBERS)('seats: %s', async (_, value) => {
    const raw = JSON.stringify(opening({})).replace('"seats":2', `"seats":${value}`)
    const told = await api.ask('POST', '/api/games', { raw })
    expect([told.status, told.json.path]).toEqual([400, 'seats'])
  })

  test.each([
    [{ kind: 'chess' }, 'kind'],
    [{ kind: '__proto__' }, 'kind'],
    [{ kind: 'x'.repeat(41) }, 'kind'],
    [{ seats: 0 }, 'seats'],
    [{ seats: 7 }, 'seats'],
    [{ visibility: 'secret' }, 'visibility'],
    [{ options: null }, 'options'],
    [{ options: [] }, 'options'],
    [{ options: { goal: 1.5 } }, 'options.goal'],
    [{ options: { goal: '20' } }, 'options.goal'],
    [{ options: { more: 1 } }, 'options'],
    [{ person: { subject: 'x' } }, ''],
  ])('%j', async (fields, path) => {
    const told = await api.ask('POST', '/api/games', { body: opening(fields) })
    expect([told.status, told.json.path]).toEqual([400, path])
  })
})

test.each([
  [{ name: '' }, 'name'],
  [{ name: '   ' }, 'name'],
  [{ name: 'x'.repeat(41) }, 'name'],
  [{ name: 'two\nlines' }, 'name'],
  [{ name: 'turned\u202earound' }, 'name'],
  [{ name: 'null\u0000' }, 'name'],
  [{ name: 7 }, 'name'],
  [{ timeZone: 'Atlantis/Capital' }, 'timeZone'],
  [{ timeZone: '__proto__' }, 'timeZone'],
  [{ timeZone: 'x'.repeat(300) }, 'timeZone'],
  [{ subject: 'subject-of-bela' }, ''],
])('a profile with %j', async (fields, path) => {
  const told = await api.ask('PUT', '/api/me', { body: { name: 'anna', timeZone: 'UTC', ...fields } })
  expect([told.status, told.json.path]).toEqual([400, path])
})

describe('queries', () => {
  const BAD_NUMBERS = [
    '1.5',
    '-1',
    '1e3',
    '٣',
    '',
    '+1',
    '0x1',
    ' 1',
    '01',
    'NaN',
    '9'.repeat(400),
    'null',
    '__proto__',
  ]
  test.each(BAD_NUMBERS)('at and after: %s', async (value) => {
    for (const [url, name] of [
      [`/api/games/${game.id}`, 'at'],
      [`/api/games/${game.id}/events`, 'after'],
    ]) {
      const told = await api.ask('GET', `${url}?${name}=${encodeURIComponent(value)}`)
      expect([told.status, told.json.path]).toEqual([400, name])
    }
  })

  test.each([
    ['/api/games', 400],
    ['/api/games?show=all', 400],
    ['/api/games?show=mine&show=open', 400],
    ['/api/games?show=mine&person=bela', 400],
    ['/api/games?show=mine&__proto__=1', 400],
    ['/api/games?show=mine&cursor=', 400],
    ['/api/games?show=mine&cursor=aaaaaaaaaaaaaaaaaaaa', 400],
    ['/api/games?show=mine&cursor=aaaaaaaaaaaaaaaaaaaa.000000000000000000000000', 400],
    ['/api/games?show=open&cursor=%00.%00', 400],
    [`/api/games?show=mine&cursor=${'x'.repeat(10_000)}`, 400],
    ['/api/me?x=1', 400],
    ['/api/me?%', 400],
    ['/api/openapi.json?x=1', 400],
    ['/api/maps/three-fields?x=1', 400],
  ])('%s', async (url, status) => {
    expect((await api.ask('GET', url)).status).toBe(status)
  })

  test.each(['?x=1', '?at=1&at=2', '?at=1&__proto__=2'])('a game with %s', async (query) => {
    for (const path of ['', '/events', '/legal', '/odds'])
      expect((await api.ask('GET', `/api/games/${game.id}${path}${query}`)).status).toBe(400)
  })

  test('a commit that is not there', async () => {
    expect((await api.ask('GET', `/api/games/${game.id}?at=999999999`)).status).toBe(404)
    expect((await api.ask('GET', `/api/games/${game.id}?at=0`)).status).toBe(400)
    expect((await api.ask('GET', `/api/games/${game.id}/events?after=999999999`)).json.commits).toEqual([])
  })
})

describe('who asks', () => {
  const closed = Object.entries(CALLS as Record<string, Call>).filter(([, call]) => !call.open)
  test.each(closed)('%s without a token', async (_, call) => {
    const url = call.path.replace('{id}', game.id).replace('{code}', 'x')
    const told = await api.ask(call.method, url, { as: null, ...(call.body ? { body: {} } : {}) })
    expect([told.status, told.headers['www-authenticate']]).toEqual([401, 'Bearer'])
  })

  test('other people’s private games look like none, whatever is asked', async () => {
    const { id, head } = secret
    const none = 'a'.repeat(20)
    for (const path of ['', '?at=1', '/events', '/legal', '/odds?need=3']) {
      const told = await api.ask('GET', `/api/games/${id}${path}`)
      expect([told.status, told.text]).toEqual([404, (await api.ask('GET', `/api/games/${none}${path}`)).text])
    }
    for (const command of [{ type: 'join' }, { type: 'start' }, { type: 'roll' }, { type: 'nonsense' }]) {
      const told = await ordered(api, id, 'anna', head, command)
      expect([told.status, told.text]).toEqual([404, (await ordered(api, none as GameId, 'anna', head, command)).text])
      const invitation = `${id}-${'b'.repeat(20)}`
      expect((await ordered(api, id, 'anna', head, command, { invitation })).status).toBe(404)
    }
  })

  test('finished games take no orders', async () => {
    for (const command of [{ type: 'roll' }, { type: 'join' }, { type: 'leave' }, { type: 'start' }]) {
      const told = await ordered(api, finished.id, 'anna', finished.head, command)
      expect(told.status, told.text).toBe(422)
    }
    expect((await ordered(api, finished.id, 'cleo', finished.head, { type: 'roll' })).status).toBe(403)
  })
})

describe('addresses and methods', () => {
  test.each([
    '/',
    '/api',
    '/api/',
    '/api/nothing',
    '/api/games/short',
    `/api/games/${'A'.repeat(20)}`,
    `/api/games/${'a'.repeat(20)}/nothing`,
    '/api/games/__proto__',
    '/api/games/..%2f..%2fetc/events',
    '/api/games/%25',
    '/api/games/%00',
    `/api/games/${'a'.repeat(5000)}`,
    '/api/invitations/constructor',
    '//api/games',
  ])('GET %s is nowhere', async (url) => {
    expect((await api.ask('GET', url)).status).toBe(404)
  })

  test.each([
    ['DELETE', '/api/games', 'GET, POST'],
    ['PATCH', '/api/me', 'GET, PUT'],
    ['POST', '/api/openapi.json', 'GET'],
    ['OPTIONS', '/api/me', 'GET, PUT'],
  ])('%s %s', async (method, url, allowed) => {
    const told = await api.ask(method, url)
    expect(told.status).toBe(405)
    expect(told.headers['allow']!.split(', ').sort()).toEqual(allowed.split(', ').sort())
  })

  test('methods that no function may be asked', async () => {
    expect((await api.ask('TRACE', '/api/me')).status).toBe(405)
    expect((await api.ask('BREW COFFEE', '/api/me')).status).toBe(400)
  })

  test('huge and odd headers', async () => {
    const url = `/api/games/${game.id}/events`
    for (const value of ['x'.repeat(100_000), ',,,;;;q=', '"'.repeat(5000), '*/*;q=__proto__']) {
      expect((await api.ask('GET', url, { headers: { accept: value } })).status).toBe(200)
      expect((await api.ask('GET', url, { headers: { 'if-none-match': value } })).status).toBe(200)
      const raw = order('')
      const headers = { 'content-type': value }
      expect((await api.ask('POST', `/api/games/${game.id}/commands`, { raw, headers })).status).toBe(415)
    }
    expect((await api.ask('GET', url, { headers: { accept: 'two\nlines ☠' } })).status).toBe(400)
  })
})
