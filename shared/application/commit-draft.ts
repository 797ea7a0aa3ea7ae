/** From a judged command to the commit that is appended: time, seal, reveal, snapshot and the marker for the stream. */

import { bytesToHex } from '@noble/hashes/utils.js'
import { sealCommit } from '../event-store/chain.ts'
import {
  COMMIT_FORMAT,
  type CommandId,
  type Fact,
  type GameId,
  type Head,
  type MemberId,
  type StoredCommit,
} from '../event-store/commit.ts'
import { SNAPSHOT_EVERY } from '../event-store/event-store.ts'
import { sealFor } from '../fair-dice/secret.ts'
import type { GameRules, Json } from '../game-rules.ts'
import { evolve, type GameState, positionOf, stateVersionOf, waitingFor } from './game-state.ts'

/** Where a commit goes: after which head, in which game, at what time. `state` and `at` are null and 0 before the first. */
export interface Place {
  readonly game: GameId
  readonly rules: GameRules
  readonly secret: Uint8Array
  readonly state: GameState | null
  readonly head: Head
  readonly at: number
  readonly wantsSnapshot: boolean
}

export interface JudgedCommand {
  readonly by: MemberId | 'server'
  readonly commandId: CommandId
  readonly command: Fact
  readonly events: readonly Fact[]
}

/** The commit that follows `place`, with the state after it. `now` in ms; the log's time never goes backwards. */
export function draftCommit(
  place: Place,
  judged: JudgedCommand,
  now: number,
): { stored: StoredCommit; state: GameState } {
  const { game, rules, secret, head } = place
  const n = head.n + 1
  const at = Math.max(now, place.at)
  const state = evolve(rules, place.state, { events: judged.events, at, previous: head.hash })
  const ended = state.phase === 'over' || state.phase === 'closed'
  const commit = sealCommit(
    {
      format: COMMIT_FORMAT,
      schema: rules.schemaVersion,
      game,
      n,
      at,
      ...judged,
      previous: head.hash,
      seal: sealFor(secret, n, positionOf(rules, state)),
      secret: ended ? bytesToHex(secret) : null,
    },
    secret,
    rules.hidden,
  )
  const carriesSnapshot = n % SNAPSHOT_EVERY === 0 || place.wantsSnapshot
  const snapshot = carriesSnapshot ? { stateVersion: stateVersionOf(rules), state: state as unknown as Json } : null
  const changesAwaited = awaitedMark(rules, place.state) !== awaitedMark(rules, state)
  return { stored: { commit, snapshot, changesAwaited }, state }
}

/** Equal marks: the same seats, the same phase, and the same people awaited for the same tasks. */
function awaitedMark(rules: GameRules, state: GameState | null): string {
  if (state === null) return ''
  return JSON.stringify([state.phase, state.members, waitingFor(rules, state)])
}
