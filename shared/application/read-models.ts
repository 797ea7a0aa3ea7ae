/** What lists are made of: one row a game that follows from its log, and where else the game is to be found. */

import type { GameId, Hash, MemberId } from '../event-store/commit.ts'
import type { Awaited, Ranking } from '../game-rules.ts'
import { type Phase, rankingOf, type Visibility, waitingFor } from './game-state.ts'
import type { LoadedGame } from './loaded-game.ts'
import type { Allowance, MemberDirectory, Person } from './ports.ts'

/** A game as lists show it; `n` is how far the projection has come. */
export interface GameRow {
  readonly game: GameId
  readonly n: number
  readonly hash: Hash
  readonly kind: string
  readonly rulesVersion: number
  readonly phase: Phase
  readonly visibility: Visibility
  readonly seats: number
  /** By seat. */
  readonly members: readonly MemberId[]
  readonly waitingFor: readonly Awaited[]
  readonly openedAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly ranking: Ranking | null
}

/** Where a game must be entered or struck out because its row changes. */
export interface RowChanges {
  /** Into whose list of games it goes. */
  readonly seated: readonly MemberId[]
  /** Out of whose list it goes. */
  readonly left: readonly MemberId[] | 'everyone-else'
  /** Into or out of the lobby. */
  readonly lobby: 'list' | 'unlist' | 'keep'
}

/** A row with the persons its seats belong to. */
export interface ListedRow {
  readonly row: GameRow
  readonly persons: ReadonlyMap<MemberId, Person>
}

/** Some rows, and the position after which the next page begins; null at the end. A page may be shorter than asked for. */
export interface RowPage {
  readonly rows: readonly ListedRow[]
  readonly next: string | null
}

export interface Profile {
  readonly name: string
  readonly timeZone: string
}

/** A game that may still grow, and when it was about to be opened. */
export interface UnfinishedGame {
  readonly game: GameId
  readonly announcedAt: number
}

export interface GameRows {
  /** Strictly consistent; null if the game has not been projected yet. Throws StoreUnavailable. */
  rowOf(game: GameId): Promise<GameRow | null>
  /** Makes the changes, then writes the row unless a newer one is there (`older`). A game that has ended is no longer unfinished. Throws StoreUnavailable. */
  save(row: GameRow, changes: RowChanges): Promise<'saved' | 'older'>
  /** All games that may still grow, and some that never were opened or have just ended. Throws StoreUnavailable. */
  unfinished(): AsyncIterable<UnfinishedGame>
  /** Strikes a game off the unfinished ones. Throws StoreUnavailable. */
  forget(game: GameId): Promise<void>
}

export interface GameLists {
  /** The games somebody has a seat in, by id. Throws StoreUnavailable. */
  gamesOf(subject: string, after: string | null, limit: number): Promise<RowPage>
  /** The public games that still gather, newest first. Throws StoreUnavailable. */
  lobby(after: string | null, limit: number): Promise<RowPage>
}

export interface Profiles {
  profileOf(subject: string): Promise<Profile | null>
  /** Keeps the profile and puts the name into the games of that person. Throws StoreUnavailable. */
  keepProfile(subject: string, profile: Profile): Promise<void>
}

export type ReadModels = GameRows & GameLists & Profiles & MemberDirectory & Allowance

/** The row of a game as it stands. `startedAt` is when it started; the log knows, the state does not. */
export function rowOf({ id, rules, state, head, at }: LoadedGame, startedAt: number | null): GameRow {
  const { opening, phase, members, openedAt } = state
  return {
    game: id,
    ...head,
    kind: opening.kind,
    rulesVersion: opening.rulesVersion,
    phase,
    visibility: opening.visibility,
    seats: opening.seats,
    members,
    waitingFor: waitingFor(rules, state),
    openedAt,
    startedAt,
    endedAt: hasEnded(phase) ? at : null,
    ranking: rankingOf(rules, state),
  }
}

/** What follows elsewhere from a new row after `previous`; null where no earlier row can be relied on. */
export function changesTo(row: GameRow, previous: GameRow | null): RowChanges {
  if (previous === null) {
    const lobby = isListed(row) ? 'list' : row.visibility === 'public' ? 'unlist' : 'keep'
    return { seated: row.members, left: 'everyone-else', lobby }
  }
  const lobby = isListed(row) === isListed(previous) ? 'keep' : isListed(row) ? 'list' : 'unlist'
  return {
    seated: row.members.filter((member) => !previous.members.includes(member)),
    left: previous.members.filter((member) => !row.members.includes(member)),
    lobby,
  }
}

/** Whether the game belongs in the lobby. */
export function isListed(row: Pick<GameRow, 'phase' | 'visibility'>): boolean {
  return row.visibility === 'public' && row.phase === 'gathering'
}

/** Whether no commit can follow. */
export function hasEnded(phase: Phase): boolean {
  return phase === 'over' || phase === 'closed'
}
