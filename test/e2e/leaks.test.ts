/** What is hidden stays hidden: nothing A is told depends on cards only B has seen, and no output holds what dice and salts come from. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createDynamoClient } from '../../functions/adapters/dynamodb/client.ts'
import { createDynamoEventStore } from '../../functions/adapters/dynamodb/event-store.ts'
import { parts } from '../../local/parts.ts'
import { loadGame } from '../../shared/application/load-game.ts'
import { conquest } from '../../shared/conquest/conquest.ts'
import { MAPS } from '../../shared/conquest/maps.ts'
import type { ConquestState } from '../../shared/conquest/state.ts'
import { digestOf } from '../../shared/event-store/chain.ts'
import type { Commit, ExportedCommit, Fact, GameId, StoredCommit } from '../../shared/event-store/commit.ts'
import { chanceKey, seededChance } from '../../shared/fair-dice/chance.ts'
import { type KeyRing, parseKeyRing } from '../../shared/fair-dice/key-ring.ts'
import { keyedHash } from '../../shared/fair-dice/keyed-hash.ts'
import { gameSecret, invitationCode, saltFor } from '../../shared/fair-dice/secret.ts'
import { type GameRules, type Seat, UNKNOWN } from '../../shared/game-rules.ts'
import { type Heard, HttpCommander, playOn } from '../support/http-client.ts'
import { formsOf, leaksIn, type SecretBytes } from '../support/leak-check.ts'
import { type Folder, type LocalServing, serveLocally, temporaryFolder } from '../support/local-serving.ts'
import { COMMANDERS, copyOf, playedTable, type Swap, swapsOf, type Table, twinOf } from '../support/twin-logs.ts'

const rules = conquest as unknown as GameRules
const CARDS = [...MAPS.world.territories.map(({ id }) => id), 'wild-1', 'wild-2']
const SPECTATOR = 'dora'

describe('no answer to A changes when only cards hidden from A change', () => {
  /** What differs by right: hashes, heads, digests and seals. */
  const BY_RIGHT = new Set(['hash', 'previous', 'seal', 'commandDigest', 'eventDigests'])

  /** An answer without what may differ. Head numbers stay. */
  const scrubbed = (text: string): unknown => {
    const strip = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(strip)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, BY_RIGHT.has(name) ? '' : strip(each)]),
      )
    }
    return text.split('\n').map((line) => {
      try {
        return strip(JSON.parse(line))
      } catch {
        return line
      }
    })
  }

  /** Every way to ask without changing anything. */
  const askAll = async (table: Table, as: string): Promise<Map<string, unknown>> => {
    const { head, state } = (await loadGame(table.ports, table.game))!
    const path = `/api/games/${table.game}`
    const answers = new Map<string, unknown>()
    const keep = async (method: string, url: string, asked = {}, what = '') => {
      const { status, text, headers } = await table.ask(as, method, url, asked)
      const { etag: _, ...others } = headers
      answers.set(`${method} ${url} ${what}`, [status, others, scrubbed(text)])
    }
    const { armies, owners } = (state as { game: ConquestState }).game
    const origin = armies.findIndex((each) => each > 1)
    const target = MAPS.world.neighbours[origin]!.find((each) => owners[each] !== owners[origin]) ?? 0
    for (const url of [
      path,
      `${path}/legal`,
      `${path}/events`,
      `${path}?at=999`,
      '/api/games?show=mine',
      '/api/games?show=open',
      '/api/me',
    ])
      await keep('GET', url)
    await keep('GET', `${path}/odds?origin=${CARDS[origin]}&target=${CARDS[target]}`)
    await keep('GET', `${path}/odds?attackers=5&defenders=3`)
    for (const accept of ['application/x-ndjson', 'text/plain'])
      await keep('GET', `${path}/events`, { headers: { accept } }, accept)
    for (let n = 1; n <= head.n; n += Math.max(1, Math.floor(head.n / 5))) await keep('GET', `${path}?at=${n}`)
    for (const [what, command] of Object.entries({
      nonsense: { type: 'nonsense' },
      notHeld: { type: 'trade', cards: ['wild-1', 'wild-2', CARDS[0]] },
      outOfTurn: { type: 'attack', origin: 'no-such', target: 'no-such', dice: 3 },
      started: { type: 'start' },
    })) {
      await keep('POST', `${path}/commands`, { body: { commandId: 'an-order-of-a', seen: head, command } }, what)
      const old = { n: 1, hash: (await table.stored())[0]!.commit.hash }
      await keep(
        'POST',
        `${path}/commands`,
        { body: { commandId: 'an-order-of-b', seen: old, command } },
        `${what} late`,
      )
    }
    return answers
  }

  /** Orders A may give now, one of each kind, but those by which A would draw or take a card: those are A's own to see. */
  const ordersOf = (state: ConquestState, seat: Seat): object[] => {
    const legal = conquest.legal(state, seat)
    const conquered = 'conquered' in state.situation && state.situation.conquered
    const orders: object[] = []
    for (const each of legal) {
      if (orders.some((order) => (order as Fact).type === each.type)) continue
      switch (each.type) {
        case 'claim':
          orders.push({ type: 'claim', territory: each.territories[0] })
          break
        case 'deploy':
          orders.push({ type: 'deploy', placements: [{ territory: each.territories[0], armies: each.total.most }] })
          break
        case 'trade':
          orders.push({ type: 'trade', cards: each.sets[0]!.cards })
          break
        case 'attack':
          orders.push({ type: 'attack', origin: each.origin, target: each.target, dice: each.dice.most })
          break
        case 'assault':
          orders.push({ type: 'assault', origin: each.origin, target: each.target })
          break
        case 'occupy':
          orders.push({ type: 'occupy', armies: each.armies.least })
          break
        case 'fortify':
          if (!conquered)
            orders.push({ type: 'fortify', origin: each.origin, destination: each.destination, armies: 1 })
          break
        case 'endTurn':
          if (!conquered) orders.push({ type: 'endTurn' })
          break
        case 'resign':
          orders.push({ type: 'resign' })
      }
    }
    return orders
  }

  const viewersOf = ({ confidants }: Swap) =>
    [...COMMANDERS, SPECTATOR]
      .map((as, i) => ({ as, seat: i < 3 ? i + 1 : null }))
      .filter(({ seat }) => seat === null || !confidants.includes(seat))

  /** A swap for each commander who holds something unseen. */
  const someSwaps = async (table: Table) => {
    const swaps = await swapsOf(table, CARDS)
    return [1, 2, 3].flatMap((seat) => swaps.filter((swap) => swap.seat === seat).slice(0, 1))
  }

  test.each([
    ['one', {}, 25],
    ['two', { cards: 'fixed' }, 60],
    ['three', { setup: 'claim', bastions: false }, 110],
    ['four', {}, 120],
    ['five', { cards: 'fixed', handicap: 'balanced' }, 180],
  ])('game %s: all that is asked, and all that is ordered', async (seed, options, orders) => {
    const table = await playedTable(rules, options, seed, orders)
    const { state, head } = (await loadGame(table.ports, table.game))!
    expect(state.phase).toBe('running')
    const swaps = await someSwaps(table)
    expect(swaps.length).toBeGreaterThan(0)
    let ordered = 0
    for (const swap of swaps) {
      const twin = await twinOf(table, swap)
      const mine = COMMANDERS[swap.seat - 1]!
      expect(await askAll(twin, mine), 'the twin is another game to its holder').not.toEqual(await askAll(table, mine))
      for (const { as, seat } of viewersOf(swap)) {
        expect(await askAll(twin, as)).toEqual(await askAll(table, as))
        if (seat === null) continue
        for (const command of ordersOf((state as { game: ConquestState }).game, seat)) {
          const answers: unknown[] = []
          for (const side of [table, twin]) {
            const fresh = await copyOf(side, await side.stored())
            const seen = (await loadGame(fresh.ports, fresh.game))!.head
            const body = { commandId: 'a-new-order', seen, command }
            const { status, text } = await fresh.ask(as, 'POST', `/api/games/${fresh.game}/commands`, { body })
            expect(status, text).toBe(200)
            const events: Fact[] = JSON.parse(text).events
            // A takes B's hand and so may see it.
            if (events.some((event) => event.type === 'handTaken' && event['seat'] === seat)) continue
            answers.push(scrubbed(text), await askAll(fresh, as))
          }
          expect(answers.slice(2)).toEqual(answers.slice(0, 2))
          ordered += answers.length / 4
        }
      }
      expect((await loadGame(twin.ports, twin.game))!.head.n).toBe(head.n)
    }
    expect(ordered).toBeGreaterThan(2)
  })

  const SABOTAGES: readonly [string, Partial<GameRules>][] = [
    ['a view with all hands', { view: (state, viewer) => rules.view(state, { ...viewer, open: true }) }],
    ['events without redaction', { redactEvent: (event) => event }],
    [
      'legal orders that tell of the hands of others',
      { legal: (state, seat) => [rules.legal(state, seat), (state as ConquestState).hands] },
    ],
    [
      'odds that depend on cards',
      { odds: (state) => ({ odds: (state as ConquestState).hands.map((hand) => hand.map((card) => String(card))) }) },
    ],
    ['a story that names cards', { redactEvent: (event) => event, narrate: (event) => [JSON.stringify(event)] }],
    [
      'a task that names a card',
      {
        waitingFor: (state) =>
          rules.waitingFor(state).map((each) => ({ ...each, task: `${each.task} ${(state as ConquestState).hands}` })),
      },
    ],
  ]
  test.each(SABOTAGES)('planted: %s is noticed', async (_, sabotage) => {
    const table = await playedTable(rules, {}, 'one', 25)
    const [swap] = await someSwaps(table)
    const twin = await twinOf(table, swap!)
    const leaky = { ...rules, ...sabotage }
    const sides = [await copyOf(table, await table.stored(), leaky), await copyOf(twin, await twin.stored(), leaky)]
    const { as } = viewersOf(swap!)[0]!
    expect(await askAll(sides[0]!, as)).not.toEqual(await askAll(sides[1]!, as))
  })

  test('what is written down of a damaged log names none of what it hangs on', async () => {
    const table = await playedTable(rules, {}, 'two', 40)
    const stored = await table.stored()
    const last = stored.at(-1)!
    const broken: StoredCommit = { ...last, commit: { ...last.commit, seal: '0'.repeat(64) } }
    const damaged = await copyOf(table, [...stored.slice(0, -1), broken])
    const heard = await damaged.ask('anna', 'GET', `/api/games/${table.game}`)
    expect(heard.status).toBe(500)
    expect(damaged.lines).toHaveLength(1)
    const { secret } = (await loadGame(table.ports, table.game))!
    const secrets = secretsOf(
      stored.map(({ commit }) => commit),
      secret,
      table.ports.keyRing,
      null,
    )
    expect(leaksIn([heard.text, JSON.stringify(damaged.lines)], secrets)).toEqual([])
  })
})

