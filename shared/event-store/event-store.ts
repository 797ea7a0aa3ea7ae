/** The port to the append-only log: what every store must do, in memory or in DynamoDB. */

import type { GameId, StoredCommit } from './commit.ts'

export const MOST_COMMIT_BYTES = 64 * 1024
/** Every commit whose number is a multiple of this carries a snapshot, so one page of as many finds one. */
export const SNAPSHOT_EVERY = 8

export interface EventStore {
  /**
   * Newest first, strictly consistent: at most `limit` commits with n ≤ `upTo` (default: the newest).
   * An empty list: there is no such commit. Throws StoreUnavailable.
   */
  readBackwards(game: GameId, limit: number, upTo?: number): Promise<readonly StoredCommit[]>
  /** Oldest first, strictly consistent: at most `limit` commits with n > `after`; fewer only at the end or past 1 MB. Throws StoreUnavailable. */
  readForwards(game: GameId, after: number, limit: number): Promise<readonly StoredCommit[]>
  /**
   * Appends if no commit of that number exists. `taken`: one does (it may be this very one, by an earlier try whose reply was lost).
   * Leaves the snapshot out rather than break MOST_COMMIT_BYTES. Throws CommitTooLarge before sending, OutcomeUnknown when no answer tells.
   */
  append(stored: StoredCommit): Promise<'appended' | 'taken'>
}

/** Nothing was read; the same call may be made again. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** The append may or may not have happened; sending the same order again finds out. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

/** The commit has more than MOST_COMMIT_BYTES even without a snapshot. Nothing was sent. */
export class CommitTooLarge extends Error {
  override readonly name = 'CommitTooLarge'
}
