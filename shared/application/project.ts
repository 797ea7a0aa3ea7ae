/** Bringing the read models up to the log: a signal says only that a game has grown, the log says how. */

import type { Commit, GameId } from '../event-store/commit.ts'
import { MOST_TRIES, pauseAfter } from './append.ts'
import { isFull } from './decide.ts'
import { startFullGame } from './give-server-command.ts'
import { DamagedLog, loadGame } from './load-game.ts'
import type { LoadedGame } from './loaded-game.ts'
import type { Ports } from './ports.ts'
import { changesTo, type GameRow, type GameRows, hasEnded, rowOf } from './read-models.ts'

export type ProjectionPorts = Pick<Ports, 'store' | 'games' | 'keyRing' | 'now' | 'pause'> & { readonly rows: GameRows }

/** A signal came of a commit that the log does not have, or rivals were faster every time: the signal must come again. */
export class ProjectionBehind extends Error {
  override readonly name = 'ProjectionBehind'
}

/**
 * Brings the rows of a game at least up to commit `upTo`; starts it first if it is full and its start was lost. Repeats and
 * reorderings are harmless. Throws StoreUnavailable, DamagedLog, ProjectionBehind.
 */
export async function projectGame(ports: ProjectionPorts, id: GameId, upTo: number): Promise<void> {
  let previous = await ports.rows.rowOf(id)
  if (previous !== null && previous.n >= upTo) return
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const game = await loadStarted(ports, id)
    if (game.head.n < upTo) throw new ProjectionBehind(`game ${id} has ${game.head.n} commits and no number ${upTo}`)
    const row = rowOf(game, await startOf(ports, game, previous))
    if ((await ports.rows.save(row, changesTo(row, previous))) === 'saved') return
    // A rival was further: what was just entered or struck out may be older than what it wrote, so all is done anew.
    previous = null
    await pauseAfter(ports, tries)
  }
  throw new ProjectionBehind(`game ${id}: others were faster ${MOST_TRIES} times`)
}

/** The game, started if it is full: its last seat was taken by a commander whose call ended before the start. */
async function loadStarted(ports: ProjectionPorts, id: GameId): Promise<LoadedGame> {
  const game = await loadGame(ports, id)
  if (game !== null && isFull(game.state)) await startFullGame(ports, id)
  const started = game !== null && isFull(game.state) ? await loadGame(ports, id) : game
  if (started === null) throw new ProjectionBehind(`there is no game ${id} yet`)
  return started
}

async function startOf(ports: ProjectionPorts, game: LoadedGame, previous: GameRow | null): Promise<number | null> {
  if (game.state.phase === 'gathering' || game.state.phase === 'closed') return null
  if (previous?.startedAt != null) return previous.startedAt
  const inTail = game.tail.find(starts)
  if (inTail !== undefined) return inTail.at
  for (let after = previous?.n ?? 0; after < game.head.n; ) {
    const page = await ports.store.readForwards(game.id, after, 100)
    const found = page.find(({ commit }) => starts(commit))
    if (found !== undefined) return found.commit.at
    if (page.length === 0) break
    after = page.at(-1)!.commit.n
  }
  throw new DamagedLog(`game ${game.id} runs without having started`)
}

function starts(commit: Commit): boolean {
  return commit.events.some((event) => event.type === 'gameStarted')
}

/** An opening that was announced this long ago and has no commit never will have one. */
const GIVEN_UP_AFTER_MS = 24 * 3600 * 1000

export interface Reconciliation {
  /** How many games were looked at. */
  readonly games: number
  /** Those whose rows were behind their logs and are so no longer. */
  readonly mended: readonly GameId[]
  readonly failed: readonly { readonly game: GameId; readonly fault: unknown }[]
}

/** Compares the heads of all games that may still grow with their rows, and projects those that are behind. No game's failure stops it. */
export async function reconcile(ports: ProjectionPorts): Promise<Reconciliation> {
  let games = 0
  const mended: GameId[] = []
  const failed: { game: GameId; fault: unknown }[] = []
  for await (const { game, announcedAt } of ports.rows.unfinished()) {
    games += 1
    try {
      if (await mend(ports, game, announcedAt)) mended.push(game)
    } catch (fault) {
      failed.push({ game, fault })
    }
  }
  return { games, mended, failed }
}

async function mend(ports: ProjectionPorts, game: GameId, announcedAt: number): Promise<boolean> {
  const [newest] = await ports.store.readBackwards(game, 1)
  if (newest === undefined) {
    if (ports.now() - announcedAt > GIVEN_UP_AFTER_MS) await ports.rows.forget(game)
    return false
  }
  const row = await ports.rows.rowOf(game)
  if (row !== null && row.n >= newest.commit.n) {
    if (hasEnded(row.phase)) await ports.rows.forget(game)
    else if (row.phase === 'gathering' && row.members.length === row.seats) await startFullGame(ports, game)
    return false
  }
  await projectGame(ports, game, newest.commit.n)
  return true
}
