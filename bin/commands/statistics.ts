/** The few figures a simulation reports. */

/** Wilson's 95 % interval for a share of `won` in `of`. */
export function interval(won: number, of: number): { readonly low: number; readonly high: number } {
  const z = 1.959963984540054
  const share = won / of
  const centre = share + z ** 2 / (2 * of)
  const half = z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2))
  const whole = 1 + z ** 2 / of
  return { low: Math.max(0, (centre - half) / whole), high: Math.min(1, (centre + half) / whole) }
}

/** The value below which the part `q` (0 to 1) of the values lies. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!
}
