/** Persons at a game in tests: ports over a store, opening, joining and ordering in one line each. */

import type { Answer } from '../../shared/application/answer.ts'
import { giveCommand, type Order } from '../../shared/application/give-command.ts'
import { openGame } from '../../shared/application/open-game.ts'
import { isProblem, type Problem } from '../../shared/application/outcome.ts'
import type { Person, Ports } from '../../shared/application/ports.ts'
import type { CommandId, Fact, GameId, Head, MemberId } from '../../shared/event-store/commit.ts'
import type { EventStore } from '../../shared/event-store/event-store.ts'
import { createMemoryEventStore } from '../../shared/event-store/memory-store.ts'
import { parseKeyRing } from '../../shared/fair-dice/key-ring.ts'
import type { GameRules } from '../../shared/game-rules.ts'
import { gamesOf } from '../../shared/games.ts'
import { tally } from './tally-game.ts'

export const TEST_RING = parseKeyRing(JSON.stringify({ current: 'k1', k1: '5a'.repeat(32) }))

/** Ports for tests: a store (in memory unless given), names in a map, a clock that moves a second a call. */
export function testPorts(given: { store?: EventStore; rules?: readonly GameRules[] } = {}): Ports {
  const names = new Map<string, Map<MemberId, string>>()
  let now = Date.UTC(2026, 11, 1)
  return {
    store: given.store ?? createMemoryEventStore(),
    games: gamesOf(given.rules ?? [tally]),
    keyRing: TEST_RING,
    members: {
      async bind(game, member, { name }) {
        names.set(game, (names.get(game) ?? new Map()).set(member, name))
      },
      async names(game) {
        return names.get(game) ?? new Map()
      },
    },
    allowance: { take: async () => true },
    now: () => (now += 1000),
    pause: async () => {},
  }
}

export const person = (name: string): Person => ({ subject: `subject-of-${name}`, name })
export const anna = person('anna')
export const bela = person('bela')
export const cleo = person('cleo')

let counter = 0
/** A command id that no other order has. */
export const freshId = (): CommandId => `order-${String(++counter).padStart(6, '0')}` as CommandId

/** The answer, or a failed test if it is a problem. */
export function answered(answer: Answer | Problem): Answer {
  if (isProblem(answer)) throw new Error(`a problem: ${JSON.stringify(answer)}`)
  return answer
}

/** The problem, or a failed test if it is an answer. */
export function problemOf(answer: object): Problem {
  if (!isProblem(answer)) throw new Error(`no problem: ${JSON.stringify(answer).slice(0, 200)}`)
  return answer
}

/** Opens a game of Tally with `seats` seats; its opener is the host. */
export async function openTally(ports: Ports, host: Person, seats: number, more: object = {}): Promise<Answer> {
  const request = { kind: 'tally', options: { goal: 10_000 }, seats, visibility: 'public' as const, ...more }
  return answered(await openGame(ports, { person: host, commandId: freshId(), request }))
}

/** Gives an order; the command id is fresh unless given. */
export function order(
  ports: Ports,
  game: GameId,
  who: Person,
  seen: Head,
  command: Fact,
  more: Partial<Order> = {},
): Promise<Answer | Problem> {
  return giveCommand(ports, { game, person: who, commandId: freshId(), seen, command, ...more })
}

/** The newest head of a game, straight from the store. */
export async function headOfGame(ports: Ports, game: GameId): Promise<Head> {
  const [newest] = await ports.store.readBackwards(game, 1)
  return { n: newest!.commit.n, hash: newest!.commit.hash }
}

/** A running game of Tally with these persons, on seats in this order. */
export async function startTally(ports: Ports, persons: readonly Person[], more: object = {}): Promise<GameId> {
  const [host, ...others] = persons
  const { game } = await openTally(ports, host!, persons.length, more)
  for (const other of others) {
    answered(await order(ports, game.game, other, await headOfGame(ports, game.game), { type: 'join' }))
  }
  return game.game
}
