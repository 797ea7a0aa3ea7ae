/** A log of a counter, for tests of stores: its fold is not idempotent, so a commit applied twice shows. */

import { type Draft, NO_HEAD, sealCommit } from '../../shared/event-store/chain.ts'
import {
  COMMIT_FORMAT,
  type CommandId,
  type Commit,
  type GameId,
  type Head,
  type MemberId,
  type StoredCommit,
} from '../../shared/event-store/commit.ts'
import { sealFor } from '../../shared/fair-dice/secret.ts'

export const COUNTER_SECRET = new Uint8Array(32).fill(11)
export const COUNTER_HIDDEN = { commands: ['whisper'], events: ['whispered'] }
const MEMBER = '0123456789abcdef0123456789abcdef' as MemberId

let made = 0

/** A game id that no other test has. */
export function freshGame(): GameId {
  made += 1
  const letters = [...String(made)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
  return letters.padStart(20, 'z') as GameId
}

/** The commit after `head` that counts on by `by`; `more` replaces what a test is about. */
export function counted(game: GameId, head: Head, by: number, more: Partial<Commit> = {}): Commit {
  const n = head.n + 1
  const draft: Draft = {
    format: COMMIT_FORMAT,
    schema: 1,
    game,
    n,
    at: 1_796_083_200_000 + n * 1_000,
    by: n === 1 ? 'server' : MEMBER,
    commandId: `6f9619ff-8b86-4d01-b42d-${String(n).padStart(12, '0')}` as CommandId,
    command: { type: 'count', by },
    events: [{ type: 'counted', by }],
    previous: head.hash,
    seal: sealFor(COUNTER_SECRET, n, `counter ${n}`),
    secret: null,
    ...more,
  }
  return sealCommit(draft, COUNTER_SECRET, COUNTER_HIDDEN)
}

/** `count` commits from the beginning, each counting on by its number; a snapshot at every eighth. */
export function countedLog(game: GameId, count: number, more: Partial<Commit> = {}): StoredCommit[] {
  const log: StoredCommit[] = []
  let head = NO_HEAD
  let sum = 0
  for (let n = 1; n <= count; n += 1) {
    const commit = counted(game, head, n, more)
    sum += n
    head = { n, hash: commit.hash }
    log.push({
      commit,
      snapshot: n % 8 === 0 ? { stateVersion: 3, state: { sum } } : null,
      changesAwaited: n % 2 === 1,
    })
  }
  return log
}

/** The fold: what the events of these commits, oldest first, add up to. */
export function sumOf(log: readonly StoredCommit[]): number {
  return log.reduce((sum, { commit }) => sum + commit.events.reduce((each, event) => each + Number(event['by']), 0), 0)
}

/** Text that no compression makes much smaller: about 6 bits a character. */
export function incompressible(length: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  let state = 12_345
  let text = ''
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    text += alphabet[state >>> 26]
  }
  return text
}
