/** How lucky each seat was: what the dice did against exact expectation, added up over a game. */

import type { Luck, Seat } from '../game-rules.ts'

export interface LuckOfSeat {
  readonly seat: Seat
  readonly measure: string
  /** How many events with dice went in. */
  readonly count: number
  readonly actual: number
  readonly expected: number
  /** (actual − expected) in standard deviations; 0 without any spread. */
  readonly score: number
}

/** A ledger that takes luck event by event. */
export function createLuckLedger() {
  const sums = new Map<
    string,
    { seat: Seat; measure: string; count: number; actual: number; expected: number; variance: number }
  >()
  return {
    add(lucks: readonly Luck[]): void {
      for (const { seat, measure, actual, expected, variance } of lucks) {
        const key = `${seat} ${measure}`
        const sum = sums.get(key) ?? { seat, measure, count: 0, actual: 0, expected: 0, variance: 0 }
        sum.count += 1
        sum.actual += actual
        sum.expected += expected
        sum.variance += variance
        sums.set(key, sum)
      }
    },
    /** By seat, then by measure in the order they came first. */
    perSeat(): readonly LuckOfSeat[] {
      return [...sums.values()]
        .map(({ variance, ...sum }) => ({
          ...sum,
          score: variance === 0 ? 0 : (sum.actual - sum.expected) / Math.sqrt(variance),
        }))
        .sort((one, other) => one.seat - other.seat)
    },
  }
}
