/** Hostile input on every call of a served Hazard: a precise 4xx, nothing written, and it goes on answering. */

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createDynamoClient } from '../../functions/adapters/dynamodb/client.ts'
import { parts } from '../../local/parts.ts'
import { seededChance } from '../../shared/fair-dice/chance.ts'
import { CALLS, type Call, type CallName } from '../../shared/http-contract/calls.ts'
import { problemResponse } from '../../shared/http-contract/responses.ts'
import { ask, type Heard, HttpCommander, type LegalOrder, newCommandId, playOn } from '../support/http-client.ts'
import { type Folder, type LocalServing, serveLocally, temporaryFolder } from '../support/local-serving.ts'
import { dumpTables } from '../support/table-dump.ts'

interface Scene {
  readonly id: string
  /** Whose turn it is. */
  readonly actor: HttpCommander
  readonly other: HttpCommander
  readonly head: { readonly n: number; readonly hash: string }
  readonly view: Heard['json']
  readonly legal: readonly LegalOrder[]
}

let folder: Folder
let serving: LocalServing
let client: DynamoDBClient
let written: readonly string[]
const said = vi.spyOn(console, 'error').mockImplementation(() => {})

let outsider: HttpCommander
/** Armies are to be placed, and the actor holds a card; an attack may be made; the game is over; it gathers; it is private. */
let drafting: Scene
let attacking: Scene
let finished: Scene
let gathering: Scene
let secret: Scene

beforeAll(async () => {
  folder = await temporaryFolder()
  serving = await serveLocally(folder.path, parts)
  client = createDynamoClient({ endpoint: serving.dynamoEndpoint, region: 'local' })
  outsider = await HttpCommander.signIn(serving.origin, 'outsider')

  const inDraft = await running('drafting')
  const { pick } = seededChance('a hand to be robbed')
  for (;;) {
    const { view, waitingFor } = (await playOn(inDraft.three, inDraft.id, pick, { most: 1 })).game
    const seat = waitingFor[0].seat
    const { hand } = (await inDraft.three[seat - 1]!.read(`/api/games/${inDraft.id}`)).game.view.commanders[seat - 1]
    if (view.phase === 'draft' && view.pool > 0 && hand.length > 0 && hand.length < 5) break
  }
  drafting = await sceneOf(inDraft.id, inDraft.three)

  const inAttack = await running('attacking')
  const { actor, view } = await sceneOf(inAttack.id, inAttack.three)
  await actor.give(inAttack.id, (legal) => {
    const { territories } = legal.find(({ type }) => type === 'deploy')!
    return { type: 'deploy', placements: [{ territory: territories![0], armies: view.pool }] }
  })
  attacking = await sceneOf(inAttack.id, inAttack.three)

  const over = await running('finished')
  for (const each of over.three.slice(1)) await each.give(over.id, () => ({ type: 'resign' }))
  finished = await sceneOf(over.id, over.three)
  expect(finished.view.ending).toBe('resignation')

  const host = await HttpCommander.signIn(serving.origin, 'host')
  const lobby = (await host.open({}, 3)).game.game
  gathering = await sceneOf(lobby, [host, outsider])
  const owner = await HttpCommander.signIn(serving.origin, 'owner')
  secret = await sceneOf((await owner.open({}, 2, 'private')).game.game, [owner, outsider])

  await serving.stream.drain(5_000)
  written = await dumpTables(client)
  expect(written.length).toBeGreaterThan(50)
})

afterEach(async () => {
  await serving.stream.drain(5_000)
  expect(await dumpTables(client), 'nothing may be written').toEqual(written)
  expect(said.mock.calls, 'no fault of ours may be written down').toEqual([])
  expect(serving.complaints).toEqual([])
  expect(await outsider.list('mine')).toEqual([])
})

afterAll(async () => {
  client.destroy()
  await serving.close()
  await folder.remove()
})

async function running(name: string): Promise<{ readonly id: string; readonly three: readonly HttpCommander[] }> {
  const three = await Promise.all([1, 2, 3].map((i) => HttpCommander.signIn(serving.origin, `${name}${i}`)))
  const opened = await three[0]!.open({ map: 'world' }, 3)
  for (const other of three.slice(1)) await other.join(opened.game.game, opened.head)
  return { id: opened.game.game, three }
}

