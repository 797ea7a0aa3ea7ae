/** Chance and noise for drawing maps, the same on every machine for the same seed. */

export type Chance = () => number

/** Numbers in 0..1 from a seed (mulberry32). */
export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const LATTICE = 256

/** Smooth gradient noise over the plane, about −0.7..0.7. */
export function noiseFrom(chance: Chance): (x: number, y: number) => number {
  const order = Array.from({ length: LATTICE }, (_, i) => i)
  for (let i = LATTICE - 1; i > 0; i--) {
    const j = Math.floor(chance() * (i + 1))
    const swapped = order[i]!
    order[i] = order[j]!
    order[j] = swapped
  }
  // Eight fixed directions, so that no library sine decides a coast.
  const d = Math.SQRT1_2
  const slopes = [1, 0, d, d, 0, 1, -d, d, -1, 0, -d, -d, 0, -1, d, -d]
  const ramp = (ix: number, iy: number, dx: number, dy: number) => {
    const slope = order[(order[ix & (LATTICE - 1)]! + iy) & (LATTICE - 1)]! & 7
    return slopes[slope * 2]! * dx + slopes[slope * 2 + 1]! * dy
  }
  return (x, y) => {
    const ix = Math.floor(x)
    const iy = Math.floor(y)
    const fx = x - ix
    const fy = y - iy
    const u = fx * fx * fx * (fx * (fx * 6 - 15) + 10)
    const v = fy * fy * fy * (fy * (fy * 6 - 15) + 10)
    const top = ramp(ix, iy, fx, fy) * (1 - u) + ramp(ix + 1, iy, fx - 1, fy) * u
    const bottom = ramp(ix, iy + 1, fx, fy - 1) * (1 - u) + ramp(ix + 1, iy + 1, fx - 1, fy - 1) * u
    return top * (1 - v) + bottom * v
  }
}
