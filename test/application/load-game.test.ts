/** From the log to the present: snapshots spare reading, and no damage goes unnoticed. */

import { describe, expect, test } from 'vitest'
import { DamagedLog, loadGame } from '../../shared/application/load-game.ts'
import type { Ports } from '../../shared/application/ports.ts'
import type { GameId, StoredCommit } from '../../shared/event-store/commit.ts'
import { createMemoryEventStore } from '../../shared/event-store/memory-store.ts'
import type { GameRules } from '../../shared/game-rules.ts'
import { gamesOf } from '../../shared/games.ts'
import { anna, answered, bela, headOfGame, order, startTally, testPorts } from '../support/play.ts'
import { tally } from '../support/tally-game.ts'

/** A game of Tally of exactly `n` commits, the last ones greetings. */
async function gameOf(ports: Ports, n: number): Promise<GameId> {
  const game = await startTally(ports, [anna, bela])
  for (let head = await headOfGame(ports, game); head.n < n; )
    head = answered(await order(ports, game, anna, head, { type: 'greet', seat: 2 })).head
  return game
}

/** The same log, with every stored commit changed on its way out. */
function altered(ports: Ports, change: (stored: StoredCommit) => StoredCommit): Ports {
  const { store } = ports
  return {
    ...ports,
    store: {
      append: store.append,
      readBackwards: async (...call) => (await store.readBackwards(...call)).map(change),
      readForwards: async (...call) => (await store.readForwards(...call)).map(change),
    },
  }
}

describe('reading', () => {
  test.each([3, 7, 8, 9, 16, 40, 57])('a game of %i commits takes one read', async (n) => {
    const store = createMemoryEventStore()
    const ports = testPorts({ store })
    const game = await gameOf(ports, n)
    const before = store.calls.readBackwards
    const loaded = await loadGame(ports, game)
    expect(loaded?.head).toEqual(await headOfGame(ports, game))
    expect(store.calls.readBackwards - before - 1).toBe(1)
    expect(loaded?.wantsSnapshot).toBe(false)
  })

  test('every eighth commit carries a snapshot', async () => {
    const ports = testPorts()
    const game = await gameOf(ports, 33)
    const log = await ports.store.readForwards(game, 0, 100)
    expect(log.filter(({ snapshot }) => snapshot !== null).map(({ commit }) => commit.n)).toEqual([8, 16, 24, 32])
  })

  test('as it was at any commit', async () => {
    const ports = testPorts()
    const game = await gameOf(ports, 20)
    for (let n = 1; n <= 20; n++) expect((await loadGame(ports, game, n))?.head.n).toBe(n)
    expect(await loadGame(ports, game, 21)).toBeNull()
    expect(await loadGame(ports, game, 0)).toBeNull()
    expect(await loadGame(ports, 'a'.repeat(20) as GameId)).toBeNull()
  })

  test('a snapshot of another state version is ignored, and the next commit carries a new one', async () => {
    const ports = testPorts()
    const game = await gameOf(ports, 20)
    const newer: GameRules = { ...tally, stateVersion: tally.stateVersion + 1 }
    const upgraded = { ...ports, games: gamesOf([newer]) }
    expect((await loadGame(upgraded, game))?.wantsSnapshot).toBe(true)
    answered(await order(upgraded, game, anna, await headOfGame(ports, game), { type: 'greet', seat: 2 }))
    const [newest] = await ports.store.readBackwards(game, 1)
    expect(newest!.snapshot).not.toBeNull()
    expect((await loadGame(upgraded, game))?.wantsSnapshot).toBe(false)
  })
})

describe('damage', () => {
  test('a snapshot that does not match the seal is dropped, and the game replayed from commit 1', async () => {
    const ports = testPorts()
    const game = await gameOf(ports, 20)
    const lying = altered(ports, (stored) => {
      if (stored.snapshot === null) return stored
      const state = JSON.parse(JSON.stringify(stored.snapshot.state))
      state.game.tallies[0] += 1
      return { ...stored, snapshot: { ...stored.snapshot, state } }
    })
    const loaded = await loadGame(lying, game)
    expect(loaded?.state).toEqual((await loadGame(ports, game))?.state)
    expect(loaded?.wantsSnapshot).toBe(true)
  })

  test.each<[string, (stored: StoredCommit) => StoredCommit]>([
    ['an event', (stored) => changed(stored, { events: [{ type: 'greeted', seat: 2, greeted: 1 }] })],
    ['a command', (stored) => changed(stored, { command: { type: 'greet', seat: 1 } })],
    ['a time', (stored) => changed(stored, { at: stored.commit.at + 1 })],
    ['a seal', (stored) => changed(stored, { seal: '0'.repeat(64) })],
    ['a number', (stored) => changed(stored, { n: stored.commit.n + 1 })],
  ])('%s that was changed stops everything', async (_, change) => {
    const ports = testPorts()
    const game = await gameOf(ports, 20)
    const tampered = altered(ports, (stored) => (stored.commit.n === 19 ? change(stored) : stored))
    await expect(loadGame(tampered, game)).rejects.toThrow(DamagedLog)
    const head = await headOfGame(ports, game)
    await expect(order(tampered, game, anna, head, { type: 'greet', seat: 2 })).rejects.toThrow(DamagedLog)
    expect(await headOfGame(ports, game)).toEqual(head)
  })

  test('a commit that is missing stops everything', async () => {
    const ports = testPorts()
    const game = await gameOf(ports, 20)
    const { store } = ports
    const gap = async (...call: Parameters<typeof store.readBackwards>) =>
      (await store.readBackwards(...call)).filter(({ commit }) => commit.n !== 18)
    await expect(loadGame({ ...ports, store: { ...store, readBackwards: gap } }, game)).rejects.toThrow(DamagedLog)
  })
})

function changed(stored: StoredCommit, change: object): StoredCommit {
  return { ...stored, commit: { ...stored.commit, ...change } }
}
