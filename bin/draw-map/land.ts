/** Grows the regions of a sketch as noise-warped blobs and carves the seas between them. */

import { type Cells, partsOf } from './cells.ts'
import { type Chance, noiseFrom } from './chance.ts'
import type { Sketch } from './sketches.ts'

export const WATER = -1

const CHANNEL = 46
const SHORE = 74
const WARPS = [
  [180, 62],
  [75, 30],
  [36, 15],
  [20, 8],
] as const

/** The region of every cell, or WATER. */
export function growLand(cells: Cells, sketch: Sketch, chance: Chance): Int16Array {
  const { regions } = sketch
  const [qx, qy] = warp(cells, chance)
  const shift = regions.map((region) =>
    region.blobs.map((blob) => {
      const turn = ((blob[4] + (chance() - 0.5) * 24) * Math.PI) / 180
      return {
        x: blob[0] + (chance() - 0.5) * 44,
        y: blob[1] + (chance() - 0.5) * 44,
        rx: blob[2] * (0.9 + chance() * 0.2),
        ry: blob[3] * (0.9 + chance() * 0.2),
        cos: Math.cos(turn),
        sin: Math.sin(turn),
      }
    }),
  )
  const wanted = regions.map((region) => region.territories.length * sketch.territoryShare * cells.count)
  const scale = regions.map(() => 1)
  const land = new Int16Array(cells.count)
  const depth = new Float64Array(regions.length)
  for (let round = 0; round < 24; round++) {
    const area = regions.map(() => 0)
    for (let i = 0; i < cells.count; i++) {
      land[i] = WATER
      if (cells.frame[i]) continue
      const shore = Math.min(cells.x[i]!, cells.y[i]!, cells.width - cells.x[i]!, cells.height - cells.y[i]!)
      const penalty = shore < SHORE ? 110 * ((SHORE - shore) / SHORE) ** 2 : 0
      let best = 0
      for (let r = 0; r < regions.length; r++) {
        let least = Infinity
        for (const blob of shift[r]!) {
          const dx = qx[i]! - blob.x
          const dy = qy[i]! - blob.y
          const along = (dx * blob.cos + dy * blob.sin) / (blob.rx * scale[r]!)
          const across = (dy * blob.cos - dx * blob.sin) / (blob.ry * scale[r]!)
          const outside = (Math.sqrt(along * along + across * across) - 1) * Math.sqrt(blob.rx * blob.ry) * scale[r]!
          if (outside < least) least = outside
        }
        depth[r] = least
        if (least < depth[best]!) best = r
      }
      if (depth[best]! + penalty > 0) continue
      const strait = regions.some(
        (other, r) => other.landmass !== regions[best]!.landmass && depth[r]! - depth[best]! < CHANNEL,
      )
      if (strait) continue
      land[i] = best
      area[best]!++
    }
    for (const r of scale.keys()) scale[r]! *= (wanted[r]! / Math.max(1, area[r]!)) ** 0.3
  }
  for (let round = 0; round < 3; round++) trimCoast(cells, land)
  dropStrays(cells, land, regions.length)
  fillPonds(cells, land)
  return land
}

function warp(cells: Cells, chance: Chance): [Float64Array, Float64Array] {
  const qx = Float64Array.from(cells.x)
  const qy = Float64Array.from(cells.y)
  for (const [size, strength] of WARPS) {
    const east = noiseFrom(chance)
    const south = noiseFrom(chance)
    for (let i = 0; i < cells.count; i++) {
      qx[i]! += east(cells.x[i]! / size, cells.y[i]! / size) * strength * 1.5
      qy[i]! += south(cells.x[i]! / size, cells.y[i]! / size) * strength * 1.5
    }
  }
  return [qx, qy]
}

/** Prunes tendrils and fills notches one cell wide. */
export function trimCoast(cells: Cells, labels: Int16Array): void {
  const before = Int16Array.from(labels)
  for (let i = 0; i < cells.count; i++) {
    if (cells.frame[i]) continue
    const around = cells.neighbours[i]!
    if (before[i] === WATER) {
      const dry = around.filter((n) => before[n] !== WATER)
      if (dry.length >= around.length - 1) labels[i] = mostCommon(dry.map((n) => before[n]!))
    } else if (around.filter((n) => before[n] === before[i]).length <= 2) {
      const wet = around.some((n) => before[n] === WATER)
      labels[i] = wet ? WATER : mostCommon(around.map((n) => before[n]!))
    }
  }
}

/** Keeps the largest part of every label; what is cut off goes to the label it touches most, or to the water. */
export function dropStrays(
  cells: Cells,
  labels: Int16Array,
  count: number,
  group: (label: number) => number = (l) => l,
): void {
  for (let label = 0; label < count; label++) {
    for (const part of partsOf(cells, labels, label).slice(1)) {
      const touched = part
        .flatMap((cell) => cells.neighbours[cell]!.map((n) => labels[n]!))
        .filter((l) => l !== WATER && l !== label && group(l) === group(label))
      const heir = touched.length ? mostCommon(touched) : WATER
      for (const cell of part) labels[cell] = heir
    }
  }
}

const SMALLEST_LAKE = 9

/** Fills water too small to be a lake. */
export function fillPonds(cells: Cells, land: Int16Array): void {
  for (const pond of partsOf(cells, land, WATER).slice(1)) {
    if (pond.length >= SMALLEST_LAKE) continue
    for (const cell of pond) {
      land[cell] = mostCommon(pond.flatMap((c) => cells.neighbours[c]!.map((n) => land[n]!)).filter((l) => l !== WATER))
    }
  }
}

function mostCommon(labels: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  let best = labels[0]!
  for (const [label, count] of counts) if (count > counts.get(best)!) best = label
  return best
}