async function sceneOf(id: string, seated: readonly HttpCommander[]): Promise<Scene> {
  const { head, game } = await seated[0]!.read(`/api/games/${id}`)
  const turn = (game.waitingFor[0]?.seat ?? 1) - 1
  const actor = seated[turn]!
  const { legal } = await actor.read(`/api/games/${id}/legal`)
  const { view } = (await actor.read(`/api/games/${id}`)).game
  return { id, actor, other: seated[(turn + 1) % seated.length]!, head, view, legal }
}

/** Every problem is one of ours in full, or the gateway's in its own words. */
function expectProblem(heard: Heard, status: number, what = ''): void {
  expect(heard.status, `${what}: ${heard.text.slice(0, 300)}`).toBe(status)
  if (heard.headers.get('content-type') === 'application/problem+json') {
    expect(problemResponse.parse(heard.json).status).toBe(status)
    expect(heard.json.detail.length).toBeGreaterThan(5)
    expect(heard.text).not.toMatch(/\bat .*\.ts|node_modules|Error:/)
  } else {
    expect(Object.keys(heard.json), what).toEqual(['message'])
    expect([401, 404, 413, 431]).toContain(status)
  }
}

/** What no number may be, as JSON. */
const NO_NUMBERS = [
  '1e308',
  '-1',
  '0',
  '1.5',
  '"3"',
  'null',
  'true',
  '[1]',
  '{}',
  '1e-7',
  '9007199254740993',
  '"__proto__"',
]
/** What no JSON is. */
const NO_JSON = ['NaN', 'Infinity', '-Infinity', 'undefined', '0x10', '01', '+1', '1.']
/** What no territory or card is called. */
const NOWHERE = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'no-such',
  'BEACONRY',
  ' ',
  '0',
  'null',
]
/** What no short text may be, as JSON. */
const NO_TEXTS = [
  '""',
  '1',
  'null',
  'true',
  '[]',
  '{}',
  `"${'x'.repeat(70)}"`,
  '"\\ud800"',
  '"a\\udfffb"',
  '["__proto__"]',
]

const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const order = (scene: Scene, command: string, more = '') =>
  `{"commandId":"${newCommandId()}","seen":${JSON.stringify(scene.head)},"command":${command}${more}}`

