/** Whether an order was already played: its identity is (commander, command id, digest of the command). */

import { canonicalJson } from '../event-store/canonical-json.ts'
import type { CommandId, Commit, Fact, Hash, MemberId } from '../event-store/commit.ts'
import type { LoadedGame } from './loaded-game.ts'
import type { Ports } from './ports.ts'

/** How many commits after `seen` are searched for a retryable order. */
export const MOST_COMMITS_SEARCHED = 1000

export interface OrderIdentity {
  readonly by: MemberId | 'server'
  readonly commandId: CommandId
}

/** Whether the commit is of this commander and command id. */
export function isOf(commit: Commit, order: OrderIdentity): boolean {
  return commit.by === order.by && commit.commandId === order.commandId
}

/** Whether two commands are the same by content. */
export function sameCommand(one: Fact, other: Fact): boolean {
  return canonicalJson(one) === canonicalJson(other)
}

export type Search =
  | { readonly found: Commit }
  /** Not played; `hashAtSeen` is what the log has at `seen`, or null if the log is shorter. */
  | { readonly found: null; readonly hashAtSeen: Hash | null }
  | { readonly found: 'too-far-behind' }

/**
 * Searches the whole loaded tail first, whatever `seen` says; then, for an order that may not be retried, the one
 * place where it can stand, `seen` + 1; for a retryable one every commit after `seen`.
 */
export async function findEarlierOrder(
  ports: Pick<Ports, 'store'>,
  game: LoadedGame,
  order: OrderIdentity,
  seen: number,
  retryable: boolean,
): Promise<Search> {
  const inTail = game.tail.find((commit) => isOf(commit, order))
  if (inTail !== undefined) return { found: inTail }
  if (seen > game.head.n) return { found: null, hashAtSeen: null }
  if (seen === game.head.n) return { found: null, hashAtSeen: game.head.hash }
  const oldest = game.tail[0]!
  if (seen >= oldest.n - 1) {
    return { found: null, hashAtSeen: game.tail[seen + 1 - oldest.n]!.previous }
  }
  if (retryable && game.head.n - seen > MOST_COMMITS_SEARCHED) return { found: 'too-far-behind' }
  let after = seen
  let hashAtSeen: Hash | null = null
  const last = retryable ? oldest.n - 1 : seen + 1
  while (after < last) {
    const page = await ports.store.readForwards(game.id, after, retryable ? last - after : 1)
    for (const { commit } of page) {
      hashAtSeen ??= commit.previous
      if (isOf(commit, order)) return { found: commit }
      after = commit.n
    }
    if (page.length === 0) break
  }
  return { found: null, hashAtSeen }
}
