/** Traces the arcs between territories, smooths and rounds each once, and joins them to rings; borders are read off the arcs (M7). */

import type { Cells } from './cells.ts'
import { WATER } from './land.ts'

export type Arc = readonly number[]

export interface Outlines {
  readonly arcs: readonly Arc[]
  /** Left and right of each arc; WATER or a territory. */
  readonly sidesOf: readonly (readonly [number, number])[]
  /** By territory: rings of arc numbers, `~i` for arc i backwards; the outer ring first. */
  readonly rings: readonly (readonly (readonly number[])[])[]
}

const INNER_PASSES = 9
const COAST_PASSES = 1
const TOLERANCE = 0.75

/** Traces the outlines of all territories; null where a ring does not close. */
export function traceOutlines(cells: Cells, owner: Int16Array, count: number): Outlines | null {
  const exits = new Map<number, { to: number; pair: string }[]>()
  const addExit = (from: number, to: number, pair: string) => {
    const list = exits.get(from)
    if (list) list.push({ to, pair })
    else exits.set(from, [{ to, pair }])
  }
  for (const { a, b, u, v } of cells.sides) {
    if (owner[a] === owner[b]) continue
    const pair = `${Math.min(owner[a]!, owner[b]!)}|${Math.max(owner[a]!, owner[b]!)}`
    addExit(u, v, pair)
    addExit(v, u, pair)
  }
  const used = new Set<string>()
  const walks: { corners: number[]; pair: string }[] = []
  const walk = (from: number, exit: { to: number; pair: string }) => {
    if (used.has(`${from}>${exit.to}`)) return
    const corners = [from]
    let at = from
    let next = exit.to
    for (;;) {
      used.add(`${at}>${next}`)
      used.add(`${next}>${at}`)
      corners.push(next)
      const onward = exits.get(next)!
      if (onward.length !== 2 || next === from) break
      const step = onward[0]!.to === at ? onward[1]! : onward[0]!
      at = next
      next = step.to
    }
    walks.push({ corners, pair: exit.pair })
  }
  for (const [corner, list] of exits) if (list.length === 3) for (const exit of list) walk(corner, exit)
  for (const [corner, list] of exits) if (list.length === 2) for (const exit of list) walk(corner, exit)

  const arcs: number[][] = []
  const sidesOf: [number, number][] = []
  for (const { corners, pair } of walks) {
    const sides = pair.split('|').map(Number) as [number, number]
    const line = corners.map((c): [number, number] => [cells.cornerX[c]!, cells.cornerY[c]!])
    const closed = corners[0] === corners.at(-1)
    const smoothed = smooth(line, sides[0] === WATER ? COAST_PASSES : INNER_PASSES, closed)
    const arc = rounded(simplify(smoothed))
    if (arc.length < 4) return null
    arcs.push(arc)
    sidesOf.push(sides)
  }
  const rings: number[][][] = []
  for (let territory = 0; territory < count; territory++) {
    const found = ringsOf(territory, arcs, sidesOf)
    if (!found || found.length === 0) return null
    rings.push(found)
  }
  return { arcs, sidesOf, rings }
}

function ringsOf(territory: number, arcs: readonly Arc[], sidesOf: readonly (readonly number[])[]): number[][] | null {
  const open = new Set([...arcs.keys()].filter((i) => sidesOf[i]!.includes(territory)))
  const rings: number[][] = []
  for (const start of open) {
    open.delete(start)
    const ring = [start]
    const home = startOf(arcs[start]!)
    let at = endOf(arcs[start]!)
    while (at !== home) {
      const next = [...open].find((i) => startOf(arcs[i]!) === at || endOf(arcs[i]!) === at)
      if (next === undefined) return null
      open.delete(next)
      const forward = startOf(arcs[next]!) === at
      ring.push(forward ? next : ~next)
      at = forward ? endOf(arcs[next]!) : startOf(arcs[next]!)
    }
    rings.push(ring)
  }
  const size = (ring: readonly number[]) => Math.abs(areaOf(ringPoints(arcs, ring)))
  return rings.sort((p, q) => size(q) - size(p))
}

const startOf = (arc: Arc) => `${arc[0]},${arc[1]}`
const endOf = (arc: Arc) => `${arc.at(-2)},${arc.at(-1)}`

/** The corners of a ring, each once. */
export function ringPoints(arcs: readonly Arc[], ring: readonly number[]): [number, number][] {
  return ring.flatMap((signed) => {
    const arc = arcs[signed < 0 ? ~signed : signed]!
    const points: [number, number][] = []
    for (let i = 0; i + 1 < arc.length; i += 2) points.push([arc[i]!, arc[i + 1]!])
    if (signed < 0) points.reverse()
    return points.slice(0, -1)
  })
}

