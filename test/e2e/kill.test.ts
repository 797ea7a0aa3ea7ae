/** kill −9 in the middle of a burst of orders, three times over the same folder. */

import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededChance } from '../../shared/fair-dice/chance.ts'
import {
  type Borders,
  chooseBoldly,
  fetchBorders,
  type Heard,
  HttpCommander,
  newCommandId,
  type Sent,
} from '../support/http-client.ts'
import { type Folder, temporaryFolder } from '../support/local-serving.ts'
import { type ServedProcess, startServedProcess } from '../support/served-process.ts'

const GAMES = 4
const { pick } = seededChance('kill −9')

/** An order as it was sent, and its answer if one came. */
interface Given {
  readonly game: string
  readonly name: string
  readonly sent: Sent
  answer: string | null
}

interface Opening {
  readonly name: string
  readonly body: { readonly commandId: string }
  answer: string | null
}

let folder: Folder
let serving: ServedProcess
const people = new Map<string, HttpCommander>()
const games: { readonly id: string; readonly names: readonly string[] }[] = []

beforeAll(async () => {
  folder = await temporaryFolder()
  await start()
})
afterAll(async () => {
  await serving.kill()
  await folder.remove()
})

async function start(): Promise<void> {
  serving = await startServedProcess(join(folder.path, 'data'))
  for (const name of people.keys()) people.set(name, await HttpCommander.signIn(serving.origin, name))
}

async function personNamed(name: string): Promise<HttpCommander> {
  const known = people.get(name) ?? (await HttpCommander.signIn(serving.origin, name))
  people.set(name, known)
  return known
}

/** Plays a game as fast as the answers come, until the server is gone. Each order goes out twice, over two connections. */
async function playUntilDeath(game: (typeof games)[number], borders: Borders, given: Given[]): Promise<void> {
  const [first] = game.names
  for (;;) {
    let sight: Heard['json']
    let legal: Heard['json']
    try {
      sight = (await people.get(first!)!.read(`/api/games/${game.id}`)).game
      if (sight.phase !== 'running') return
      legal = await people.get(game.names[sight.waitingFor[0].seat - 1]!)!.read(`/api/games/${game.id}/legal`)
    } catch {
      return
    }
    const name = game.names[sight.waitingFor[0].seat - 1]!
    const command = chooseBoldly(legal.legal, sight.view.territories, borders, pick)
    const order: Given = {
      game: game.id,
      name,
      answer: null,
      sent: { commandId: newCommandId(), seen: legal.head, command },
    }
    given.push(order)
    const heard = await Promise.allSettled([1, 2].map(() => people.get(name)!.command(game.id, order.sent)))
    for (const each of heard) {
      if (each.status === 'rejected') continue
      if (each.value.status !== 200) throw new Error(`${each.value.status} ${each.value.text}`)
      if (order.answer !== null) expect(each.value.text).toBe(order.answer)
      order.answer = each.value.text
    }
    if (heard.some(({ status }) => status === 'rejected')) return
  }
}

/** Opens games as fast as the answers come. */
async function openUntilDeath(opening: string, openings: Opening[]): Promise<void> {
  for (let n = 0; n < 20; n++) {
    const body = {
      commandId: newCommandId(),
      kind: 'conquest',
      options: { map: 'small' },
      seats: 2,
      visibility: 'public',
    }
    try {
      // A commander may not open many games a day.
      const name = `${opening}-${Math.floor(n / 10)}`
      const opener = await personNamed(name)
      const sent: Opening = { name, body, answer: null }
      openings.push(sent)
      const heard = await opener.send('POST', '/api/games', body)
      if (heard.status !== 201) throw new Error(`status ${heard.status} ${heard.text}`)
      sent.answer = heard.text
    } catch (error) {
      if (/status/.test(String(error))) throw error
      return
    }
  }
}

const timesPlayed = (log: Heard['json'][], { sent, name }: Given, by: ReadonlyMap<string, string>) =>
  log.filter((each) => each.commandId === sent.commandId && each.by === by.get(name)).length

/** Whose member ids are whose in a game, by the order of seats. */
const membersOf = (log: Heard['json'][], names: readonly string[]): ReadonlyMap<string, string> => {
  const taken = log.flatMap(({ events }) => events).filter(({ type }: { type: string }) => type === 'seatTaken')
  return new Map(taken.map(({ seat, member }) => [names[seat - 1]!, member]))
}

