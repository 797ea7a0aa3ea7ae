/** Whole games over HTTP by a client that knows no rules; and that what anyone downloads is what anyone is shown, at every commit. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDynamoClient } from '../../functions/adapters/dynamodb/client.ts'
import { createDynamoEventStore } from '../../functions/adapters/dynamodb/event-store.ts'
import { parts } from '../../local/parts.ts'
import { viewOf } from '../../shared/application/answer.ts'
import { exportFor } from '../../shared/application/export-log.ts'
import { evolve, type GameState, seatOf } from '../../shared/application/game-state.ts'
import { conquest } from '../../shared/conquest/conquest.ts'
import { verifyLink } from '../../shared/event-store/chain.ts'
import type { Commit, Fact, GameId } from '../../shared/event-store/commit.ts'
import { seededChance } from '../../shared/fair-dice/chance.ts'
import { type GameRules, UNKNOWN, type Viewer } from '../../shared/game-rules.ts'
import { HttpCommander, playOn } from '../support/http-client.ts'
import { type Folder, type LocalServing, serveLocally, temporaryFolder } from '../support/local-serving.ts'

const rules = conquest as unknown as GameRules
let folder: Folder
let serving: LocalServing
let hiddenCards = 0

beforeAll(async () => {
  folder = await temporaryFolder()
  serving = await serveLocally(folder.path, parts)
})
afterAll(async () => {
  await serving.close()
  await folder.remove()
  expect(serving.complaints).toEqual([])
})

const GAMES = [
  { options: { map: 'small', setup: 'deal', cards: 'escalating', bastions: true }, seats: 3 },
  { options: { map: 'small', setup: 'deal', cards: 'fixed', bastions: false }, seats: 2 },
  { options: { map: 'small', setup: 'claim', cards: 'fixed', bastions: true }, seats: 3 },
  { options: { map: 'small', setup: 'claim', cards: 'escalating', bastions: false }, seats: 2 },
  { options: { map: 'small', setup: 'deal', cards: 'fixed', bastions: true, handicap: 'balanced' }, seats: 2 },
  { options: { map: 'small', setup: 'claim', cards: 'escalating', bastions: false }, seats: 3 },
  { options: { map: 'world', setup: 'deal', cards: 'escalating', bastions: true }, seats: 2 },
].map((game) => ({ ...game, name: `${game.seats} commanders, ${Object.values(game.options).join(' ')}` }))

test.each(GAMES)('$name', { timeout: 180_000 }, async ({ options, seats, name }) => {
  const { pick } = seededChance(name)
  const commanders: HttpCommander[] = []
  for (let seat = 1; seat <= seats; seat++)
    commanders.push(await HttpCommander.signIn(serving.origin, `c${seat}-${GAMES.findIndex((g) => g.name === name)}`))
  const spectator = await HttpCommander.signIn(serving.origin, 'spectator')
  const viewers = [...commanders, spectator].map((who, i) => ({ who, seat: i < seats ? i + 1 : null }))

  const opened = await commanders[0]!.open(options, seats)
  const id: GameId = opened.game.game
  await serving.stream.drain(5_000)
  expect((await spectator.list('open')).filter(({ game }) => game === id)).toMatchObject([
    { phase: 'gathering', seats, seatsTaken: 1, you: null },
  ])
  for (const other of commanders.slice(1)) await other.join(id, opened.head)
  await serving.stream.drain(5_000)
  expect((await spectator.list('open')).filter(({ game }) => game === id)).toEqual([])

  /** What each viewer has been shown, by viewer and commit, while the game was running. */
  const downloads: { readonly head: number; readonly logs: readonly Commit[][] }[] = []
  let checked = 0
  /** Whether viewer and fold agree on each of these commits; `readers`: who of the viewers reads commit n. */
  const compare = async (
    logs: readonly Commit[][],
    from: number,
    open: boolean,
    readers: (n: number) => readonly number[],
  ) => {
    const folds = logs.map(foldAll)
    for (let n = from; n <= logs[0]!.length; n++)
      for (const place of readers(n)) {
        const { who, seat } = viewers[place]!
        const shown = await who.read(`/api/games/${id}?at=${n}`)
        expect(shown.head).toEqual({ n, hash: logs[place]![n - 1]!.hash })
        expect(shown.game).toEqual(plain(viewOf(rules, id, folds[place]![n - 1]!, { seat, open })))
      }
  }
  const everyone = viewers.map((_, place) => place)
  const download = (): Promise<Commit[][]> => Promise.all(viewers.map(({ who }) => who.log(id)))

  const last = await playOn(commanders, id, pick, {
    watch: async (n) => {
      if (n - checked < (options.map === 'small' ? 12 : 40)) return
      if ((await spectator.read(`/api/games/${id}`)).game.phase === 'over') return
      const logs = await download()
      downloads.push({ head: n, logs })
      await compare(logs, checked + 1, false, () => everyone)
      await serving.stream.drain(5_000)
      for (const { who, seat } of viewers.slice(0, seats)) {
        const [listed] = (await who.list('mine')).filter(({ game }) => game === id)
        const { game } = await who.read(`/api/games/${id}`)
        expect(listed).toMatchObject({ phase: 'running', you: seat, waitingFor: game.waitingFor, ranking: null })
      }
      checked = n
    },
  })

  expect(last.game.phase).toBe('over')
  expect(last.game.view.ending).toBe('conquest')
  const ranking: number[][] = last.game.ranking
  expect(ranking.every((place) => place.length === 1)).toBe(true)
  expect(ranking.flat().toSorted()).toEqual(Array.from({ length: seats }, (_, i) => i + 1))
  const winner = ranking[0]![0]!
  const owners = Object.values(last.game.view.territories as Record<string, { owner: number }>).map(
    ({ owner }) => owner,
  )
  expect(owners.every((owner) => owner === winner || owner === 0)).toBe(true)
  const { n } = last.head
  // Now everything is open to everyone, its whole past too: one reads each commit for all.
  const logs = await download()
  for (const log of logs) expect(log).toEqual(logs[0])
  expect(logs[0]).toHaveLength(n)
  await compare(logs, 1, true, (commit) => (commit === n ? everyone : [commit % viewers.length]))

  hiddenCards += downloads.flatMap(({ logs }) => logs.flat()).flatMap(({ events }) => events.filter(isRedacted)).length

  const stored = await storedCommits(id)
  expect(stored).toHaveLength(n)
  const states = foldAll(stored)
  const secret = Buffer.from(stored.at(-1)!.secret!, 'hex')
  for (const [i, commit] of stored.entries())
    expect(verifyLink(stored[i - 1] ?? null, commit, secret, rules.hidden)).toBe(null)
  for (const [place, { seat }] of viewers.entries()) {
    const viewer: Viewer = { seat, open: false }
    const redacted = stored.map((commit) =>
      exportFor(rules, commit, secret, commit.by === 'server' ? 'server' : seatOf(states.at(-1)!, commit.by)!, viewer),
    )
    for (const [i, state] of foldAll(redacted).entries())
      expect(viewOf(rules, id, state, viewer)).toEqual(viewOf(rules, id, states[i]!, viewer))
    for (const { head, logs } of downloads) expect(logs[place]).toEqual(plain(redacted.slice(0, head)))
  }

  await serving.stream.drain(5_000)
  for (const { who, seat } of viewers.slice(0, seats)) {
    const [listed] = (await who.list('mine')).filter(({ game }) => game === id)
    expect(listed).toMatchObject({ phase: 'over', you: seat, waitingFor: [], ranking })
  }
  expect((await spectator.list('mine')).filter(({ game }) => game === id)).toEqual([])
})

test('what was downloaded hid cards', () => {
  expect(hiddenCards).toBeGreaterThan(50)
})

const isRedacted = (event: Fact) => event['card'] === UNKNOWN || event['cards'] === UNKNOWN
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

/** The state after each commit. */
function foldAll(commits: readonly Commit[]): readonly GameState[] {
  const states: GameState[] = []
  for (const commit of commits) states.push(evolve(rules, states.at(-1) ?? null, commit))
  return states
}

async function storedCommits(id: GameId): Promise<readonly Commit[]> {
  const client = createDynamoClient({ endpoint: serving.dynamoEndpoint, region: 'local' })
  try {
    const stored = await createDynamoEventStore({ client, table: 'events' }).readForwards(id, 0, 10_000)
    return stored.map(({ commit }) => commit)
  } finally {
    client.destroy()
  }
}