/** Whether a viewer may see neither the content of an event nor its salt. */
function hiddenFrom(event: Fact, seat: Seat | null): boolean {
  return rules.hidden.events.includes(event.type) && rules.redactEvent(event, { seat, open: false }) !== event
}

/** All that must never leave the house while the game runs, as far as this viewer is concerned. */
function secretsOf(commits: readonly Commit[], secret: Uint8Array, ring: KeyRing, seat: Seat | null): SecretBytes[] {
  const secrets: SecretBytes[] = [{ what: 'the secret', bytes: secret }]
  for (const { name, key } of ring.keys) secrets.push({ what: `master key ${name}`, bytes: key })
  const start = commits.find(({ events }) => events.some(({ type }) => type === 'gameStarted'))!
  const key = chanceKey(secret, start.previous)
  secrets.push({ what: 'the chance key', bytes: key })
  for (let n = 1; n <= commits.length + 8; n++)
    for (let block = 0; block < 3; block++)
      secrets.push({ what: `block ${block} of commit ${n}`, bytes: keyedHash(key, 'chance', n, block) })
  for (const { n, events } of commits)
    for (const [i, event] of events.entries())
      if (hiddenFrom(event, seat))
        secrets.push({
          what: `the salt of event ${i + 1} of commit ${n}`,
          bytes: Buffer.from(saltFor(secret, n, i + 1), 'hex'),
        })
  return secrets
}

