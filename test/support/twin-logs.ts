/** Two games that differ in nothing but cards some commander holds unseen: whoever cannot see them must not be able to tell. */

import { createApi } from '../../functions/api.ts'
import { draftCommit } from '../../shared/application/commit-draft.ts'
import type { GameState } from '../../shared/application/game-state.ts'
import { giveCommand } from '../../shared/application/give-command.ts'
import { loadGame } from '../../shared/application/load-game.ts'
import { openGame } from '../../shared/application/open-game.ts'
import type { Person, Ports } from '../../shared/application/ports.ts'
import { type ReadModels, rowOf } from '../../shared/application/read-models.ts'
import type { ConquestState } from '../../shared/conquest/state.ts'
import { headOf, NO_HEAD } from '../../shared/event-store/chain.ts'
import type { Fact, GameId, MemberId, StoredCommit } from '../../shared/event-store/commit.ts'
import { createMemoryEventStore } from '../../shared/event-store/memory-store.ts'
import { seededChance } from '../../shared/fair-dice/chance.ts'
import { memberIdFor } from '../../shared/fair-dice/secret.ts'
import type { GameRules, Seat } from '../../shared/game-rules.ts'
import { gamesOf } from '../../shared/games.ts'
import { type Asked, eventOf, type Told } from './api.ts'
import { answered, freshId, person, TEST_RING, testPorts } from './play.ts'

export const COMMANDERS = ['anna', 'bela', 'cleo'] as const
const NOON = Date.UTC(2026, 11, 1, 12)

/** A game over a store of its own, with the functions of the API over it. */
export interface Table {
  readonly ports: Ports
  readonly game: GameId
  readonly rules: GameRules
  /** What the functions have written down. */
  readonly lines: unknown[]
  ask(as: string, method: string, url: string, asked?: Asked): Promise<Told>
  stored(): Promise<readonly StoredCommit[]>
}

/** A game of three that bots have played for so many orders, or to its end. */
export async function playedTable(
  rules: GameRules,
  options: Readonly<Record<string, unknown>>,
  seed: string,
  orders: number,
): Promise<Table> {
  const ports: Ports = { ...testPorts({ rules: [rules] }), now: () => NOON }
  const persons = COMMANDERS.map(person)
  const request = { kind: rules.kind, options, seats: persons.length, visibility: 'public' as const }
  const opened = answered(await openGame(ports, { person: persons[0]!, commandId: freshId(), request }))
  const game = opened.game.game
  for (const each of persons.slice(1)) await giveAs(ports, game, each, { type: 'join' })
  const { pick } = seededChance(seed)
  for (let given = 0; given < orders; given++) {
    const { state } = (await loadGame(ports, game))!
    if (state.phase !== 'running') break
    const { seat } = rules.waitingFor(state.game)[0]!
    const legal = rules.legal(state.game, seat)
    const command = rules.bots['greedy']!.choose(rules.view(state.game, { seat, open: false }), legal, seat, pick)
    await giveAs(ports, game, persons[seat - 1]!, command as Fact)
  }
  return tableOver(ports, game, rules)
}

async function giveAs(ports: Ports, game: GameId, who: Person, command: Fact): Promise<void> {
  const { head } = (await loadGame(ports, game))!
  answered(await giveCommand(ports, { game, person: who, commandId: freshId(), seen: head, command }))
}

function tableOver(ports: Ports, game: GameId, rules: GameRules): Table {
  const lines: unknown[] = []
  const api = createApi({ ports, readModels: readModelsOver(ports, game), log: (line) => lines.push(line) })
  return {
    ports,
    game,
    rules,
    lines,
    async ask(as, method, url, asked = {}) {
      const { statusCode, headers, body = '' } = await api(eventOf(method, url, { ...asked, as }))
      return { status: statusCode!, headers: headers as Record<string, string>, text: body, json: undefined }
    },
    stored: () => ports.store.readForwards(game, 0, 100_000),
  }
}

/** Read models of the one game, always up to date. */
function readModelsOver(ports: Ports, game: GameId): ReadModels {
  const page = async () => {
    const loaded = (await loadGame(ports, game))!
    const key = TEST_RING.keys[0]!.key
    const persons = new Map<MemberId, Person>(
      COMMANDERS.map((name) => [memberIdFor(key, game, person(name).subject), person(name)]),
    )
    return { rows: [{ row: rowOf(loaded, NOON), persons }], next: null }
  }
  const profiles = { profileOf: async () => null, keepProfile: async () => {} }
  return { gamesOf: page, lobby: page, ...profiles } as unknown as ReadModels
}

/** The same table over commits of its own; `rules` in place of those it was played by. */
export async function copyOf(table: Table, commits: readonly StoredCommit[], rules = table.rules): Promise<Table> {
  const store = createMemoryEventStore()
  for (const each of commits) await store.append(each)
  return tableOver({ ...table.ports, store, games: gamesOf([rules]) }, table.game, rules)
}

/** A card that only `seat` and `confidants` have ever seen, and one that nobody has: they may change places. */
export interface Swap {
  readonly seat: Seat
  readonly card: string
  readonly instead: string
  readonly confidants: readonly Seat[]
}

/** Every card that a commander holds now and that was drawn unseen, with an undrawn one to put in its place. */
export async function swapsOf(table: Table, cardIds: readonly string[]): Promise<readonly Swap[]> {
  const events = (await table.stored()).flatMap(({ commit }) => commit.events)
  const { state } = (await loadGame(table.ports, table.game))!
  const { hands } = (state as GameState & { game: ConquestState }).game
  const named = (event: Fact): readonly unknown[] => [event['card'], event['cards']].flat()
  const drawn = new Set(events.flatMap(named))
  const undrawn = cardIds.filter((card) => !drawn.has(card))
  return hands.flatMap((hand, i) =>
    hand.flatMap((card): Swap[] => {
      const id = cardIds[card as number]!
      const showing = events.filter((event) => named(event).includes(id))
      const instead = undrawn[showing.length % undrawn.length]
      if (instead === undefined || showing.some(({ type }) => type === 'setTraded')) return []
      const confidants = new Set(showing.flatMap((event) => [event['seat'] as Seat, (event['rival'] ?? 0) as Seat]))
      return [{ seat: i + 1, card: id, instead, confidants: [...confidants] }]
    }),
  )
}

/** The log as it would stand had the other card been drawn: everything that follows from it sealed anew with the same secret. */
export async function twinOf(table: Table, { card, instead }: Swap): Promise<Table> {
  const { secret } = (await loadGame(table.ports, table.game))!
  const commits: StoredCommit[] = []
  let state: GameState | null = null
  for (const { commit } of await table.stored()) {
    const events = commit.events.map((event) => {
      if (event['card'] === card) return { ...event, card: instead }
      const cards = event['cards']
      return Array.isArray(cards) ? { ...event, cards: cards.map((each) => (each === card ? instead : each)) } : event
    })
    const before = commits.at(-1)?.commit
    const place = { game: table.game, rules: table.rules, secret, state, head: before ? headOf(before) : NO_HEAD }
    const { by, commandId, command } = commit
    const drafted = draftCommit(
      { ...place, at: before?.at ?? 0, wantsSnapshot: false },
      { by, commandId, command, events },
      commit.at,
    )
    commits.push(drafted.stored)
    state = drafted.state
  }
  return copyOf(table, commits)
}
