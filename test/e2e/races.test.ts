/** Many orders at once, repeats and lost replies, over real HTTP: each order is played at most once, and the log has no gap. */

import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parts } from '../../local/parts.ts'
import { seededChance } from '../../shared/fair-dice/chance.ts'
import { type Heard, HttpCommander, type LegalOrder, newCommandId, playOn, type Sent } from '../support/http-client.ts'
import { type Folder, type LocalServing, serveLocally, temporaryFolder } from '../support/local-serving.ts'

let folder: Folder
let serving: LocalServing
let games = 0
let commanders: HttpCommander[]
let game: string

beforeAll(async () => {
  folder = await temporaryFolder()
  serving = await serveLocally(folder.path, parts)
})
afterAll(async () => {
  await serving.close()
  await folder.remove()
  expect(serving.complaints).toEqual([])
})

/** A game of three that has begun; the commander whose turn it is, with armies to place, comes first. */
beforeEach(async () => {
  games += 1
  const three = await Promise.all(
    ['anna', 'bela', 'cleo'].map((name) => HttpCommander.signIn(serving.origin, `${name}${games}`)),
  )
  const opened = await three[0]!.open({ map: 'world' }, 3)
  game = opened.game.game
  for (const other of three.slice(1)) await other.join(game, opened.head)
  const { seat } = (await three[0]!.read(`/api/games/${game}`)).game.waitingFor[0]
  commanders = [...three.slice(seat - 1), ...three.slice(0, seat - 1)]
})

/** As many different orders as wanted that are all legal now. */
async function deployments(count: number): Promise<Sent[]> {
  const { head, legal } = await commanders[0]!.read(`/api/games/${game}/legal`)
  const { territories } = legal.find(({ type }: LegalOrder) => type === 'deploy')
  return Array.from({ length: count }, (_, i) => {
    const placements = [
      { territory: territories[i % territories.length], armies: 1 + Math.floor(i / territories.length) },
    ]
    return { commandId: newCommandId(), seen: head, command: { type: 'deploy', placements } }
  })
}

/** The log, having checked that it has neither gap nor duplicate. */
async function soundLog(): Promise<Heard['json'][]> {
  const log = await commanders[0]!.log(game)
  expect(log.map(({ n }) => n)).toEqual(log.map((_, i) => i + 1))
  for (const [i, commit] of log.entries()) if (i > 0) expect(commit.previous).toBe(log[i - 1].hash)
  const orders = log.map(({ by, commandId }) => `${by} ${commandId}`)
  expect(new Set(orders).size).toBe(orders.length)
  return log
}

const timesPlayed = (log: Heard['json'][], commandId: string) =>
  log.filter((each) => each.commandId === commandId).length

/** Other commits: the game goes on over so many orders and the turns of others. */
const goOn = async (orders: number) => {
  const seated = [...commanders]
  for (const each of commanders) {
    const { you } = (await each.read(`/api/games/${game}`)).game
    seated[you - 1] = each
  }
  await playOn(seated, game, seededChance(`on ${games}`).pick, { most: orders })
}

/** Sends and breaks the connection as soon as the last byte is out, before any answer. */
function sendAndHangUp(commander: HttpCommander, sent: Sent): Promise<void> {
  const body = Buffer.from(JSON.stringify(sent))
  return new Promise((resolve) => {
    const headers = { ...commander.headers, 'content-type': 'application/json', 'content-length': body.length }
    const url = `${commander.origin}/api/games/${game}/commands`
    const outgoing = request(url, { method: 'POST', agent: false, headers })
    outgoing.on('error', () => {})
    outgoing.on('close', resolve)
    outgoing.end(body, () => setTimeout(() => outgoing.destroy(), 1))
  })
}

