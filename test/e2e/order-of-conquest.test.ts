/** R22–R26: what follows when a territory falls, in whole games and given order by order over the API. */

import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, test } from 'vitest'
import { createApi } from '../../functions/api.ts'
import { evolve, type GameState } from '../../shared/application/game-state.ts'
import type { ReadModels } from '../../shared/application/read-models.ts'
import { type LoggedGame, simulateLog } from '../../shared/application/simulate.ts'
import { conquest } from '../../shared/conquest/conquest.ts'
import type { ConquestState } from '../../shared/conquest/state.ts'
import { canonicalJson } from '../../shared/event-store/canonical-json.ts'
import { headOf } from '../../shared/event-store/chain.ts'
import type { Commit, Fact } from '../../shared/event-store/commit.ts'
import { createMemoryEventStore } from '../../shared/event-store/memory-store.ts'
import { withNewKey } from '../../shared/fair-dice/key-ring.ts'
import type { GameRules, Seat } from '../../shared/game-rules.ts'
import { eventOf } from '../support/api.ts'
import { testPorts } from '../support/play.ts'

const rules = conquest as unknown as GameRules
const greedy = rules.bots['greedy']!
/** Greedy, but says beforehand never how many move in, so that occupations are pending. */
const wishless: typeof greedy = {
  choose(...given) {
    const { occupy: _, ...order } = greedy.choose(...given) as Fact
    return order
  },
}
const simulated: GameRules = { ...rules, bots: { greedy, wishless } }
const SEED = 'the order of things'

interface Played extends LoggedGame {
  readonly bots: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
  readonly states: readonly GameState[]
}

function play(map: string, bots: readonly string[], index: number): Played {
  const options = conquest.schemas.options.parse({ map })
  const game = simulateLog({ rules: simulated, options, bots, seed: SEED }, index)
  const states: GameState[] = []
  for (const commit of game.commits) states.push(evolve(rules, states.at(-1) ?? null, commit))
  return { ...game, bots, options, states }
}

const GAMES: readonly Played[] = [0, 1, 2, 3, 4, 5].flatMap((index) => [
  play('small', ['wishless', 'greedy', 'wishless'], index),
  play('world', ['wishless', 'wishless', 'greedy'], index),
  play('world', ['wishless', 'greedy', 'wishless', 'wishless', 'greedy', 'wishless'], index),
])

const typesOf = ({ events }: Commit) => events.map(({ type }) => type)
const boardOf = (state: GameState) => (state as { game: ConquestState }).game
const handOf = (state: GameState, seat: Seat) => boardOf(state).hands[seat - 1]!.length

/** What is wrong with the order of a commit's events, or null (R22, R26). */
function faultIn(types: readonly string[]): string | null {
  const conquest = types.indexOf('territoryConquered')
  const over = types.indexOf('gameOver')
  if (over >= 0 && over !== types.length - 1) return 'something after the end'
  if (conquest < 0) return types.includes('handTaken') ? 'a hand taken without a conquest' : null
  if (types[conquest - 1] !== 'battleFought') return 'a conquest without a battle before it'
  const rest = types.slice(conquest + 1)
  const expected = ['commanderEliminated', 'handTaken', 'territoryOccupied', 'gameOver']
  const places = rest.map((type) => expected.indexOf(type))
  if (places.some((place, i) => place < 0 || (i > 0 && place <= places[i - 1]!))) return `after the conquest: ${rest}`
  if (rest.includes('commanderEliminated') !== rest.includes('handTaken')) return 'an elimination without its hand'
  if (rest.includes('gameOver') && !rest.includes('territoryOccupied')) return 'an end without an occupation'
  return null
}

