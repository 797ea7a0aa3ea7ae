/** A raster of the drawn outlines, to ask what lies at a point and how far the nearest coast or border is. */

import { WATER } from './land.ts'
import { type Outlines, ringPoints } from './outlines.ts'

const PIXEL = 2

export interface Raster {
  readonly width: number
  readonly height: number
  /** The territory at a point, WATER at sea and off the canvas. */
  at(x: number, y: number): number
  /** How far the nearest coast or border is. */
  clearance(x: number, y: number): number
  /** The territories other than `but` within `reach` of a point. */
  near(x: number, y: number, reach: number): Set<number>
}

/** Paints the outlines on a grid. */
export function rasterise(outlines: Outlines, width: number, height: number): Raster {
  const columns = Math.ceil(width / PIXEL)
  const rows = Math.ceil(height / PIXEL)
  const grid = new Int16Array(columns * rows).fill(WATER)
  for (const [territory, rings] of outlines.rings.entries()) {
    const polygons = rings.map((ring) => ringPoints(outlines.arcs, ring))
    for (let row = 0; row < rows; row++) {
      const y = row * PIXEL + PIXEL / 2 + 0.01
      const crossings: number[] = []
      for (const polygon of polygons) {
        for (const [i, [x1, y1]] of polygon.entries()) {
          const [x2, y2] = polygon[(i + 1) % polygon.length]!
          if (y1 > y !== y2 > y) crossings.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1))
        }
      }
      crossings.sort((a, b) => a - b)
      for (let i = 0; i + 1 < crossings.length; i += 2) {
        const from = Math.max(0, Math.ceil(crossings[i]! / PIXEL - 0.5))
        const to = Math.min(columns - 1, Math.floor(crossings[i + 1]! / PIXEL - 0.5))
        for (let column = from; column <= to; column++) grid[row * columns + column] = territory
      }
    }
  }
  const distance = distancesFromEdges(grid, columns, rows)
  const pixel = (x: number, y: number) => {
    const column = Math.floor(x / PIXEL)
    const row = Math.floor(y / PIXEL)
    return column < 0 || row < 0 || column >= columns || row >= rows ? -1 : row * columns + column
  }
  const at = (x: number, y: number) => {
    const cell = pixel(x, y)
    return cell < 0 ? WATER : grid[cell]!
  }
  return {
    width,
    height,
    at,
    clearance: (x, y) => {
      const cell = pixel(x, y)
      return cell < 0 ? 0 : distance[cell]! * PIXEL
    },
    near: (x, y, reach) => {
      const found = new Set<number>()
      for (let dy = -reach; dy <= reach; dy += PIXEL) {
        const half = Math.sqrt(reach * reach - dy * dy)
        for (let dx = -half; dx <= half; dx += PIXEL) {
          const territory = at(x + dx, y + dy)
          if (territory !== WATER) found.add(territory)
        }
      }
      return found
    },
  }
}

/** Distance in pixels to the nearest change of label: two chamfer sweeps, good to a few per cent. */
function distancesFromEdges(grid: Int16Array, columns: number, rows: number): Float32Array {
  const distance = new Float32Array(grid.length).fill(1e6)
  for (let i = 0; i < grid.length; i++) {
    const rightward = (i + 1) % columns !== 0 && grid[i] !== grid[i + 1]
    const downward = i + columns < grid.length && grid[i] !== grid[i + columns]
    if (rightward) distance[i] = distance[i + 1] = 0
    if (downward) distance[i] = distance[i + columns] = 0
  }
  const relax = (row: number, column: number, dr: number, dc: number, step: number) => {
    const [r, c] = [row + dr, column + dc]
    if (r < 0 || c < 0 || r >= rows || c >= columns) return
    const through = distance[r * columns + c]! + step
    if (through < distance[row * columns + column]!) distance[row * columns + column] = through
  }
  for (const sign of [-1, 1]) {
    for (let i = 0; i < grid.length; i++) {
      const cell = sign < 0 ? i : grid.length - 1 - i
      const row = Math.floor(cell / columns)
      const column = cell % columns
      relax(row, column, 0, sign, 1)
      relax(row, column, sign, 0, 1)
      relax(row, column, sign, sign, Math.SQRT2)
      relax(row, column, sign, -sign, Math.SQRT2)
    }
  }
  return distance
}
