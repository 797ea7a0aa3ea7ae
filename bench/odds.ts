/** The exact odds of Conquest against their budgets. */

import { createOdds } from '../shared/conquest/odds.ts'
import type { Measurement } from './measurement.ts'

const THIRTY = { attackers: 30, defenders: 30, bastion: true } as const
const THOUSAND = { attackers: 1000, defenders: 1000, bastion: true } as const

/** Milliseconds of one run. */
function once(run: () => unknown): number {
  const start = performance.now()
  run()
  return performance.now() - start
}

/** Mean microseconds of a run among many. */
function mean(times: number, run: () => unknown): number {
  return (once(() => Array.from({ length: times }, run)) * 1000) / times
}

/** Measures first, cached and largest odds; run it in a fresh process, or "first" is warmer than a first call is. */
export function benchOdds(): Measurement[] {
  const odds = createOdds()
  const first = once(() => odds.battleOdds(THIRTY))
  const firstProbability = once(() => odds.conquestProbability(30, 30, true))
  const largest = once(() => odds.battleOdds(THOUSAND))
  const largestToTheEnd = once(() => odds.conquestOdds(1000, 1000, true))
  const cached = mean(10_000, () => odds.battleOdds(THIRTY))
  const cachedProbability = mean(10_000, () => odds.conquestProbability(30, 30, true))
  return [
    { name: 'odds 30 v 30, first', budget: 1, measured: first, unit: 'ms' },
    { name: 'probability of conquest 30 v 30, first', budget: 1, measured: firstProbability, unit: 'ms' },
    { name: 'odds 30 v 30, cached', budget: 10, measured: cached, unit: 'µs' },
    { name: 'probability of conquest 30 v 30, cached', budget: 10, measured: cachedProbability, unit: 'µs' },
    { name: 'odds 1,000 v 1,000', budget: 100, measured: largest, unit: 'ms' },
    { name: 'odds 1,000 v 1,000, to the end', budget: 100, measured: largestToTheEnd, unit: 'ms' },
  ]
}