describe('in every commit of whole games', () => {
  test('battle, conquest, elimination, hand, occupation, end: in this order', () => {
    const seen = new Set<string>()
    for (const { commits } of GAMES)
      for (const commit of commits) {
        expect(faultIn(typesOf(commit)), `${commit.n} ${typesOf(commit)}`).toBe(null)
        const from = typesOf(commit).indexOf('territoryConquered')
        if (from >= 0) seen.add(typesOf(commit).slice(from).join(' '))
      }
    expect([...seen].sort()).toEqual([
      'territoryConquered',
      'territoryConquered commanderEliminated handTaken',
      'territoryConquered commanderEliminated handTaken territoryOccupied',
      'territoryConquered commanderEliminated handTaken territoryOccupied gameOver',
      'territoryConquered territoryOccupied',
    ])
  })

  test('the checker finds every other order', () => {
    const right = [
      'battleFought',
      'territoryConquered',
      'commanderEliminated',
      'handTaken',
      'territoryOccupied',
      'gameOver',
    ]
    expect(faultIn(right)).toBe(null)
    for (let i = 0; i + 1 < right.length; i++) {
      expect(faultIn([...right.slice(0, i), right[i + 1]!, right[i]!, ...right.slice(i + 2)]), `${i}`).not.toBe(null)
    }
    for (const more of ['setTraded', 'cardDrawn', 'turnEnded'])
      for (let i = 2; i <= right.length; i++)
        expect(faultIn([...right.slice(0, i), more, ...right.slice(i)])).not.toBe(null)
  })

  test('the hand taken is the loser’s whole hand; a victory moves the least and reveals the secret, and nothing follows', () => {
    for (const { commits, states, ranking } of GAMES)
      for (const [i, commit] of commits.entries()) {
        const taken = commit.events.find(({ type }) => type === 'handTaken')
        if (taken) {
          const rival = taken['rival'] as Seat
          expect(taken['count']).toBe(handOf(states[i - 1]!, rival))
          expect(handOf(states[i]!, rival)).toBe(0)
        }
        const over = commit.events.find(({ type }) => type === 'gameOver')
        expect(commit.secret === null).toBe(over === undefined)
        if (!over) continue
        expect(i).toBe(commits.length - 1)
        expect(over['ranking']).toEqual(ranking)
        const conquered = commit.events.find(({ type }) => type === 'territoryConquered')!
        const occupied = commit.events.find(({ type }) => type === 'territoryOccupied')!
        expect(occupied['armies']).toBe(conquered['dice'])
        expect(typesOf(commit)).not.toContain('cardDrawn')
        expect(typesOf(commit)).not.toContain('setTraded')
      }
  })

  test('six cards or more after an elimination: trades down to four or fewer, then placement, before anything else (R23)', () => {
    let forced = 0
    for (const { commits, states } of GAMES)
      for (const [i, commit] of commits.entries()) {
        if (!typesOf(commit).includes('handTaken') || states[i]!.phase === 'over') continue
        const seat = commit.events.find(({ type }) => type === 'handTaken')!['seat'] as Seat
        let next = i + 1
        if (boardOf(states[i]!).situation.phase === 'occupy') {
          expect(commits[next]!.command.type).toBe('occupy')
          next += 1
        }
        if (handOf(states[i]!, seat) < 6) {
          expect(commits[next]!.command.type).not.toBe('trade')
          continue
        }
        forced += 1
        while (handOf(states[next - 1]!, seat) > 4) expect(commits[next++]!.command.type).toBe('trade')
        while ((boardOf(states[next - 1]!).situation as { pool?: number }).pool)
          expect(commits[next++]!.command.type).toBe('deploy')
        expect(['attack', 'assault', 'fortify', 'endTurn']).toContain(commits[next]!.command.type)
      }
    expect(forced).toBeGreaterThan(3)
  })
})

/** The API over a simulated game as it stood before commit `n`, and its orders given by whoever gave them. */
async function standingBefore({ commits, bots, options }: Played, n: number) {
  const ring = withNewKey(null, sha256(utf8ToBytes(['simulation', SEED, ...bots, canonicalJson(options)].join(' '))))
  const store = createMemoryEventStore()
  for (const commit of commits.slice(0, n - 1)) await store.append({ commit, snapshot: null, changesAwaited: true })
  const ports = { ...testPorts({ store, rules: [rules] }), keyRing: ring }
  const api = createApi({ ports, readModels: {} as ReadModels, log: (line) => expect(line).toBe(null) })
  const members = commits
    .flatMap(({ events }) => events.filter(({ type }) => type === 'seatTaken'))
    .map(({ member }) => member)
  const { game } = commits[0]!
  let orders = 0
  const give = async (seat: Seat, command: object) => {
    const [newest] = await store.readBackwards(game, 1)
    const body = { commandId: `given-${++orders}-${n}`, seen: headOf(newest!.commit), command }
    const event = eventOf('POST', `/api/games/${game}/commands`, { body })
    const jwt = { claims: { sub: `bot ${seat}` }, scopes: [] }
    const { statusCode, body: text } = await api({
      ...event,
      requestContext: { ...event.requestContext, authorizer: { jwt } },
    } as never)
    return { status: statusCode, json: JSON.parse(text!) }
  }
  return {
    /** Gives the very order of a commit again: the same dice, the same events. */
    async again(commit: Commit) {
      const seat = members.indexOf(commit.by as never) + 1
      const { status, json } = await give(seat, commit.command)
      expect(status, JSON.stringify(json)).toBe(200)
      expect(json.events).toEqual(commit.events)
      return json
    },
    async refuses(seat: Seat, command: object, refusal: string) {
      expect(await give(seat, command)).toMatchObject({ status: 422, json: { refusal } })
    },
  }
}

