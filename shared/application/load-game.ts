/** From the log to the present: the newest usable snapshot, the commits after it, the chain and the seal checked. */

import { headOf, type Link, verifyLink } from '../event-store/chain.ts'
import type { Commit, Fact, GameId, StoredCommit } from '../event-store/commit.ts'
import { type EventStore, SNAPSHOT_EVERY } from '../event-store/event-store.ts'
import { type KeyRing, keyNamed } from '../fair-dice/key-ring.ts'
import { gameSecret, sealFor } from '../fair-dice/secret.ts'
import type { GameRules } from '../game-rules.ts'
import { evolve, type GameState, type Opening, positionOf, stateVersionOf } from './game-state.ts'
import type { LoadedGame } from './loaded-game.ts'
import type { Games, Ports } from './ports.ts'
import { upcast } from './upcast.ts'

/** The stored log cannot be what was written: nothing is served from it or added to it. */
export class DamagedLog extends Error {
  override readonly name = 'DamagedLog'
}

/**
 * The game as of commit `upTo` (default: the newest), or null if there is no such game or commit.
 * Throws StoreUnavailable, DamagedLog when chain, density or seal do not hold even for a replay from commit 1.
 */
export async function loadGame(ports: LoadingPorts, id: GameId, upTo?: number): Promise<LoadedGame | null> {
  const kept = upTo === undefined ? ports.warm?.get(id) : undefined
  const game = (kept && (await grow(ports, kept))) ?? (await loadAfresh(ports, id, upTo))
  if (game !== null && upTo === undefined) ports.warm?.keep(game)
  return game
}

type LoadingPorts = Pick<Ports, 'store' | 'games' | 'keyRing' | 'warm'>

/** A game that has grown by more commits than this since it was kept is loaded afresh. */
const MOST_GROWTH = 32
const LONGEST_TAIL = 128

/** The kept game with what is newer, or null if the log no longer has its head, or much has come since. */
async function grow(ports: LoadingPorts, kept: LoadedGame): Promise<LoadedGame | null> {
  const read = await ports.store.readForwards(kept.id, kept.head.n - 1, MOST_GROWTH + 1)
  const [same, ...newer] = read
  if (same?.commit.hash !== kept.head.hash || newer.length === MOST_GROWTH) return null
  if (newer.length === 0) return kept
  const { rules, secret } = kept
  const commits = newer.map(({ commit }) => commit)
  checkChain(commits, kept.tail.at(-1)!, secret, rules)
  const game = newer.reduce(
    (before, stored) => grown(ports.games, before, stored, evolve(rules, before.state, upcast(rules, stored.commit))),
    kept,
  )
  checkSeal(kept.id, commits.at(-1)!, secret, rules, game.state)
  return game
}

/** The game with one commit more, and the state after it. */
export function grown(games: Games, game: LoadedGame, stored: StoredCommit, state: GameState): LoadedGame {
  const { commit } = stored
  const wantsSnapshot = game.wantsSnapshot && usableSnapshot(games, [stored]) === null
  const tail = [...game.tail, commit].slice(-LONGEST_TAIL)
  return { ...game, state, head: headOf(commit), at: commit.at, tail, wantsSnapshot }
}

async function loadAfresh(ports: LoadingPorts, id: GameId, upTo?: number): Promise<LoadedGame | null> {
  const newest = await ports.store.readBackwards(id, SNAPSHOT_EVERY, upTo)
  if (newest.length === 0 || (upTo !== undefined && newest[0]!.commit.n !== upTo)) return null
  const read = [...newest]
  let base = usableSnapshot(ports.games, read)
  const wantsSnapshot = base === null && read.at(-1)!.commit.n > 1
  while (base === null && read.at(-1)!.commit.n > 1) {
    await readFurther(ports.store, id, read)
    base = usableSnapshot(ports.games, read)
  }
  try {
    return replay(ports, id, read, base, wantsSnapshot)
  } catch (fault) {
    if (base === null || !(fault instanceof DamagedLog)) throw fault
    while (read.at(-1)!.commit.n > 1) await readFurther(ports.store, id, read)
    return replay(ports, id, read, null, true)
  }
}

