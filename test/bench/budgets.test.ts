/** The budgets that are counts hold over a whole game of four commanders; times are measured by `npm run bench` alone. */

import { describe, expect, test } from 'vitest'
import { costMeasurements, playCountedGame } from '../../bench/game-costs.ts'
import { priceMeasurements } from '../../bench/price.ts'
import { soakGames } from '../../bench/soak-games.ts'

describe('a whole game of four commanders', async () => {
  const games = [await playCountedGame('budget')]
  test.each(costMeasurements(games).map((each) => [each.name, each] as const))('%s', (_, { measured, budget }) => {
    expect(measured).toBeGreaterThan(0)
    expect(measured).toBeLessThanOrEqual(budget)
  })
  test.each(priceMeasurements(games).map((each) => [each.name, each] as const))('%s', (_, { measured, budget }) => {
    expect(measured).toBeGreaterThan(0)
    expect(measured).toBeLessThanOrEqual(budget)
  })
})

test('a sample of simulated games ends without a refused order or a broken promise', () => {
  const { games, endings } = soakGames(120)
  expect(games).toBe(120)
  expect(Object.values(endings).reduce((sum, each) => sum + each, 0)).toBe(120)
})
