/** Divides each region into territories of like size by balanced k-means, then mends what would be too short a border. */

import type { Cells } from './cells.ts'
import { type Chance, noiseFrom } from './chance.ts'
import { dropStrays, fillPonds, trimCoast, WATER } from './land.ts'

export interface Parcels {
  /** The territory of every cell, or WATER. */
  readonly owner: Int16Array
  /** Region by territory. */
  readonly regionOf: readonly number[]
}

const ROUNDS = 220
const SHORT = 76
const TOO_SHORT = 50
const NARROW = 36

/** Parcels out the land; the regions at fault are divided anew as long as that helps. */
export function parcelOut(cells: Cells, land: Int16Array, sizes: readonly number[], chance: Chance): Parcels {
  const regionOf = sizes.flatMap((size, region) => Array.from({ length: size }, () => region))
  const first = sizes.map((_, region) => sizes.slice(0, region).reduce((sum, n) => sum + n, 0))
  const members = sizes.map((_, region) => [...land.keys()].filter((cell) => land[cell] === region))
  const [wx, wy] = waver(cells, chance)
  const divide = (region: number) => kMeans(members[region]!, wx, wy, sizes[region]!, cells.spacing, chance)
  const owner = new Int16Array(cells.count).fill(WATER)
  const give = (region: number, parts: Int16Array) => {
    for (const [i, cell] of members[region]!.entries()) owner[cell] = first[region]! + parts[i]!
  }
  const kept = sizes.map((_, region) => divide(region))
  for (const [region, parts] of kept.entries()) give(region, parts)
  let faults = faultsOf(cells, owner, regionOf)
  for (let round = 0; round < ROUNDS && faults.total > 0; round++) {
    const guilty = [...faults.byRegion.keys()].filter((region) => faults.byRegion[region]! > 0)
    const region = guilty[Math.floor(chance() * guilty.length)]!
    const parts = divide(region)
    give(region, parts)
    const after = faultsOf(cells, owner, regionOf)
    if (after.total < faults.total) {
      faults = after
      kept[region] = parts
    } else give(region, kept[region]!)
  }
  const group = (territory: number) => regionOf[territory]!
  dropStrays(cells, owner, regionOf.length, group)
  drownShortBorders(cells, owner, regionOf.length)
  partCoasts(cells, owner)
  for (let round = 0; round < 2; round++) trimCoast(cells, owner)
  dropStrays(cells, owner, regionOf.length, group)
  fillPonds(cells, owner)
  return { owner, regionOf }
}

/** Bends the plane a little, so that borders do not run straight. */
function waver(cells: Cells, chance: Chance): [Float64Array, Float64Array] {
  const east = noiseFrom(chance)
  const south = noiseFrom(chance)
  const bend = (noise: typeof east, x: number, y: number) => noise(x / 90, y / 90) * 30 + noise(x / 34, y / 34) * 9
  return [cells.x.map((x, i) => x + bend(east, x, cells.y[i]!)), cells.y.map((y, i) => y + bend(south, cells.x[i]!, y))]
}

function kMeans(
  members: readonly number[],
  x: Float64Array,
  y: Float64Array,
  k: number,
  spacing: number,
  chance: Chance,
): Int16Array {
  const parts = new Int16Array(members.length)
  const centres = spread(members, x, y, k, chance)
  const weight = new Float64Array(k)
  const fair = members.length / k
  const unit = (fair * spacing * spacing) / 3
  for (let round = 0; round < 40; round++) {
    const size = new Float64Array(k)
    const sumX = new Float64Array(k)
    const sumY = new Float64Array(k)
    for (const [i, cell] of members.entries()) {
      let best = 0
      let least = Infinity
      for (let c = 0; c < k; c++) {
        const d = (x[cell]! - centres[c]![0]) ** 2 + (y[cell]! - centres[c]![1]) ** 2 - weight[c]!
        if (d < least) {
          least = d
          best = c
        }
      }
      parts[i] = best
      size[best]!++
      sumX[best]! += x[cell]!
      sumY[best]! += y[cell]!
    }
    for (let c = 0; c < k; c++) {
      weight[c]! += ((fair - size[c]!) / fair) * unit * 0.5
      if (size[c]! > 0 && round < 30) centres[c] = [sumX[c]! / size[c]!, sumY[c]! / size[c]!]
    }
  }
  return parts
}

