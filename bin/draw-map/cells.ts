/** The ground a map is grown on: Lloyd-relaxed Voronoi cells, whose every corner joins three, so that no touch in a point occurs. */

import { Delaunay } from 'd3-delaunay'
import { chanceFrom } from './chance.ts'

/** The side that cells `a` and `b` share, between the corners `u` and `v`. */
export interface Side {
  readonly a: number
  readonly b: number
  readonly u: number
  readonly v: number
  readonly length: number
}

export interface Cells {
  readonly width: number
  readonly height: number
  readonly count: number
  /** Mean distance between neighbouring cells. */
  readonly spacing: number
  readonly x: Float64Array
  readonly y: Float64Array
  readonly neighbours: readonly (readonly number[])[]
  readonly sides: readonly Side[]
  readonly cornerX: Float64Array
  readonly cornerY: Float64Array
  /** Cells that lie at the frame and are water on every map. */
  readonly frame: Uint8Array
}

const RELAXATIONS = 4

/** Scatters and relaxes cells of about `spacing` over a canvas. */
export function scatterCells(width: number, height: number, spacing: number): Cells {
  const chance = chanceFrom(20261201)
  const count = Math.round((width * height) / (spacing * spacing))
  const points = new Float64Array(count * 2)
  for (let i = 0; i < count; i++) {
    points[i * 2] = chance() * width
    points[i * 2 + 1] = chance() * height
  }
  let delaunay = new Delaunay(points)
  for (let round = 0; round < RELAXATIONS; round++) {
    const voronoi = delaunay.voronoi([0, 0, width, height])
    for (let i = 0; i < count; i++) {
      const middle = centroid(voronoi.cellPolygon(i))
      if (middle) [points[i * 2], points[i * 2 + 1]] = middle
    }
    delaunay = new Delaunay(points)
  }
  const { triangles, halfedges } = delaunay
  const { circumcenters } = delaunay.voronoi([0, 0, width, height])
  const corners = triangles.length / 3
  const x = Float64Array.from({ length: count }, (_, i) => points[i * 2]!)
  const y = Float64Array.from({ length: count }, (_, i) => points[i * 2 + 1]!)
  const cornerX = Float64Array.from({ length: corners }, (_, i) => circumcenters[i * 2]!)
  const cornerY = Float64Array.from({ length: corners }, (_, i) => circumcenters[i * 2 + 1]!)
  const neighbours: number[][] = Array.from({ length: count }, () => [])
  const sides: Side[] = []
  for (let e = 0; e < halfedges.length; e++) {
    const twin = halfedges[e]!
    if (twin < e) continue
    const a = triangles[e]!
    const b = triangles[e % 3 === 2 ? e - 2 : e + 1]!
    const u = Math.floor(e / 3)
    const v = Math.floor(twin / 3)
    neighbours[a]!.push(b)
    neighbours[b]!.push(a)
    sides.push({ a, b, u, v, length: Math.hypot(cornerX[u]! - cornerX[v]!, cornerY[u]! - cornerY[v]!) })
  }
  const edge = spacing * 1.6
  const frame = Uint8Array.from({ length: count }, (_, i) =>
    Math.min(x[i]!, y[i]!, width - x[i]!, height - y[i]!) < edge ? 1 : 0,
  )
  return { width, height, count, spacing, x, y, neighbours, sides, cornerX, cornerY, frame }
}

function centroid(polygon: ArrayLike<ArrayLike<number>> | null): [number, number] | null {
  if (!polygon) return null
  let area = 0
  let cx = 0
  let cy = 0
  for (let i = 0; i + 1 < polygon.length; i++) {
    const [x1, y1, x2, y2] = [polygon[i]![0]!, polygon[i]![1]!, polygon[i + 1]![0]!, polygon[i + 1]![1]!]
    const cross = x1 * y2 - x2 * y1
    area += cross
    cx += (x1 + x2) * cross
    cy += (y1 + y2) * cross
  }
  return area === 0 ? null : [cx / (3 * area), cy / (3 * area)]
}

/** The connected parts of the cells that carry one label, largest first. */
export function partsOf(cells: Cells, labels: ArrayLike<number>, label: number): number[][] {
  const seen = new Uint8Array(cells.count)
  const parts: number[][] = []
  for (let start = 0; start < cells.count; start++) {
    if (seen[start] || labels[start] !== label) continue
    const part = [start]
    seen[start] = 1
    for (let at = 0; at < part.length; at++) {
      for (const next of cells.neighbours[part[at]!]!) {
        if (seen[next] || labels[next] !== label) continue
        seen[next] = 1
        part.push(next)
      }
    }
    parts.push(part)
  }
  return parts.sort((p, q) => q.length - p.length)
}