async function expectListsToAgree(openings: readonly Opening[]): Promise<void> {
  for (const [name, who] of people) {
    const listed = await who.list('mine')
    const expected = games.filter(({ names }) => names.includes(name)).map(({ id }) => id)
    for (const opening of openings)
      if (opening.name === name && opening.answer !== null) expected.push(JSON.parse(opening.answer).game.game)
    expect(listed.map(({ game }) => game)).toEqual(expect.arrayContaining(expected))
    for (const row of listed) {
      const { game } = await who.read(`/api/games/${row.game}`)
      const { phase, waitingFor, seatsTaken, you, ranking } = game
      expect(row).toMatchObject({ phase, waitingFor, seatsTaken, you, ranking })
    }
  }
  const who = people.get('anna0')!
  for (const row of await who.list('open')) {
    const { game } = await who.read(`/api/games/${row.game}`)
    expect(game).toMatchObject({ phase: 'gathering', seatsTaken: row.seatsTaken })
  }
}

test('games begin', async () => {
  for (let i = 0; i < GAMES; i++) {
    const names = [`anna${i}`, `bela${i}`, `cleo${i}`]
    const [host, ...others] = await Promise.all(names.map(personNamed))
    const opened = await host!.open({ map: 'world' }, 3)
    for (const other of others) await other.join(opened.game.game, opened.head)
    games.push({ id: opened.game.game, names })
  }
})

test.each([1, 2, 3])(
  'round %d: every acknowledged order is there, none twice, and the games go on',
  { timeout: 180_000 },
  async (round) => {
    const borders = await fetchBorders(serving.origin, 'world')
    const given: Given[] = []
    const openings: Opening[] = []
    const burst = [
      ...games.map((game) => playUntilDeath(game, borders, given)),
      ...[1, 2, 3, 4].map((i) => openUntilDeath(`opener${round}-${i}`, openings)),
    ]
    const wanted = 15 + pick(50)
    const played = () => given.filter(({ answer }) => answer !== null).length
    while (played() < wanted || openings.length < 12) await new Promise((resolve) => setTimeout(resolve, 5))
    await new Promise((resolve) => setTimeout(resolve, pick(30)))
    await serving.kill()
    await Promise.all(burst)
    const acknowledged = given.filter(({ answer }) => answer !== null)
    const unknown = given.filter(({ answer }) => answer === null)
    expect(acknowledged.length).toBeGreaterThan(10)
    expect(openings.length).toBeGreaterThan(10)

    await start()
    await expectListsToAgree(openings)
    for (const { id, names } of games) {
      const reader = people.get(names[0]!)!
      const log = await reader.log(id)
      const members = membersOf(log, names)
      expect(log.map(({ n }) => n)).toEqual(log.map((_, i) => i + 1))
      for (const order of acknowledged.filter(({ game }) => game === id)) {
        expect(timesPlayed(log, order, members)).toBe(1)
        const { head } = JSON.parse(order.answer!)
        expect(log[head.n - 1]).toMatchObject({ hash: head.hash, commandId: order.sent.commandId })
        expect((await people.get(order.name)!.command(id, order.sent)).text).toBe(order.answer)
      }
      for (const order of unknown.filter(({ game }) => game === id)) {
        expect(timesPlayed(log, order, members)).toBeLessThanOrEqual(1)
        const heard = await people.get(order.name)!.command(id, order.sent)
        expect(heard.status, heard.text).toBe(200)
        expect((await people.get(order.name)!.command(id, order.sent)).text).toBe(heard.text)
        expect(timesPlayed(await reader.log(id), order, members)).toBe(1)
      }
    }
    for (const { name, body, answer } of openings) {
      const heard = await people.get(name)!.send('POST', '/api/games', body)
      expect(heard.status, heard.text).toBe(201)
      if (answer !== null) expect(heard.text).toBe(answer)
      expect((await people.get(name)!.send('POST', '/api/games', body)).text).toBe(heard.text)
    }

    for (const { id, names } of games) {
      const sight = await people.get(names[0]!)!.read(`/api/games/${id}`)
      if (sight.game.phase !== 'running') continue
      const next = people.get(names[sight.game.waitingFor[0].seat - 1]!)!
      const heard = await next.give(id, (legal) => chooseBoldly(legal, sight.game.view.territories, borders, pick))
      expect(heard.json.head.n).toBe(sight.head.n + 1)
    }
    for (const { name } of openings) people.delete(name)
    expect(serving.stderr()).not.toMatch(/error|fault/i)
  },
)
