/** Where army circles and names stand: as far from every border as circle and name together can be. */

import { WATER } from './land.ts'
import { areaOf, type Outlines, ringPoints } from './outlines.ts'
import type { Raster } from './raster.ts'
import { along } from './sea-routes.ts'

export const CIRCLE = 15
export const NAME_DROP = 31
const LETTER = 6.9
const NAME_HEIGHT = 11

export interface Standing {
  readonly anchor: [number, number]
  readonly label: [number, number]
}

/** The place of a territory's circle and name. */
export function placeTerritory(
  outlines: Outlines,
  raster: Raster,
  territory: number,
  name: string,
  bastion: boolean,
): Standing {
  const points = ringPoints(outlines.arcs, outlines.rings[territory]![0]!)
  const half = (name.length * LETTER) / 2
  const [left, right] = [Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x))]
  const [top, bottom] = [Math.min(...points.map(([, y]) => y)), Math.max(...points.map(([, y]) => y))]
  let best: Standing = { anchor: [left, top], label: [left, top] }
  let roomiest = -Infinity
  for (let y = top; y <= bottom; y += 3) {
    for (let x = left; x <= right; x += 3) {
      if (raster.at(x, y) !== territory) continue
      const room = (px: number, py: number) => (raster.at(px, py) === territory ? raster.clearance(px, py) : -20)
      let free = Math.min(raster.clearance(x, y) - CIRCLE, 26)
      if (bastion) for (const dx of [-20, 0, 20]) free = Math.min(free, room(x + dx, y - 27))
      for (const dx of [-half, -half / 2, 0, half / 2, half]) {
        for (const dy of [NAME_DROP, NAME_DROP - NAME_HEIGHT]) free = Math.min(free, room(x + dx, y + dy))
      }
      if (free > roomiest) {
        roomiest = free
        best = { anchor: [x, y], label: [x, y + NAME_DROP] }
      }
    }
  }
  return best
}

/** The middle of a region's name in open water near its coast, clear of routes, other coasts and names. */
export function placeRegion(
  outlines: Outlines,
  raster: Raster,
  members: readonly number[],
  width: number,
  routes: readonly (readonly number[])[],
  taken: readonly (readonly [number, number])[],
): [number, number] {
  const own = members.flatMap((t) => ringPoints(outlines.arcs, outlines.rings[t]![0]!))
  const weights = members.map((t) => Math.abs(areaOf(ringPoints(outlines.arcs, outlines.rings[t]![0]!))))
  const total = weights.reduce((sum, w) => sum + w, 0)
  const centre = [0, 1].map((axis) =>
    members.reduce((sum, t, i) => {
      const points = ringPoints(outlines.arcs, outlines.rings[t]![0]!)
      return sum + ((points.reduce((s, p) => s + p[axis as 0 | 1], 0) / points.length) * weights[i]!) / total
    }, 0),
  )
  const samples = routes.flatMap((flat) =>
    along(
      Array.from({ length: flat.length / 2 }, (_, i): [number, number] => [flat[i * 2]!, flat[i * 2 + 1]!]),
      8,
    ),
  )
  let best: [number, number] = [centre[0]!, centre[1]!]
  let least = Infinity
  const half = width / 2
  for (let y = 26; y <= raster.height - 22; y += 6) {
    for (let x = half + 12; x <= raster.width - half - 12; x += 6) {
      const box = [-half, -half / 2, 0, half / 2, half].flatMap((dx) =>
        [-14, 0, 14].map((dy) => [x + dx, y + dy] as const),
      )
      if (box.some(([px, py]) => raster.at(px, py) !== WATER || raster.clearance(px, py) < 8)) continue
      if (samples.some(([px, py]) => Math.abs(px - x) < half + 12 && Math.abs(py - y) < 26)) continue
      if (taken.some(([px, py]) => Math.abs(px - x) < width + 20 && Math.abs(py - y) < 44)) continue
      const coast = Math.min(
        ...own.map(([px, py]) => Math.hypot(Math.max(0, Math.abs(px - x) - half), Math.max(0, Math.abs(py - y) - 14))),
      )
      const cost = coast * 3 + Math.hypot(x - centre[0]!, y - centre[1]!) * 0.6
      if (cost < least) {
        least = cost
        best = [Math.round(x), Math.round(y)]
      }
    }
  }
  return best
}
