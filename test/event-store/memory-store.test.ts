import { expect, it } from 'vitest'
import { createMemoryEventStore } from '../../shared/event-store/memory-store.ts'
import { countedLog, freshGame } from '../support/counter-game.ts'
import { describeEventStore } from '../support/event-store-contract.ts'

const shared = createMemoryEventStore()
describeEventStore('in memory', () => shared)

it('counts its calls', async () => {
  const store = createMemoryEventStore()
  const game = freshGame()
  for (const stored of countedLog(game, 3)) await store.append(stored)
  await store.readBackwards(game, 8)
  await store.readForwards(game, 0, 8)
  await store.readForwards(game, 3, 8)
  expect(store.calls).toEqual({ append: 3, readBackwards: 1, readForwards: 2 })
})

it('does not let a log get a gap', async () => {
  const store = createMemoryEventStore()
  const [, second] = countedLog(freshGame(), 2)
  await expect(store.append(second!)).rejects.toThrow('gap')
})