async function sendRaw(
  who: HttpCommander | null,
  method: string,
  path: string,
  body: string | Uint8Array<ArrayBuffer> | null,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<Heard> {
  return ask(serving.origin + path, { method, body, headers: { ...who?.headers, ...headers } })
}

const give = (scene: Scene, command: string, who = scene.actor) =>
  sendRaw(who, 'POST', `/api/games/${scene.id}/commands`, order(scene, command))

async function expectRefused(scene: Scene, command: object | string, refusal: string, who = scene.actor) {
  const text = typeof command === 'string' ? command : JSON.stringify(command)
  const heard = await give(scene, text, who)
  expectProblem(heard, 422, text)
  expect(heard.json, text).toMatchObject({ type: '/problems/refused', refusal })
}

async function expectMalformed(scene: Scene, command: string, path: RegExp = /^command/) {
  const heard = await give(scene, command)
  expectProblem(heard, 400, command)
  expect(heard.json.path, `${command}: ${heard.text}`).toMatch(path)
}

describe('bodies', () => {
  const withBody = Object.entries(CALLS as Record<string, Call>).filter(([, call]) => call.body !== null)
  const BODIES: readonly [string, string | Uint8Array<ArrayBuffer>, number][] = [
    ['nothing', '', 400],
    ['half of one', '{"commandId":', 400],
    ...NO_JSON.map((text): [string, string, number] => [text, `{"seats":${text}}`, 400]),
    ...['null', '[]', '1e308', '"text"', 'true', '{}', '{"__proto__":{}}', '{"constructor":{}}', '{"":1}'].map(
      (text): [string, string, number] => [text, text, 400],
    ),
    ['no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 400],
    ['an overlong form', new Uint8Array([0x22, 0xc0, 0x80, 0x22]), 400],
    ['a lone surrogate', '{"commandId":"\\ud800"}', 400],
    ['a lone surrogate as a key', '{"\\udc00":1}', 400],
    ['lists 1000 deep', deep(1000), 400],
    ['records 1000 deep', `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`, 400],
    ['20,000 numbers', `{"options":[${'1,'.repeat(20_000)}1]}`, 400],
    ['1 MB', `{"kind":"${'x'.repeat(1024 * 1024)}"}`, 413],
    ['11 MB', `{"kind":"${'x'.repeat(11 * 1024 * 1024)}"}`, 413],
  ]
  test.each(withBody)('%s', async (_, call) => {
    const path = call.path.replace('{id}', drafting.id)
    for (const [what, body, status] of BODIES) {
      const heard = await sendRaw(drafting.actor, call.method, path, body)
      expectProblem(heard, status, what)
      // Judged before it is parsed.
      if (what.endsWith('deep')) expect(heard.json.detail).toMatch(/nested/)
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1', 'json'])
      expectProblem(await sendRaw(drafting.actor, call.method, path, '{}', { 'content-type': type }), 415, type)
    expectProblem(await sendRaw(drafting.actor, call.method, path, new Uint8Array([0x7b, 0x7d]), {}), 415, 'no type')
  })
})

describe('who asks', () => {
  const closed = (Object.entries(CALLS) as [CallName, Call][]).filter(([, call]) => !call.open)
  test.each(closed)('%s: without a good token 401', async (_, call) => {
    const path = call.path.replace('{id}', drafting.id).replace('{code}', `${secret.id}-${'a'.repeat(20)}`)
    const good = outsider.headers['authorization']!
    const [head, payload, signature] = good.slice('Bearer '.length).split('.') as [string, string, string]
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const forge = (changed: object) => Buffer.from(JSON.stringify({ ...claims, ...changed })).toString('base64url')
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url')
    for (const authorization of [
      null,
      '',
      'Bearer',
      'Bearer ',
      'Bearer x',
      'Basic YW5uYTphbm5h',
      `Bearer ${good.slice(7, -5)}`,
      `Bearer ${head}.${payload}`,
      `Bearer ${unsigned}.${payload}.`,
      `Bearer ${head}.${forge({ sub: 'somebody-else' })}.${signature}`,
      `Bearer ${head}.${forge({ exp: 9_999_999_999 })}.${signature}`,
      `Bearer ${good.slice(7)} ${good.slice(7)}`,
      `Bearer ${'x'.repeat(4000)}`,
    ]) {
      const headers = { 'content-type': 'application/json', ...(authorization === null ? {} : { authorization }) }
      const body = call.body === null ? null : '{}'
      const heard = await sendRaw(null, call.method, path, body, headers)
      expectProblem(heard, 401, String(authorization))
      expect(heard.json).toEqual({ message: 'Unauthorized' })
      expect(heard.headers.get('www-authenticate')).toMatch(/^Bearer/)
    }
  })

  test('the token of another: no seat, not your turn, and no game at all if it is private', async () => {
    const { id } = drafting
    expectProblem(await give(drafting, '{"type":"endTurn"}', outsider), 403)
    expectProblem(await give(drafting, '{"type":"resign"}', outsider), 403)
    await expectRefused(drafting, { type: 'endTurn' }, 'not-your-turn', drafting.other)
    await expectRefused(attacking, { type: 'endTurn' }, 'not-your-turn', attacking.other)
    expect((await outsider.read(`/api/games/${id}`)).game.you).toBe(null)
    expect((await outsider.read(`/api/games/${id}/legal`)).legal).toEqual([])

    for (const call of ['', '?at=1', '/legal', '/events', '/odds?attackers=3&defenders=2'])
      expectProblem(await outsider.get(`/api/games/${secret.id}${call}`), 404, call)
    for (const type of ['join', 'leave', 'start', 'resign', 'endTurn'])
      expectProblem(await give(secret, `{"type":"${type}"}`, outsider), 404, type)
    const nothing = await outsider.get(`/api/games/${'a'.repeat(20)}`)
    expect((await outsider.get(`/api/games/${secret.id}`)).text).toBe(nothing.text)
  })

  test('identity is no field of a body', async () => {
    for (const more of ['"by":"x"', '"seat":2', '"person":{"subject":"x"}', '"at":1', '"__proto__":{"by":1}']) {
      const path = `/api/games/${drafting.id}/commands`
      expectProblem(
        await sendRaw(drafting.other, 'POST', path, order(drafting, '{"type":"resign"}', `,${more}`)),
        400,
        more,
      )
    }
    for (const more of ['"seat":2', '"by":2', '"dice":[6,6,6]', '"cards":[]', '"payout":99', '"time":0'])
      await expectMalformed(drafting, `{"type":"resign",${more}}`)
  })
})

describe('addresses', () => {
  test('wrong methods are 405 and name the right ones; what is nowhere is 404', async () => {
    for (const call of Object.values(CALLS) as Call[]) {
      if (call.open) continue
      const path = call.path.replace('{id}', drafting.id).replace('{code}', `${secret.id}-${'a'.repeat(20)}`)
      const right = Object.values(CALLS as Record<string, Call>).flatMap((each) =>
        each.path === call.path ? [each.method] : [],
      )
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
        if ((right as string[]).includes(method)) continue
        const heard = await sendRaw(outsider, method, path, method === 'GET' ? null : '{}')
        expectProblem(heard, 405, `${method} ${path}`)
        expect(heard.headers.get('allow')).toBe(right.join(', '))
      }
    }
    const { id } = drafting
    for (const path of [
      '/api',
      '/api/',
      '/api/nothing',
      '/api/games/',
      '/api//games',
      '/api/__proto__',
      '/api/constructor',
      `/api/games/${id}/`,
      `/api/games/${id}/nothing`,
      `/api/games/${id}/legal/more`,
      `/api/games/${id.toUpperCase()}`,
      `/api/games/${id}%00`,
      `/api/games/${id}x`,
      '/api/games/__proto__',
      '/api/games/constructor',
      '/api/games/..%2f..%2fetc%2fpasswd',
      `/api/games/${'a'.repeat(20)}`,
      `/api/games/${'a'.repeat(4000)}`,
      '/api/games/%F0%9F%92%A3',
      '/api/maps/__proto__',
      '/api/maps/constructor',
      '/api/maps/WORLD',
      '/api/maps/world/more',
      '/api/maps/..%2fworld',
      `/api/maps/${'x'.repeat(4000)}`,
    ])
      expectProblem(await outsider.get(path), 404, path.slice(0, 80))
    expectProblem(await outsider.get(`/api/games/${'a'.repeat(20_000)}`), 431)
    for (const path of ['/api/games/%', '/api/games/%ff%fe', '/api/games/%ed%a0%80'])
      expect((await outsider.get(path)).status, path).toBe(400)
  })

  test('unknown and repeated parameters are refused on every call', async () => {
    for (const call of Object.values(CALLS) as Call[]) {
      if (call.body !== null) continue
      const path = call.path
        .replace('{id}', call.path.includes('maps') ? 'world' : drafting.id)
        .replace('{code}', `${secret.id}-${'a'.repeat(20)}`)
      for (const query of ['x=1', '__proto__=1', 'constructor=1', 'at=1&at=2', 'show=mine&x=1', '%ff=1', 'a[b]=1']) {
        const heard = await outsider.get(`${path}?${query}`)
        expectProblem(heard, 400, `${path}?${query}`)
      }
    }
  })

  test('numbers in queries', async () => {
    const { id } = drafting
    const WRONG = [
      '-1',
      '1.5',
      '1e3',
      '99999999999999999999',
      '',
      ' 1',
      '+1',
      '01',
      '0x1',
      'NaN',
      '1e308',
      '%D9%A3',
      'null',
    ]
    for (const text of [...WRONG, '0']) expectProblem(await outsider.get(`/api/games/${id}?at=${text}`), 400, text)
    for (const text of WRONG) expectProblem(await outsider.get(`/api/games/${id}/events?after=${text}`), 400, text)
    expectProblem(await outsider.get(`/api/games/${id}?at=${drafting.head.n + 1}`), 404)
    expectProblem(await outsider.get(`/api/games/${id}?at=999999999`), 404)
    expect((await outsider.read(`/api/games/${id}/events?after=999999999`)).commits).toEqual([])
  })

  test('odds', async () => {
    const path = `/api/games/${attacking.id}/odds`
    for (const text of ['-1', '1.5', '1e3', '0', '', 'NaN', 'Infinity', '1e308', '99999999999999999999', '03', '3%20'])
      for (const query of [
        `attackers=${text}&defenders=2`,
        `attackers=3&defenders=${text}`,
        `attackers=3&defenders=2&dice=${text}`,
        `attackers=9&defenders=2&stopAt=${text}`,
      ])
        expectProblem(await outsider.get(`${path}?${query}`), 400, query)
    for (const query of [
      '',
      'attackers=3',
      'attackers=3&defenders=2&origin=x',
      'attackers=3&defenders=2&bastion=1',
      'origin=x',
    ])
      expectProblem(await outsider.get(`${path}?${query}`), 400, query)
    for (const query of [
      'attackers=1&defenders=1',
      'attackers=9999999&defenders=9999999',
      'attackers=1001&defenders=2',
      'attackers=3&defenders=2&dice=3',
      'attackers=3&defenders=2&stopAt=3',
      'attackers=3&defenders=2&maxRolls=501',
    ])
      expectProblem(await outsider.get(`${path}?${query}`), 422, query)
    const [own] = attacking.legal.filter(({ type }) => type === 'attack')
    for (const name of NOWHERE) {
      for (const query of [
        `origin=${encodeURIComponent(name)}&target=${own!.target}`,
        `origin=${own!.origin}&target=${encodeURIComponent(name)}`,
      ]) {
        const heard = await outsider.get(`${path}?${query}`)
        expectProblem(heard, 422, query)
        expect(heard.json.refusal).toBe('unknown-territory')
      }
    }
    expectProblem(await outsider.get(`/api/games/${gathering.id}/odds?attackers=3&defenders=2`), 422)
  })

  test('forged cursors and invitations', async () => {
    for (const show of ['mine', 'open'])
      for (const cursor of [
        'x',
        '__proto__',
        '..',
        'a.b.c',
        `${drafting.id}.${'0'.repeat(24)}`,
        'x'.repeat(201),
        '%00',
        '',
        '%ff',
      ])
        expectProblem(await outsider.get(`/api/games?show=${show}&cursor=${cursor}`), 400, cursor)
    for (const show of ['all', '', 'MINE', '__proto__', 'constructor', 'mine%00'])
      expectProblem(await outsider.get(`/api/games?show=${show}`), 400, show)
    expectProblem(await outsider.get('/api/games'), 400)

    const forged = `${secret.id}-${'a'.repeat(20)}`
    for (const code of [
      forged,
      `${drafting.id}-${'a'.repeat(20)}`,
      `${'a'.repeat(20)}-${'a'.repeat(20)}`,
      secret.id,
      '__proto__',
      'x',
    ])
      expectProblem(await outsider.get(`/api/invitations/${code}`), 404, code)
    const path = `/api/games/${secret.id}/commands`
    const join = (invitation: string) => order(secret, '{"type":"join"}', `,"invitation":${invitation}`)
    expectProblem(await sendRaw(outsider, 'POST', path, join(`"${forged}"`)), 404)
    for (const invitation of ['""', 'null', '1', '{}', '"x"', `"${forged}x"`, '["__proto__"]'])
      expectProblem(await sendRaw(outsider, 'POST', path, join(invitation)), 400, invitation)
  })
})

describe('the envelope of an order', () => {
  test('seen', async () => {
    const path = `/api/games/${drafting.id}/commands`
    const { n, hash } = drafting.head
    const withSeen = (seen: string) => `{"commandId":"${newCommandId()}","seen":${seen},"command":{"type":"endTurn"}}`
    for (const seen of [
      ...['null', '1', '"1"', '[]', '{}', `{"n":${n}}`, `{"hash":"${hash}"}`, `{"n":${n},"hash":"${hash}","x":1}`],
      ...NO_NUMBERS.filter((text) => text !== '0').map((text) => `{"n":${text},"hash":"${hash}"}`),
      ...[...NO_TEXTS, `"${hash.slice(0, 31)}"`, `"${hash}0"`, `"${'g'.repeat(32)}"`].map(
        (text) => `{"n":${n},"hash":${text}}`,
      ),
    ])
      expectProblem(await sendRaw(drafting.actor, 'POST', path, withSeen(seen)), 400, seen)
    for (const [seen, type] of [
      [{ n: n + 1, hash }, 'history-rewound'],
      [{ n: 999_999_999, hash }, 'history-rewound'],
      [{ n, hash: '0'.repeat(32) }, 'history-rewound'],
      [{ n: n - 1, hash }, 'history-rewound'],
      [{ n: 0, hash: '0'.repeat(64) }, 'overtaken'],
    ] as const) {
      const heard = await sendRaw(drafting.actor, 'POST', path, withSeen(JSON.stringify(seen)))
      expectProblem(heard, 409, JSON.stringify(seen))
      expect(heard.json).toMatchObject({ type: `/problems/${type}`, head: drafting.head })
    }
  })

  test('command ids', async () => {
    for (const id of [
      ...NO_TEXTS,
      '"short"',
      '"with space"',
      '"ümlautümlaut"',
      '"__proto__.x"',
      '"a/b/c/d/e"',
      '"1234567"',
    ]) {
      const body = order(drafting, '{"type":"endTurn"}').replace(/"commandId":"[^"]*"/, `"commandId":${id}`)
      expectProblem(await sendRaw(drafting.actor, 'POST', `/api/games/${drafting.id}/commands`, body), 400, id)
    }
  })

  test('commands that are none', async () => {
    for (const command of [
      'null',
      '1',
      '"endTurn"',
      '[]',
      '[{"type":"endTurn"}]',
      '{}',
      '{"type":null}',
      '{"type":["endTurn"]}',
    ])
      await expectMalformed(drafting, command)
    for (const type of [...NOWHERE, 'EndTurn', 'open', 'expire', 'gameOver', 'cardDrawn', 'x'.repeat(1000), '💣'])
      await expectMalformed(drafting, JSON.stringify({ type, task: 'turn-1' }))
    for (const type of ['join', 'leave', 'start'])
      expectProblem(await give(drafting, JSON.stringify({ type })), 422, type)
    await expectRefused(gathering, { type: 'start' }, 'too-few-commanders')
    await expectRefused(gathering, { type: 'resign' }, 'game-not-running')
    await expectRefused(gathering, { type: 'join' }, 'already-seated')
  })
})

describe('orders of Conquest', () => {
  const FIELDS: Readonly<Record<string, Record<string, string>>> = {
    claim: { territory: '"t"' },
    deploy: { placements: '[{"territory":"t","armies":1}]' },
    trade: { cards: '["a","b","c"]' },
    attack: { origin: '"a"', target: '"b"', dice: '1', occupy: '1' },
    assault: { origin: '"a"', target: '"b"', stopAt: '1', maxRolls: '1', occupy: '1' },
    occupy: { armies: '1' },
    fortify: { origin: '"a"', destination: '"b"', armies: '1' },
    endTurn: {},
    resign: {},
  }
  const json = (type: string, fields: Readonly<Record<string, string>>) =>
    `{"type":"${type}"${Object.entries(fields)
      .map(([name, value]) => `,"${name}":${value}`)
      .join('')}}`
  const NUMBERS = ['dice', 'armies', 'stopAt', 'maxRolls', 'occupy']
  const TERRITORIES = ['territory', 'origin', 'target', 'destination']

  test.each(Object.keys(FIELDS))('%s: every field with every wrong type', async (type) => {
    const right = FIELDS[type]!
    for (const name of Object.keys(right)) {
      const wrong = NUMBERS.includes(name) ? NO_NUMBERS : TERRITORIES.includes(name) ? NO_TEXTS : []
      for (const value of wrong)
        await expectMalformed(attacking, json(type, { ...right, [name]: value }), new RegExp(`^command\\.${name}`))
      if (!['stopAt', 'maxRolls', 'occupy'].includes(name) || type === 'occupy') {
        const { [name]: _, ...without } = right
        await expectMalformed(attacking, json(type, without))
      }
    }
    for (const surplus of ['x', '__proto__', 'constructor', 'seat', 'by'])
      await expectMalformed(attacking, json(type, { ...right, [surplus]: '1' }))
  })

  test.each(Object.keys(FIELDS))('%s with the fields of every other order', async (type) => {
    for (const [other, fields] of Object.entries(FIELDS)) {
      if (Object.keys(fields).join() === Object.keys(FIELDS[type]!).join()) continue
      expectProblem(await give(attacking, json(type, fields)), 400, `${type} with ${other}`)
    }
  })

  test('deploy', async () => {
    const [deploy] = drafting.legal.filter(({ type }) => type === 'deploy')
    const [own] = deploy!.territories!
    const [rival] = Object.keys(drafting.view.territories).filter((id) => !deploy!.territories!.includes(id))
    const placed = (...placements: [string, number][]) => ({
      type: 'deploy',
      placements: placements.map(([territory, armies]) => ({ territory, armies })),
    })
    for (const name of NOWHERE) await expectRefused(drafting, placed([name, 1]), 'unknown-territory')
    await expectRefused(drafting, placed([rival!, 1]), 'not-your-territory')
    await expectRefused(drafting, placed([own!, 1], [own!, 1]), 'territory-twice')
    await expectRefused(drafting, placed(), 'no-placements')
    for (const armies of [drafting.view.pool + 1, 1_000_000])
      await expectRefused(drafting, placed([own!, armies]), 'more-than-due')
    const armies = (text: string) => `{"type":"deploy","placements":[{"territory":"${own}","armies":${text}}]}`
    for (const text of [...NO_NUMBERS, '1000001'])
      await expectMalformed(drafting, armies(text), /^command\.placements\.0\.armies/)
    for (const text of NO_TEXTS)
      await expectMalformed(drafting, `{"type":"deploy","placements":[{"territory":${text},"armies":1}]}`)
    for (const text of ['null', '{}', '1', '"x"', '[null]', '[[]]', '[1]', `[{"territory":"${own}"}]`, '{"length":1}'])
      await expectMalformed(drafting, `{"type":"deploy","placements":${text}}`)
    await expectMalformed(
      drafting,
      JSON.stringify(placed(...Array.from({ length: 257 }, (): [string, number] => [own!, 1]))),
    )
    await expectMalformed(drafting, armies('1,"armies2":2'))
    await expectMalformed(drafting, JSON.stringify(placed(['☠', 1])))
    for (const type of ['endTurn', 'attack', 'assault', 'fortify', 'claim', 'occupy'])
      await expectRefused(drafting, json(type, FIELDS[type]!), 'must-place')
  })

  test('trade: cards not held, named twice, unknown, no set', async () => {
    const { hand } = drafting.view.commanders.find((each: { hand: unknown }) => Array.isArray(each.hand))
    const [held] = hand as string[]
    const notHeld = Object.keys(drafting.view.territories).filter((id) => !hand.includes(id))
    const trade = (...cards: unknown[]) => ({ type: 'trade', cards })
    await expectRefused(drafting, trade(held, held, held), 'card-twice')
    await expectRefused(drafting, trade(held, notHeld[0], notHeld[1]), 'not-in-hand')
    await expectRefused(drafting, trade(...notHeld.slice(0, 3)), 'not-in-hand')
    for (const name of [...NOWHERE, 'unknown', 'wild-0', 'wild-3', 'wild-'])
      await expectRefused(drafting, trade(name, held, held), 'unknown-card')
    for (const cards of [
      [],
      [held],
      [held, held],
      [held, held, held, held],
      [1, 2, 3],
      [[], [], []],
      [null, null, null],
    ])
      await expectMalformed(drafting, JSON.stringify(trade(...cards)))
    await expectMalformed(drafting, JSON.stringify(trade(...Array.from({ length: 5000 }, () => held))))
    for (const cards of ['"abc"', '{"0":"a","1":"b","2":"c","length":3}', 'null'])
      await expectMalformed(drafting, `{"type":"trade","cards":${cards}}`)
  })

  test('attack, assault, occupy, fortify, claim', async () => {
    const attacks = attacking.legal.filter(({ type }) => type === 'attack')
    const { origin, target } = attacks[0]!
    const standing = attacking.view.territories as Record<string, { owner: number; armies: number }>
    const own = Object.keys(standing).filter((id) => standing[id]!.owner === standing[origin!]!.owner)
    const far = Object.keys(standing).filter(
      (id) => !own.includes(id) && !attacks.some((each) => each.origin === origin && each.target === id),
    )
    const base = { origin, target }
    for (const type of ['attack', 'assault']) {
      const dice = type === 'attack' ? { dice: 1 } : {}
      for (const name of NOWHERE) {
        await expectRefused(attacking, { type, ...base, ...dice, origin: name }, 'unknown-territory')
        await expectRefused(attacking, { type, ...base, ...dice, target: name }, 'unknown-territory')
      }
      await expectRefused(attacking, { type, ...dice, origin: target, target: origin }, 'not-your-territory')
      await expectRefused(attacking, { type, ...dice, origin, target: origin }, 'own-territory')
      await expectRefused(attacking, { type, ...dice, origin, target: far[0] }, 'not-adjacent')
      const most = standing[origin!]!.armies - 1
      for (const occupy of [most + 1, 1_000_000])
        await expectRefused(attacking, { type, ...base, ...dice, occupy }, 'occupy-out-of-range')
      for (const occupy of ['"all"', '"__proto__"', '"Least"'])
        await expectMalformed(
          attacking,
          json(type, { origin: `"${origin}"`, target: `"${target}"`, dice: '1', occupy }),
        )
    }
    for (const dice of [4, 1_000_000])
      await expectRefused(attacking, { type: 'attack', ...base, dice }, 'too-many-dice')
    for (const stopAt of [standing[origin!]!.armies, 1_000_000])
      await expectRefused(attacking, { type: 'assault', ...base, stopAt }, 'stop-at-out-of-range')
    for (const maxRolls of [501, 1_000_000])
      await expectRefused(attacking, { type: 'assault', ...base, maxRolls }, 'max-rolls-out-of-range')
    await expectMalformed(attacking, JSON.stringify({ type: 'attack', ...base, dice: 1, origin: 'ä' }))

    for (const name of NOWHERE) {
      await expectRefused(
        attacking,
        { type: 'fortify', origin: name, destination: own[0], armies: 1 },
        'unknown-territory',
      )
      await expectRefused(attacking, { type: 'fortify', origin, destination: name, armies: 1 }, 'unknown-territory')
    }
    expectProblem(
      await give(attacking, JSON.stringify({ type: 'fortify', origin, destination: target, armies: 1 })),
      422,
    )
    expectProblem(
      await give(attacking, JSON.stringify({ type: 'fortify', origin: target, destination: origin, armies: 1 })),
      422,
    )
    for (const type of ['claim', 'occupy', 'deploy', 'trade'])
      expectProblem(await give(attacking, json(type, FIELDS[type]!)), 422, type)
  })

  test('nothing is accepted in a finished game', async () => {
    for (const [type, fields] of Object.entries(FIELDS))
      for (const who of [finished.actor, finished.other])
        await expectRefused(finished, json(type, fields), 'game-not-running', who)
    for (const type of ['join', 'leave', 'start'])
      expectProblem(await give(finished, JSON.stringify({ type })), 422, type)
    expectProblem(await give(finished, '{"type":"resign"}', outsider), 403)
  })
})

describe('openings and profiles', () => {
  const opening = (fields: string) =>
    sendRaw(
      outsider,
      'POST',
      '/api/games',
      `{"commandId":"${newCommandId()}","kind":"conquest","visibility":"public",${fields}}`,
    )

  test('openings', async () => {
    for (const seats of [...NO_NUMBERS, '7', '100', '101']) expectProblem(await opening(`"seats":${seats}`), 400, seats)
    expectProblem(await opening('"seats":4,"options":{"map":"small"}'), 400)
    const OPTIONS: Readonly<Record<string, readonly string[]>> = {
      map: [...NO_TEXTS, '"__proto__"', '"constructor"', '"World"'],
      setup: [...NO_TEXTS, '"Deal"', '"__proto__"'],
      handicap: [...NO_TEXTS, '"some"'],
      cards: [...NO_TEXTS, '"toString"'],
      bastions: ['1', '0', '"true"', 'null', '[]'],
      vacated: [...NO_TEXTS, '"bot"'],
      turnSeconds: [...NO_NUMBERS.filter((text) => text !== 'null'), '59', '2592001'],
      missesToResign: [...NO_NUMBERS, '11'],
      roundLimit: [...NO_NUMBERS, '1000001'],
      x: ['1'],
      __proto__x: ['1'],
      constructor: ['{}'],
    }
    for (const [name, values] of Object.entries(OPTIONS))
      for (const value of values)
        expectProblem(await opening(`"seats":3,"options":{"${name}":${value}}`), 400, `${name} ${value}`)
    expectProblem(await opening('"seats":3,"options":{"__proto__":{"map":"small"}}'), 400)
    for (const options of ['null', '[]', '1', '"{}"'])
      expectProblem(await opening(`"seats":3,"options":${options}`), 400, options)
    for (const more of [
      '"visibility":"hidden"',
      '"kind":"__proto__"',
      '"kind":"constructor"',
      '"kind":""',
      '"kind":"Conquest"',
      '"kind":1',
    ])
      expectProblem(await opening(`"seats":3,${more}`), 400, more)
    for (const more of ['"id":"x"', '"secret":"00"', '"game":"x"', '"seed":1'])
      expectProblem(await opening(`"seats":3,${more}`), 400, more)
  })

  test('profiles', async () => {
    const profile = (body: string) => sendRaw(outsider, 'PUT', '/api/me', body)
    for (const name of [
      '""',
      '" "',
      '"\\n"',
      '"a\\u0000b"',
      '"\\u202eevil"',
      `"${'x'.repeat(41)}"`,
      '"\\ud83d"',
      '1',
      'null',
      '{}',
    ])
      expectProblem(await profile(`{"name":${name},"timeZone":"UTC"}`), 400, name)
    for (const zone of [
      '""',
      '"Nowhere"',
      '"__proto__"',
      '"constructor"',
      '"../etc"',
      `"${'x'.repeat(200)}"`,
      '1',
      'null',
      '"Europe/Vienna/x"',
    ])
      expectProblem(await profile(`{"name":"Ada","timeZone":${zone}}`), 400, zone)
    expectProblem(await profile('{"name":"Ada","timeZone":"UTC","subject":"x"}'), 400)
    expectProblem(await profile('{"name":"Ada"}'), 400)
  })
})