/** Which hidden contents could be found by trying every card against the digests a viewer has, with every salt that viewer has. */
function guessed(log: readonly ExportedCommit[]): readonly string[] {
  const salts = [
    null,
    ...new Set(log.flatMap((each) => [each.commandSalt, ...each.eventSalts]).filter((salt) => salt !== null)),
  ]
  // What else a viewer might take for a salt.
  for (const { hash, previous, seal } of log) salts.push(hash, previous, seal)
  const targets = new Map<string, string>()
  const candidates: Fact[] = []
  for (const { n, events, eventDigests } of log) {
    for (const [i, event] of events.entries()) {
      if (event['card'] === UNKNOWN) candidates.push(...CARDS.map((card) => ({ ...event, card })))
      else if (event['cards'] === UNKNOWN && event['count'] === 1)
        candidates.push(...CARDS.map((card) => ({ ...event, cards: [card] })))
      else if (event['cards'] !== UNKNOWN) continue
      targets.set(eventDigests[i]!, `event ${i + 1} of commit ${n}`)
    }
  }
  const different = [...new Map(candidates.map((each) => [JSON.stringify(each), each])).values()]
  return different.flatMap((content) => salts.flatMap((salt) => targets.get(digestOf(content, salt)) ?? []))
}

describe('the outputs of a running game', () => {
  let folder: Folder
  let serving: LocalServing
  let id: GameId
  let ring: KeyRing
  let secret: Uint8Array
  let commits: readonly Commit[]
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const viewers: {
    readonly who: HttpCommander
    readonly seat: Seat | null
    readonly texts: string[]
    log: ExportedCommit[]
  }[] = []

  beforeAll(async () => {
    folder = await temporaryFolder()
    serving = await serveLocally(folder.path, parts)
    for (const name of ['ada', 'ben', 'cem', 'spectator'])
      viewers.push({
        who: await HttpCommander.signIn(serving.origin, name),
        seat: name === 'spectator' ? null : viewers.length + 1,
        texts: [],
        log: [],
      })
    const seated = viewers.slice(0, 3).map(({ who }) => who)
    const opened = await seated[0]!.open({ map: 'world' }, 3, 'public')
    id = opened.game.game
    for (const { who, texts } of viewers.slice(1, 3)) texts.push(JSON.stringify(await who.join(id, opened.head)))
    viewers[0]!.texts.push(JSON.stringify(opened))
    const { pick } = seededChance('what everyone hears')
    // Far enough that many cards are held, and not to the end.
    for (let rounds = 0; rounds < 12; rounds++) {
      const { game } = await playOn(seated, id, pick, { most: 14 })
      if (game.phase !== 'running') throw new Error('over too soon')
      for (const viewer of viewers) await listen(viewer)
      if (game.view.commanders.every(({ cards }: { cards: number }) => cards > 1)) break
    }
    for (const viewer of viewers) viewer.log = await viewer.who.log(id)
    ring = parseKeyRing(await readFile(join(folder.path, 'master-keys.json'), 'utf8'))
    secret = gameSecret(ring.keys[0]!.key, id)
    commits = await storedCommits()
  })
  afterAll(async () => {
    await serving.close()
    await folder.remove()
  })

  const storedCommits = async (): Promise<readonly Commit[]> => {
    const client = createDynamoClient({ endpoint: serving.dynamoEndpoint, region: 'local' })
    const stored = await createDynamoEventStore({ client, table: 'events' }).readForwards(id, 0, 10_000)
    client.destroy()
    return stored.map(({ commit }) => commit)
  }

  /** Everything this viewer can get to hear, headers too. */
  const listen = async ({ who, texts, seat }: (typeof viewers)[number]) => {
    const keep = ({ text, headers }: Heard) => texts.push(text, JSON.stringify([...headers]))
    const path = `/api/games/${id}`
    const { head, game } = await who.read(path)
    const owners = game.view.territories as Record<string, { owner: number; armies: number }>
    const origin = Object.keys(owners).find((each) => owners[each]!.armies > 1)
    for (const url of [
      path,
      `${path}?at=${Math.ceil(head.n / 2)}`,
      `${path}?at=0`,
      `${path}?at=99999`,
      `${path}/legal`,
      `${path}/events`,
      '/api/games?show=mine',
      '/api/games?show=open',
      '/api/me',
      '/api/nothing',
      `/api/invitations/${id}-${'a'.repeat(20)}`,
      `${path}/odds?attackers=4&defenders=3`,
      `${path}/odds?origin=${origin}&target=nowhere`,
    ])
      keep(await who.get(url))
    for (const accept of ['application/x-ndjson', 'text/plain']) keep(await who.get(`${path}/events`, { accept }))
    const sent = { commandId: `an-order-of-${seat}`, seen: head }
    for (const command of [
      { type: 'trade', cards: ['wild-1', 'wild-2', 'x'] },
      { type: 'claim', territory: origin },
      { type: 'join' },
      { type: 'nonsense' },
    ]) {
      keep(await who.command(id, { ...sent, command }))
      keep(await who.command(id, { ...sent, seen: { n: 1, hash: '0'.repeat(64) }, command }))
    }
  }

  test('hold no secret, no salt of what is hidden, no chance key or block, no master key, in any form', () => {
    for (const { texts, log, seat } of viewers) {
      const secrets = secretsOf(commits, secret, ring, seat)
      expect(secrets.filter(({ what }) => what.startsWith('the salt')).length).toBeGreaterThan(2)
      expect(texts.join('').length).toBeGreaterThan(100_000)
      expect(leaksIn([...texts, JSON.stringify(log)], secrets)).toEqual([])
    }
    const lines = said.mock.calls.map((line) => line.join(' '))
    expect(leaksIn([...lines, ...serving.complaints], secretsOf(commits, secret, ring, null))).toEqual([])
  })

  test('show hidden cards to nobody else', () => {
    for (const { log, seat } of viewers)
      for (const [i, { events }] of log.entries())
        for (const [place, event] of events.entries()) {
          const whole = commits[i]!.events[place]!
          if (!hiddenFrom(whole, seat)) expect(event).toEqual(whole)
          else expect([event['card'] ?? event['cards'], log[i]!.eventSalts[place]]).toEqual([UNKNOWN, null])
        }
  })

  test('no hidden digest is that of any card, unsalted or with any salt in sight', () => {
    for (const { log } of viewers) {
      const hidden = log.flatMap(({ events }) =>
        events.filter((event) => event['card'] === UNKNOWN || event['cards'] === UNKNOWN),
      )
      expect(hidden.length).toBeGreaterThan(2)
      expect(guessed(log)).toEqual([])
    }
  })

  test('the preview and the log of a private game hold no invitation but what its host is told', async () => {
    const [host, guest] = viewers.map(({ who }) => who) as [HttpCommander, HttpCommander]
    const opened = await host.open({}, 2, 'private')
    const game: GameId = opened.game.game
    const { invitation } = opened
    expect(invitation).toBe(`${game}-${invitationCode(ring.keys[0]!.key, game)}`)
    const code = invitation.slice(21)
    const preview = await guest.get(`/api/invitations/${invitation}`)
    expect(preview.status).toBe(200)
    const joined = await guest.join(game, opened.head, { invitation })
    const texts = [preview.text, JSON.stringify(joined), (await guest.get(`/api/games/${game}`)).text]
    for (const who of [host, guest])
      for (const accept of ['application/json', 'application/x-ndjson', 'text/plain'])
        texts.push((await who.get(`/api/games/${game}/events`, { accept })).text)
    expect(texts.filter((text) => text.includes(code))).toEqual([])
    const ofGame = gameSecret(ring.keys[0]!.key, game)
    expect(
      leaksIn(texts, [
        { what: 'the secret', bytes: ofGame },
        { what: 'the master key', bytes: ring.keys[0]!.key },
      ]),
    ).toEqual([])
  })

  test('planted canaries are found: every kind of secret in every form, and a salt beside its digest', () => {
    const { texts, log, seat } = viewers[3]!
    const secrets = secretsOf(commits, secret, ring, seat)
    const kinds = ['the secret', 'master key', 'the chance key', 'block 2 of commit 7', 'the salt']
    for (const kind of kinds) {
      const planted = secrets.find(({ what }) => what.startsWith(kind))!
      for (const [form, text] of Object.entries(formsOf(planted.bytes)))
        expect(leaksIn([...texts, `x${text}x`], secrets)).toContain(`${planted.what} as ${form}`)
    }
    const commit = log.find(({ events }) => events.some((event) => event['card'] === UNKNOWN))!
    const place = commit.events.findIndex((event) => event['card'] === UNKNOWN)
    const salt = saltFor(secret, commit.n, place + 1)
    const withSalt = log.map((each) => (each === commit ? { ...each, commandSalt: salt } : each))
    expect(guessed(withSalt)).toEqual([`event ${place + 1} of commit ${commit.n}`])
    const unsalted = digestOf(commits[commit.n - 1]!.events[place]!, null)
    const withPlainDigest = log.map((each) =>
      each === commit ? { ...each, eventDigests: each.eventDigests.with(place, unsalted) } : each,
    )
    expect(guessed(withPlainDigest)).toEqual([`event ${place + 1} of commit ${commit.n}`])
  })
})
