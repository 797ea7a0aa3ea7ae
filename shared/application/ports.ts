/** What the use cases need from outside: the log, who is who, the keys, the time and some jitter. */

import type { GameId, MemberId } from '../event-store/commit.ts'
import type { EventStore } from '../event-store/event-store.ts'
import type { KeyRing } from '../fair-dice/key-ring.ts'
import type { GameRules, Json } from '../game-rules.ts'
import type { WarmGames } from './warm-games.ts'

/** The games by kind; a game keeps the rules version it opened with, so several versions of a kind may stand side by side. */
export interface Games {
  /** The newest rule book of the kind, or null if there is no such kind. */
  newest(kind: string): GameRules | null
  /** The rule book a game was opened with, or null if this code does not have it. */
  version(kind: string, rulesVersion: number): GameRules | null
  /** A map that some game is played on, or null if none has one of that name. */
  map(id: string): Promise<Json> | null
}

/** A signed-in person: the subject of the token, and the name to show. */
export interface Person {
  readonly subject: string
  readonly name: string
}

/** The only place that knows whose a member id is; it is not in the log, so a person can be erased. */
export interface MemberDirectory {
  /**
   * Remembers whose the member id is. Called before the seat is taken, so that no seat is without its person; repeating it is
   * harmless. `opens`: the game is about to be opened, which leaves a trace by which it is found should every signal be lost.
   */
  bind(game: GameId, member: MemberId, person: Person, opens: boolean): Promise<void>
  /** The names of a game's members; one who was erased is absent. */
  names(game: GameId): Promise<ReadonlyMap<MemberId, string>>
}

/** What a person may do only so often. */
export interface Allowance {
  /** Uses one up, and none for what it was taken for already, so that repeats are free; false when none is left for now. */
  take(subject: string, what: 'open' | 'audit' | 'test-notice', of: string): Promise<boolean>
}

export interface Ports {
  readonly store: EventStore
  readonly games: Games
  readonly keyRing: KeyRing
  readonly members: MemberDirectory
  readonly allowance: Allowance
  /** Games at hand from earlier calls; without it every call loads its game afresh. */
  readonly warm?: WarmGames
  /** ms since 1970. */
  readonly now: () => number
  /** Waits before a further try, `ms` at most, with full jitter. */
  readonly pause: (ms: number) => Promise<void>
}