/** Waits until the order stands in the log. */
async function landed(commandId: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (timesPlayed(await commanders[0]!.log(game), commandId) > 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('the order never arrived')
}

test('20 clients send different orders with the same seen: one is taken, nineteen are overtaken', async () => {
  const orders = await deployments(20)
  expect(new Set(orders.map(({ command }) => JSON.stringify(command))).size).toBe(20)
  const clients = await Promise.all(orders.map(() => commanders[0]!.at(serving.origin)))
  const before = (await soundLog()).length
  const heard = await Promise.all(orders.map((order, i) => clients[i]!.command(game, order)))
  const taken = heard.filter(({ status }) => status === 200)
  expect(taken).toHaveLength(1)
  const { head } = taken[0]!.json
  for (const { status, json, headers } of heard.filter((each) => each !== taken[0])) {
    expect(status).toBe(409)
    expect(json).toMatchObject({ type: '/problems/overtaken', status: 409, head })
    expect(headers.get('content-type')).toBe('application/problem+json')
  }
  const log = await soundLog()
  expect(log).toHaveLength(before + 1)
  expect(log.at(-1)).toMatchObject({ ...head, commandId: orders[heard.indexOf(taken[0]!)]!.commandId })
})

test('20 guests take the last two seats at once: two sit, the game starts once', async () => {
  const opened = await commanders[0]!.open({ map: 'small' }, 3)
  game = opened.game.game
  const guests = await Promise.all(
    Array.from({ length: 20 }, (_, i) => HttpCommander.signIn(serving.origin, `guest${i}`)),
  )
  const join = { seen: opened.head, command: { type: 'join' } }
  const heard = await Promise.all(guests.map((guest) => guest.command(game, { ...join, commandId: newCommandId() })))
  const types = (await soundLog()).flatMap(({ events }) => events.map(({ type }: { type: string }) => type))
  expect(types.filter((type) => type === 'seatTaken')).toHaveLength(3)
  expect(types.filter((type) => type === 'gameStarted')).toHaveLength(1)
  expect(heard.filter(({ status }) => status === 200)).toHaveLength(2)
  for (const { status } of heard) expect([200, 409, 422]).toContain(status)
})

test('one order sent 50 times at once is played once and answered 50 times alike', async () => {
  const [order] = await deployments(1)
  const heard = await Promise.all(Array.from({ length: 50 }, () => commanders[0]!.command(game, order!)))
  expect(heard.map(({ status }) => status)).toEqual(heard.map(() => 200))
  expect(new Set(heard.map(({ text }) => text)).size).toBe(1)
  expect(timesPlayed(await soundLog(), order!.commandId)).toBe(1)
})

test('one opening sent 50 times at once is one game', async () => {
  const opening = { commandId: newCommandId(), kind: 'conquest', options: {}, seats: 3, visibility: 'private' }
  const heard = await Promise.all(Array.from({ length: 50 }, () => commanders[0]!.send('POST', '/api/games', opening)))
  expect(heard.map(({ status }) => status)).toEqual(heard.map(() => 201))
  expect(new Set(heard.map(({ text }) => text)).size).toBe(1)
})

test('after a lost reply the same order has the answer it would have had', async () => {
  const [first] = await deployments(1)
  await sendAndHangUp(commanders[0]!, first!)
  await landed(first!.commandId)
  const again = await commanders[0]!.command(game, first!)
  expect(again.status).toBe(200)
  const log = await soundLog()
  expect(timesPlayed(log, first!.commandId)).toBe(1)
  expect(again.json.head).toEqual({ n: log.length, hash: log.at(-1).hash })
  expect(again.json.events).toEqual(log.at(-1).events)
  expect((await commanders[0]!.command(game, first!)).text).toBe(again.text)
})

test('a roll whose reply was lost is not rolled again, though every try goes to another connection', async () => {
  const [deploy] = await deployments(1)
  const pool = (await commanders[0]!.read(`/api/games/${game}`)).game.view.pool
  const [placement] = (deploy!.command as { placements: { territory: string }[] }).placements
  const all = { type: 'deploy', placements: [{ ...placement, armies: pool }] }
  expect((await commanders[0]!.command(game, { ...deploy!, command: all })).status).toBe(200)
  const { head, legal } = await commanders[0]!.read(`/api/games/${game}/legal`)
  const assault = legal.find(({ type }: LegalOrder) => type === 'assault')
  const command = { type: 'assault', origin: assault.origin, target: assault.target, maxRolls: 1 }
  const sent = { commandId: newCommandId(), seen: head, command }
  for (let tries = 0; tries < 5; tries++) await sendAndHangUp(commanders[0]!, sent)
  await landed(sent.commandId)
  const log = await soundLog()
  expect(timesPlayed(log, sent.commandId)).toBe(1)
  expect((await commanders[0]!.command(game, sent)).json.events).toEqual(log.at(-1).events)
})

test('a repeat is answered as the first time: after 20 further commits, and with a refreshed seen', async () => {
  const [order] = await deployments(1)
  const first = await commanders[0]!.command(game, order!)
  expect(first.status).toBe(200)
  const refreshed = await commanders[0]!.command(game, { ...order!, seen: first.json.head })
  expect(refreshed.text).toBe(first.text)
  await goOn(21)
  const before = (await soundLog()).length
  expect(before).toBeGreaterThan(first.json.head.n + 20)
  expect((await commanders[0]!.command(game, order!)).text).toBe(first.text)
  expect((await commanders[0]!.command(game, { ...order!, commandId: order!.commandId.toUpperCase() })).text).toBe(
    first.text,
  )
  const log = await soundLog()
  expect(log).toHaveLength(before)
  expect(timesPlayed(log, order!.commandId)).toBe(1)
})

test('the same id for another command is refused; an equal id of another commander is another order', async () => {
  const [order, other] = await deployments(2)
  expect((await commanders[0]!.command(game, order!)).status).toBe(200)
  const reused = await commanders[0]!.command(game, { ...other!, commandId: order!.commandId })
  expect(reused).toMatchObject({ status: 422, json: { type: '/problems/command-id-reused' } })

  const resigning = { commandId: order!.commandId, seen: order!.seen, command: { type: 'resign' } }
  const resigned = await commanders[1]!.command(game, resigning)
  expect(resigned.status, resigned.text).toBe(200)
  expect(resigned.json.events[0]).toMatchObject({ type: 'commanderResigned' })
  const log = await soundLog()
  expect(timesPlayed(log, order!.commandId)).toBe(2)
  expect(new Set(log.filter((each) => each.commandId === order!.commandId).map(({ by }) => by)).size).toBe(2)
  expect((await commanders[1]!.command(game, resigning)).text).toBe(resigned.text)
})
