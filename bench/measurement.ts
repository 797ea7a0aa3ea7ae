/** One row of the budget table. */

export interface Measurement {
  readonly name: string
  readonly measured: number
  /** At most this; with `atLeast`, at least this. */
  readonly budget: number
  readonly unit: string
  readonly atLeast?: boolean
}

/** Whether the budget is met. */
export function isMet({ measured, budget, atLeast = false }: Measurement): boolean {
  return atLeast ? measured >= budget : measured <= budget
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)]!
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Milliseconds of one run. */
export async function timed(run: () => unknown): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}