describe('over the API, order by order', () => {
  test('elimination, pending occupation, forced trade, placement, further attacks', async () => {
    const found = GAMES.flatMap((game) =>
      game.commits.flatMap((commit, i) => {
        const { situation } = boardOf(game.states[i]!) ?? {}
        if (situation?.phase !== 'occupy' || !typesOf(commit).includes('handTaken')) return []
        return handOf(game.states[i]!, situation.seat) >= 6 ? [{ game, i, seat: situation.seat }] : []
      }),
    )
    expect(found.length).toBeGreaterThan(0)
    for (const { game, i, seat } of found.slice(0, 3)) {
      const { commits, states } = game
      const table = await standingBefore(game, commits[i]!.n)
      await table.again(commits[i]!)
      const cards = boardOf(states[i]!).hands[seat - 1]!.map((card) => cardName(states[i]!, Number(card)))
      const own = landOf(states[i]!, seat)
      const trade = { type: 'trade', cards: cards.slice(0, 3) }
      const deploy = { type: 'deploy', placements: [{ territory: own, armies: 1 }] }
      for (const order of [trade, deploy, { type: 'endTurn' }]) await table.refuses(seat, order, 'must-occupy')

      let next = i + 1
      const { game: moved } = await table.again(commits[next++]!)
      expect(moved.view).toMatchObject({ phase: 'trade', occupation: null })
      while (handOf(states[next - 1]!, seat) > 4) {
        for (const order of [deploy, { type: 'endTurn' }, { type: 'occupy', armies: 1 }])
          await table.refuses(seat, order, 'must-trade')
        expect((await table.again(commits[next++]!)).events.map(({ type }: Fact) => type)).toEqual(['setTraded'])
      }
      await table.refuses(seat, { type: 'endTurn' }, 'must-place')
      await table.refuses(seat, trade, 'must-place')
      const { pool } = boardOf(states[next - 1]!).situation as { pool: number }
      await table.refuses(seat, { type: 'deploy', placements: [{ territory: own, armies: pool + 1 }] }, 'more-than-due')
      while ((boardOf(states[next - 1]!).situation as { pool?: number }).pool) await table.again(commits[next++]!)
      expect(boardOf(states[next - 1]!).situation.phase).toBe('attack')
      await table.again(commits[next]!)
    }
  })

  test('victory: whatever wish came with the order, the least moves in, and nothing is accepted afterwards', async () => {
    for (const game of GAMES.slice(0, 3)) {
      const last = game.commits.at(-1)!
      const winner = game.ranking[0]![0]!
      const { type, origin, target, dice } = last.command
      const battle = last.command.type === 'attack' ? { dice } : {}
      for (const wish of [{}, { occupy: 'most' }, { occupy: 'least' }]) {
        const table = await standingBefore(game, last.n)
        const command = { type, origin, target, ...battle, ...wish } as unknown as Fact
        const { game: view } = await table.again({ ...last, command })
        expect(view).toMatchObject({ phase: 'over', ranking: game.ranking, waitingFor: [] })
        for (const seat of game.ranking.flat()) await table.refuses(seat, { type: 'resign' }, 'game-not-running')
        await table.refuses(winner, command, 'game-not-running')
      }
    }
  })
})

function cardName(state: GameState, card: number): string {
  const territories = Object.keys(conquest.view(boardOf(state), { seat: null, open: true }).territories)
  return territories[card] ?? `wild-${card - territories.length + 1}`
}

function landOf(state: GameState, seat: Seat): string {
  const { territories } = conquest.view(boardOf(state), { seat: null, open: false })
  return Object.keys(territories).find((id) => territories[id]!.owner === seat)!
}