interface Base {
  readonly rules: GameRules
  readonly state: GameState
  readonly n: number
}

/** The newest snapshot of the state version of this code; any other is ignored, never converted. */
function usableSnapshot(games: Games, newestFirst: readonly StoredCommit[]): Base | null {
  for (const { commit, snapshot } of newestFirst) {
    if (snapshot === null) continue
    const state = snapshot.state as unknown as GameState
    const rules = games.version(state.opening.kind, state.opening.rulesVersion)
    if (rules !== null && snapshot.stateVersion === stateVersionOf(rules)) return { rules, state, n: commit.n }
  }
  return null
}

async function readFurther(store: EventStore, id: GameId, newestFirst: StoredCommit[]): Promise<void> {
  const oldest = newestFirst.at(-1)!.commit.n
  const older = await store.readBackwards(id, 100, oldest - 1)
  if (older.length === 0) throw new DamagedLog(`game ${id} has no commit ${oldest - 1}`)
  newestFirst.push(...older)
}

function replay(
  ports: LoadingPorts,
  id: GameId,
  newestFirst: readonly StoredCommit[],
  base: Base | null,
  wantsSnapshot: boolean,
): LoadedGame {
  const tail = newestFirst.map((stored) => stored.commit).reverse()
  const newest = tail.at(-1)!
  const opening = base?.state.opening ?? openingOf(tail[0]!)
  const rules = base?.rules ?? rulesOf(ports.games, opening)
  const secret = gameSecret(masterKeyOf(ports.keyRing, opening), id)
  checkChain(tail, null, secret, rules)
  let state: GameState | null = base?.state ?? null
  for (const commit of tail) if (commit.n > (base?.n ?? 0)) state = evolve(rules, state, upcast(rules, commit))
  if (state === null) throw new DamagedLog(`game ${id} has no state`)
  checkSeal(id, newest, secret, rules, state)
  return { id, rules, state, head: headOf(newest), at: newest.at, tail, secret, wantsSnapshot }
}

/** The opening facts in commit 1. Throws DamagedLog if they are not there. */
export function openingOf(first: Commit): Opening {
  const opened = first.events[0] as Fact | undefined
  if (first.n !== 1 || opened?.type !== 'gameOpened')
    throw new DamagedLog(`game ${first.game} does not begin with its opening`)
  const { type: _, ...opening } = opened
  return opening as unknown as Opening
}

function rulesOf(games: Games, opening: Opening): GameRules {
  const rules = games.version(opening.kind, opening.rulesVersion)
  if (rules === null) throw new DamagedLog(`this code has no rules ${opening.kind}/${opening.rulesVersion}`)
  return rules
}

/** The master key an opening names. Throws MalformedKeyRing if the ring has lost it. */
export function masterKeyOf(ring: KeyRing, opening: Opening): Uint8Array {
  return keyNamed(ring, opening.key).key
}

/** `before` is the commit that comes first, or null if it is not at hand. */
function checkChain(tail: readonly Commit[], before: Commit | null, secret: Uint8Array, rules: GameRules): void {
  let link: Link | null = before ?? unreadLinkBefore(tail[0]!)
  for (const commit of tail) {
    const fault = verifyLink(link, commit, secret, rules.hidden)
    if (fault !== null) throw new DamagedLog(`game ${commit.game}, commit ${commit.n}: ${fault}`)
    link = commit
  }
}

/** What the first commit read says of the one before it. */
function unreadLinkBefore(first: Commit): Link | null {
  return first.n === 1 ? null : { game: first.game, n: first.n - 1, at: 0, hash: first.previous }
}

function checkSeal(id: GameId, newest: Commit, secret: Uint8Array, rules: GameRules, state: GameState): void {
  if (sealFor(secret, newest.n, positionOf(rules, state)) !== newest.seal)
    throw new DamagedLog(`game ${id}: the state does not match the seal of commit ${newest.n}`)
}