function spread(members: readonly number[], x: Float64Array, y: Float64Array, k: number, chance: Chance) {
  const centres: [number, number][] = []
  while (centres.length < k) {
    let best: [number, number] = [0, 0]
    let farthest = -1
    for (let tries = 0; tries < 5; tries++) {
      const cell = members[Math.floor(chance() * members.length)]!
      const nearest = Math.min(...centres.map(([cx, cy]) => Math.hypot(x[cell]! - cx, y[cell]! - cy)), 1e6)
      if (nearest > farthest) {
        farthest = nearest
        best = [x[cell]!, y[cell]!]
      }
    }
    centres.push(best)
  }
  return centres
}

function sharedLengths(cells: Cells, owner: Int16Array, count: number): Float64Array {
  const shared = new Float64Array(count * count)
  for (const side of cells.sides) {
    const a = owner[side.a]!
    const b = owner[side.b]!
    if (a !== b && a !== WATER && b !== WATER) shared[Math.min(a, b) * count + Math.max(a, b)]! += side.length
  }
  return shared
}

/** Turns a border too short to be seen into a lake or, at the coast, a bay. */
function drownShortBorders(cells: Cells, owner: Int16Array, count: number): void {
  const shared = sharedLengths(cells, owner, count)
  const drowned = cells.sides.flatMap(({ a, b }) => {
    const [low, high] = [Math.min(owner[a]!, owner[b]!), Math.max(owner[a]!, owner[b]!)]
    return low !== high && low !== WATER && shared[low * count + high]! < TOO_SHORT ? [a, b] : []
  })
  for (const cell of drowned) {
    owner[cell] = WATER
    for (const beside of cells.neighbours[cell]!) owner[beside] = WATER
  }
}

/** Short borders, too many neighbours, and regions too open or too closed, weighed and laid to the regions they lie in. */
function faultsOf(cells: Cells, owner: Int16Array, regionOf: readonly number[]): { total: number; byRegion: number[] } {
  const count = regionOf.length
  const shared = sharedLengths(cells, owner, count)
  const degree = regionOf.map(() => 0)
  const byRegion = new Array<number>(Math.max(...regionOf) + 1).fill(0)
  const blame = (territory: number, fault: number) => {
    byRegion[regionOf[territory]!]! += fault
  }
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) {
      const length = shared[a * count + b]!
      if (length === 0) continue
      degree[a]!++
      degree[b]!++
      if (length < SHORT) {
        const fault = (1.2 - length / SHORT) ** 2
        blame(a, fault)
        blame(b, fault)
      }
    }
  }
  for (const [territory, n] of degree.entries()) if (n > 6) blame(territory, 3 * (n - 6))
  return { total: byRegion.reduce((sum, n) => sum + n, 0), byRegion }
}

/** Sinks coasts that nearly touch though their territories are no neighbours, or a strait would read as a border. */
function partCoasts(cells: Cells, owner: Int16Array): void {
  const count = Math.max(...owner) + 1
  const adjacent = new Uint8Array(count * count)
  for (const { a, b } of cells.sides) {
    if (owner[a] === WATER || owner[b] === WATER) continue
    adjacent[owner[a]! * count + owner[b]!] = 1
    adjacent[owner[b]! * count + owner[a]!] = 1
  }
  const coast = [...owner.keys()].filter(
    (cell) => owner[cell] !== WATER && cells.neighbours[cell]!.some((n) => owner[n] === WATER),
  )
  const sunk = new Set<number>()
  for (const [at, a] of coast.entries()) {
    for (const b of coast.slice(at + 1)) {
      if (owner[a] === owner[b] || adjacent[owner[a]! * count + owner[b]!]) continue
      if (Math.hypot(cells.x[a]! - cells.x[b]!, cells.y[a]! - cells.y[b]!) > NARROW) continue
      sunk.add(a)
      sunk.add(b)
    }
  }
  for (const cell of sunk) owner[cell] = WATER
}
