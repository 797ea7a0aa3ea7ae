/** A game as it was loaded from its log. */

import type { Commit, GameId, Head } from '../event-store/commit.ts'
import type { GameRules } from '../game-rules.ts'
import type { GameState } from './game-state.ts'

export interface LoadedGame {
  readonly id: GameId
  readonly rules: GameRules
  readonly state: GameState
  readonly head: Head
  /** Time of the newest commit. */
  readonly at: number
  /** The newest commits, oldest first; all that were read. */
  readonly tail: readonly Commit[]
  readonly secret: Uint8Array
  /** Whether the next commit should carry a snapshot though its number is none of the regular ones. */
  readonly wantsSnapshot: boolean
}
