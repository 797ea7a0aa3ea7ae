/** The lists of games: one's own, and the lobby. Made of read models, so they may lag behind the games by a moment. */

import { bytesToHex } from '@noble/hashes/utils.js'
import type { GameId, Head } from '../event-store/commit.ts'
import { type KeyRing, oldestKey } from '../fair-dice/key-ring.ts'
import { keyedHash } from '../fair-dice/keyed-hash.ts'
import type { Awaited, Ranking, Seat } from '../game-rules.ts'
import type { Phase, Visibility } from './game-state.ts'
import type { Problem } from './outcome.ts'
import type { Person, Ports } from './ports.ts'
import { type GameLists, isListed, type ListedRow } from './read-models.ts'

export const LISTS = ['mine', 'open'] as const
export type List = (typeof LISTS)[number]

export const GAMES_A_PAGE = 25

export interface ListedGame {
  readonly game: GameId
  readonly kind: string
  readonly phase: Phase
  readonly visibility: Visibility
  readonly seats: number
  readonly seatsTaken: number
  /** By seat; null for one whose person was erased. */
  readonly names: readonly (string | null)[]
  readonly you: Seat | null
  readonly waitingFor: readonly Awaited[]
  readonly ranking: Ranking | null
  /** Null while the game runs: lists follow turns, not every order, so look at the game itself. */
  readonly head: Head | null
  readonly openedAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
}

/** One page of a list; `cursor` is the `next` of the page before, good only for the same person and list. */
export async function listGames(
  ports: Pick<Ports, 'keyRing'> & { readonly lists: GameLists },
  person: Person,
  list: List,
  cursor?: string,
): Promise<{ readonly games: readonly ListedGame[]; readonly next: string | null } | Problem> {
  const after = cursor === undefined ? null : positionOf(ports.keyRing, person, list, cursor)
  if (cursor !== undefined && after === null)
    return { problem: 'malformed', path: 'cursor', detail: 'This is not a cursor that came with this list.' }
  const page =
    list === 'mine'
      ? await ports.lists.gamesOf(person.subject, after, GAMES_A_PAGE)
      : await ports.lists.lobby(after, GAMES_A_PAGE)
  const games = page.rows.map((each) => listed(each, person))
  return {
    games: games.filter((game) => (list === 'mine' ? game.you !== null : isListed(game))),
    next: page.next === null ? null : cursorTo(ports.keyRing, person, list, page.next),
  }
}

function listed({ row, persons }: ListedRow, person: Person): ListedGame {
  const { n, hash, members, rulesVersion: _, ...rest } = row
  const yours = members.findIndex((member) => persons.get(member)?.subject === person.subject)
  return {
    ...rest,
    head: rest.phase === 'running' ? null : { n, hash },
    seatsTaken: members.length,
    names: members.map((member) => persons.get(member)?.name ?? null),
    you: yours < 0 ? null : yours + 1,
  }
}

function cursorTo(ring: KeyRing, person: Person, list: List, position: string): string {
  return `${position}.${tagOf(ring, person, list, position)}`
}

function positionOf(ring: KeyRing, person: Person, list: List, cursor: string): string | null {
  const [position, tag, more] = cursor.split('.')
  if (!position || more !== undefined || tag !== tagOf(ring, person, list, position)) return null
  return position
}

function tagOf(ring: KeyRing, person: Person, list: List, position: string): string {
  return bytesToHex(keyedHash(oldestKey(ring).key, 'cursor', person.subject, list, position)).slice(0, 24)
}