/** Signed area of a ring. */
export function areaOf(points: readonly (readonly [number, number])[]): number {
  let twice = 0
  for (const [i, [x, y]] of points.entries()) {
    const [nx, ny] = points[(i + 1) % points.length]!
    twice += x * ny - nx * y
  }
  return twice / 2
}

function smooth(line: [number, number][], passes: number, closed: boolean): [number, number][] {
  let current = line
  const last = line.length - 1
  for (let pass = 0; pass < passes; pass++) {
    current = current.map(([x, y], i) => {
      const end = i === 0 || i === last
      if (end && !closed) return [x, y]
      const before = current[i === 0 ? last - 1 : i - 1]!
      const after = current[i === last ? 1 : i + 1]!
      return [x / 2 + (before[0] + after[0]) / 4, y / 2 + (before[1] + after[1]) / 4]
    })
  }
  return current
}

/** Douglas and Peucker; a closed line is first cut where it is farthest from its start. */
function simplify(line: readonly [number, number][]): [number, number][] {
  const keep = new Set([0, line.length - 1])
  const visit = (from: number, to: number) => {
    let farthest = 0
    let at = -1
    for (let i = from + 1; i < to; i++) {
      const d = distanceToSegment(line[i]!, line[from]!, line[to]!)
      if (d > farthest) {
        farthest = d
        at = i
      }
    }
    if (at < 0 || farthest <= TOLERANCE) return
    keep.add(at)
    visit(from, at)
    visit(at, to)
  }
  visit(0, line.length - 1)
  return line.filter((_, i) => keep.has(i))
}

function rounded(line: readonly [number, number][]): number[] {
  const flat: number[] = []
  for (const [x, y] of line) {
    const [rx, ry] = [Math.round(x), Math.round(y)]
    if (flat.at(-2) !== rx || flat.at(-1) !== ry) flat.push(rx, ry)
  }
  return flat
}

type Point = readonly [number, number]

/** How far a point lies from a segment. */
export function distanceToSegment([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay]
  const square = dx * dx + dy * dy
  const t = square === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / square))
  return Math.hypot(x - ax - t * dx, y - ay - t * dy)
}

export interface Stroke {
  readonly arc: number
  readonly at: number
  readonly from: Point
  readonly to: Point
}

/** All straight strokes of all arcs. */
export function strokesOf(arcs: readonly Arc[]): Stroke[] {
  return arcs.flatMap((line, arc) => {
    const strokes: Stroke[] = []
    for (let i = 0; i + 3 < line.length; i += 2) {
      strokes.push({ arc, at: i / 2, from: [line[i]!, line[i + 1]!], to: [line[i + 2]!, line[i + 3]!] })
    }
    return strokes
  })
}

/** Whether two strokes of the arcs meet anywhere but in an end they share. */
export function selfCrossing(arcs: readonly Arc[]): boolean {
  const strokes = strokesOf(arcs).sort((s, t) => Math.min(s.from[0], s.to[0]) - Math.min(t.from[0], t.to[0]))
  for (const [i, s] of strokes.entries()) {
    const right = Math.max(s.from[0], s.to[0])
    for (let j = i + 1; j < strokes.length; j++) {
      const t = strokes[j]!
      if (Math.min(t.from[0], t.to[0]) > right) break
      if (meet(s, t)) return true
    }
  }
  return false
}

function meet(s: Stroke, t: Stroke): boolean {
  const same = (p: Point, q: Point) => p[0] === q[0] && p[1] === q[1]
  const turn = (a: Point, b: Point, c: Point) =>
    Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
  const on = (p: Point, a: Point, b: Point) =>
    turn(a, b, p) === 0 && (p[0] - a[0]) * (p[0] - b[0]) + (p[1] - a[1]) * (p[1] - b[1]) <= 0
  for (const p of [s.from, s.to]) if (!same(p, t.from) && !same(p, t.to) && on(p, t.from, t.to)) return true
  for (const p of [t.from, t.to]) if (!same(p, s.from) && !same(p, s.to) && on(p, s.from, s.to)) return true
  const cross = turn(s.from, s.to, t.from) * turn(s.from, s.to, t.to) < 0
  return cross && turn(t.from, t.to, s.from) * turn(t.from, t.to, s.to) < 0
}

/** Length of the border each pair of territories shares, by `a|b` with a < b. */
export function sharedBorders({ arcs, sidesOf }: Outlines): Map<string, number> {
  const lengths = new Map<string, number>()
  for (const [i, [a, b]] of sidesOf.entries()) {
    if (a === WATER) continue
    let length = 0
    for (const { from, to } of strokesOf([arcs[i]!])) length += Math.hypot(to[0] - from[0], to[1] - from[1])
    lengths.set(`${a}|${b}`, (lengths.get(`${a}|${b}`) ?? 0) + length)
  }
  return lengths
}
