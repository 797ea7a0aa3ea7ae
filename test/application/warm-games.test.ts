/** A warm container: nothing kept is believed without the log. */

import { expect, test } from 'vitest'
import { loadGame } from '../../shared/application/load-game.ts'
import type { Ports } from '../../shared/application/ports.ts'
import { createWarmGames } from '../../shared/application/warm-games.ts'
import type { GameId } from '../../shared/event-store/commit.ts'
import { createMemoryEventStore } from '../../shared/event-store/memory-store.ts'
import { anna, answered, bela, freshId, headOfGame, order, startTally, testPorts } from '../support/play.ts'

/** Two containers over one store. */
function containers(): { store: ReturnType<typeof createMemoryEventStore>; warm: Ports; other: Ports; cold: Ports } {
  const store = createMemoryEventStore()
  const cold = testPorts({ store })
  return { store, cold, warm: { ...cold, warm: createWarmGames(4) }, other: { ...cold, warm: createWarmGames(4) } }
}

async function greet(ports: Ports, game: GameId) {
  return answered(await order(ports, game, anna, await headOfGame(ports, game), { type: 'greet', seat: 2 }))
}

test('sees what another container appends, and what it appends itself', async () => {
  const { cold, warm, other } = containers()
  const game = await startTally(warm, [anna, bela])
  for (let round = 0; round < 25; round++) {
    await greet(round % 3 === 0 ? other : warm, game)
    const fresh = await loadGame(cold, game)
    for (const ports of [warm, other]) {
      const loaded = await loadGame(ports, game)
      expect(loaded?.head).toEqual(fresh?.head)
      expect(loaded?.state).toEqual(fresh?.state)
      expect(loaded?.at).toBe(fresh?.at)
    }
  }
})

test('reads what is newer by one call, and a game that has grown much afresh', async () => {
  const { store, cold, warm } = containers()
  const game = await startTally(warm, [anna, bela])
  await greet(cold, game)
  const before = { ...store.calls }
  await loadGame(warm, game)
  expect(store.calls.readForwards - before.readForwards).toBe(1)
  expect(store.calls.readBackwards - before.readBackwards).toBe(0)
  for (let round = 0; round < 40; round++) await greet(cold, game)
  expect((await loadGame(warm, game))?.head).toEqual(await headOfGame(cold, game))
  expect(store.calls.readBackwards - before.readBackwards).toBeGreaterThan(40)
})

test('a log restored from a backup is loaded afresh, whatever was kept', async () => {
  const { warm } = containers()
  const game = await startTally(warm, [anna, bela])
  const backup = await warm.store.readForwards(game, 0, 100)
  for (let round = 0; round < 3; round++) await greet(warm, game)
  const restored = createMemoryEventStore()
  for (const stored of backup) await restored.append(stored)
  const after = { ...warm, store: restored }
  expect((await loadGame(after, game))?.head).toEqual(await headOfGame(after, game))
  await greet(after, game)
  expect((await headOfGame(after, game)).n).toBe(backup.length + 1)
})

test('a repeated order is found in what is kept', async () => {
  const { warm } = containers()
  const game = await startTally(warm, [anna, bela])
  const seen = await headOfGame(warm, game)
  const commandId = freshId()
  const send = () => order(warm, game, anna, seen, { type: 'greet', seat: 2 }, { commandId })
  const first = answered(await send())
  for (let round = 0; round < 12; round++) await greet(warm, game)
  expect(await send()).toEqual(first)
})

test('the least recently used games go first', () => {
  const warm = createWarmGames(2)
  const loaded = (id: string) => ({ id }) as never
  for (const id of ['a', 'b', 'a', 'c']) warm.keep(loaded(id))
  expect(['a', 'b', 'c'].map((id) => warm.get(id as GameId) !== undefined)).toEqual([true, false, true])
})
