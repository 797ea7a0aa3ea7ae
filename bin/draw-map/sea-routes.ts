/** Finds the curves ships could take between coasts, and chooses a few of them by a short annealing. */

import type { Chance } from './chance.ts'
import { diameter, neighboursFrom, partCount, weakPoints } from './graph.ts'
import { WATER } from './land.ts'
import { type Outlines, ringPoints, sharedBorders } from './outlines.ts'
import type { Raster } from './raster.ts'
import type { Sketch } from './sketches.ts'

type Point = readonly [number, number]

export interface Curve {
  readonly points: readonly number[]
  readonly from: number
  /** For a stub: the territory at the far end. */
  readonly names?: number
}

export interface Route {
  readonly a: number
  readonly b: number
  readonly length: number
  readonly curves: readonly Curve[]
}

const SHORTEST = 58
const LONGEST = 330
const LANDING = 26
const OFFING = 15
const BENDS = [0, 0.12, -0.12, 0.22, -0.22]

/** All routes that could be drawn between territories of different regions, at most one for a pair. */
export function possibleRoutes(outlines: Outlines, raster: Raster, regionOf: readonly number[]): Route[] {
  const coasts = landings(outlines, raster)
  const neighbours = sharedBorders(outlines)
  const routes: Route[] = []
  for (let a = 0; a < regionOf.length; a++) {
    for (let b = a + 1; b < regionOf.length; b++) {
      if (regionOf[a] === regionOf[b] || neighbours.has(`${a}|${b}`)) continue
      const pairs = coasts[a]!.flatMap((p) =>
        coasts[b]!.map((q) => ({ p, q, length: Math.hypot(p[0] - q[0], p[1] - q[1]) })),
      )
        .filter(({ length }) => length >= SHORTEST && length <= LONGEST)
        .sort((s, t) => s.length - t.length)
        .slice(0, 40)
      const found = pairs.flatMap(({ p, q, length }) => {
        if (raster.at((p[0] + q[0]) / 2, (p[1] + q[1]) / 2) !== WATER) return []
        return BENDS.map((bend) => ({ length: length * (1 + Math.abs(bend)), line: bow(p, q, bend) }))
      })
      const clear = found.find(({ line }) => sails(line, raster, a, b))
      if (clear) routes.push({ a, b, length: clear.length, curves: [{ points: clear.line.flat(), from: a }] })
    }
  }
  return routes
}

/** Routes that leave the map in the west and come back in the east at the same height. */
export function wrappingRoutes(outlines: Outlines, raster: Raster, regionOf: readonly number[]): Route[] {
  const coasts = landings(outlines, raster)
  const reaching = (side: 'west' | 'east') =>
    regionOf.flatMap((_, t) =>
      coasts[t]!.filter(([x]) => (side === 'west' ? x < 240 : x > raster.width - 240)).map((p) => ({ t, p })),
    )
  const east = reaching('east')
  const routes: Route[] = []
  for (const { t: a, p } of reaching('west')) {
    for (const { t: b, p: q } of east) {
      if (regionOf[a] === regionOf[b] || Math.abs(p[1] - q[1]) > 90) continue
      const y = Math.round((p[1] + q[1]) / 2)
      const out = bow(p, [0, y], p[1] === y ? 0 : 0.06)
      const back = bow(q, [raster.width, y], 0.06)
      if (!roomForName(raster, 0, y) || !roomForName(raster, raster.width, y)) continue
      if (!sails(out, raster, a, -2) || !sails(back, raster, b, -2)) continue
      const length = p[0] + raster.width - q[0] + Math.abs(p[1] - q[1])
      const curves = [
        { points: out.flat(), from: a, names: b },
        { points: back.flat(), from: b, names: a },
      ]
      routes.push({ a, b, length, curves })
    }
  }
  return routes.sort((r, s) => r.length - s.length).slice(0, 40)
}

/** Whether the name of the far end can stand above a stub at the frame. */
function roomForName(raster: Raster, frame: number, y: number): boolean {
  const inward = frame === 0 ? 1 : -1
  return [6, 24, 44, 64, 84].every((d) =>
    [-24, -12, 0].every((dy) => raster.near(frame + inward * d, y + dy, 2).size === 0),
  )
}

function landings(outlines: Outlines, raster: Raster): Point[][] {
  return outlines.rings.map((rings, territory) => {
    const points = ringPoints(outlines.arcs, rings[0]!)
    const dense = points.flatMap((p, i): Point[] => {
      const q = points[(i + 1) % points.length]!
      return Math.hypot(p[0] - q[0], p[1] - q[1]) > 14
        ? [p, [Math.round((p[0] + q[0]) / 2), Math.round((p[1] + q[1]) / 2)]]
        : [p]
    })
    return dense.filter(([x, y]) => {
      const near = raster.near(x, y, LANDING)
      return (
        near.size === 1 &&
        near.has(territory) &&
        [6, -6].some((d) => raster.at(x + d, y) === WATER || raster.at(x, y + d) === WATER)
      )
    })
  })
}

function bow(p: Point, q: Point, bend: number): [number, number][] {
  const [mx, my] = [(p[0] + q[0]) / 2 - (q[1] - p[1]) * bend, (p[1] + q[1]) / 2 + (q[0] - p[0]) * bend]
  const steps = bend === 0 ? 1 : 12
  return Array.from({ length: steps + 1 }, (_, i) => {
    const t = i / steps
    const [u, v, w] = [(1 - t) ** 2, 2 * t * (1 - t), t * t]
    return [Math.round(u * p[0] + v * mx + w * q[0]), Math.round(u * p[1] + v * my + w * q[1])]
  })
}

/** Whether a drawn curve keeps to the water and off third territories. */
function sails(line: readonly Point[], raster: Raster, a: number, b: number): boolean {
  const samples = along(line, 6)
  const total = samples.length * 6
  return samples.every(([x, y], i) => {
    const gone = i * 6
    const left = b < 0 ? Infinity : total - gone
    const here = raster.at(x, y)
    if (here !== WATER && !((here === a && gone < 10) || (here === b && left < 14))) return false
    for (const met of raster.near(x, y, OFFING)) {
      if (met !== a && met !== b) return false
      if (met === a && gone > 34) return false
      if (met === b && left > 38) return false
    }
    return true
  })
}

/** Points about every `step` along a line. */
export function along(line: readonly Point[], step: number): Point[] {
  const points: Point[] = [line[0]!]
  for (const [i, [x, y]] of line.slice(1).entries()) {
    const [px, py] = line[i]!
    const n = Math.max(1, Math.round(Math.hypot(x - px, y - py) / step))
    for (let k = 1; k <= n; k++) points.push([px + ((x - px) * k) / n, py + ((y - py) * k) / n])
  }
  return points
}

const KEEP_APART = 44

/** Chooses the sea routes of a map; null where none are good enough. */
export function chooseRoutes(
  sketch: Sketch,
  land: readonly (readonly [number, number])[],
  possible: readonly Route[],
  wrapping: readonly Route[],
  regionOf: readonly number[],
  chance: Chance,
): Route[] | null {
  if (sketch.strict && wrapping.length === 0) return null
  const [least, most] = sketch.seaRoutes
  const lines = new Map(
    [...possible, ...wrapping].map((route) => [route, route.curves.flatMap((c) => pointsOf(c.points, 8))]),
  )
  const clash = (r: Route, s: Route) =>
    lines.get(r)!.some(([x, y]) => lines.get(s)!.some(([u, v]) => Math.hypot(x - u, y - v) < KEEP_APART))
  const landmass = (t: number) => sketch.regions[regionOf[t]!]!.landmass
  const cost = (routes: readonly Route[]): number => {
    const joined = neighboursFrom(regionOf.length, [...land, ...routes.map(({ a, b }) => [a, b] as const)])
    let sum = routes.reduce((total, route) => total + route.length / 400, 0)
    for (const { a, b } of routes) if (landmass(a) === landmass(b)) sum += 0.9
    sum += 20 * Math.max(0, least - routes.length, routes.length - most)
    sum += 30 * (partCount(joined) - 1)
    for (const list of joined) sum += 10 * Math.max(0, list.length - 6) + 6 * Math.max(0, 2 - list.length)
    for (const [i, r] of routes.entries()) {
      if (routes.some((s) => s !== r && s.a === r.a && s.b === r.b)) sum += 50
      for (const s of routes.slice(i + 1)) {
        if ([r.a, r.b].some((end) => end === s.a || end === s.b)) sum += 0.8
        if (clash(r, s)) sum += 8
      }
    }
    if (!sketch.strict) return sum
    const outward = sketch.regions.map(() => 0)
    const border = sketch.regions.map(() => new Set<number>())
    let between = 0
    for (const [a, list] of joined.entries()) {
      for (const b of list) {
        if (regionOf[a] === regionOf[b]) continue
        between += 0.5
        outward[regionOf[a]!]!++
        border[regionOf[a]!]!.add(a)
      }
    }
    sum += 4 * Math.max(0, 14 - between, between - 22) + 3 * Math.max(0, 71 - land.length - routes.length)
    for (const n of outward) sum += 4 * Math.max(0, 3 - n, n - 9)
    for (const b of border) sum += 5 * Math.max(0, 2 - b.size, b.size - 5)
    if (sum > 60) return sum
    const weak = weakPoints(joined)
    sum += 6 * weak.bridges + 6 * Math.max(0, weak.articulations - 1) + weak.articulations
    const across = diameter(joined)
    if (across < Infinity) sum += 4 * Math.max(0, 7 - across, across - 9)
    return sum
  }
  const draw = () => possible[Math.floor(chance() * possible.length)]!
  let routes: Route[] = []
  if (possible.length === 0) return null
  const size = sketch.strict ? 6 : least
  while (routes.length < Math.min(size, possible.length)) {
    const route = draw()
    if (!routes.includes(route)) routes.push(route)
  }
  if (sketch.strict) routes = [wrapping[Math.floor(chance() * Math.min(8, wrapping.length))]!, ...routes]
  let current = cost(routes)
  let best = routes
  let lowest = current
  for (let round = 0; round < 2500; round++) {
    const heat = 3 * (1 - round / 2500) ** 2
    const next = [...routes]
    const fixed = sketch.strict ? 1 : 0
    const dice = chance()
    if (fixed && dice < 0.08) next[0] = wrapping[Math.floor(chance() * wrapping.length)]!
    else if (dice < 0.3 && next.length > fixed + 1) next.splice(fixed + Math.floor(chance() * (next.length - fixed)), 1)
    else if (dice < 0.5) next.push(draw())
    else next[fixed + Math.floor(chance() * (next.length - fixed))] = draw()
    if (new Set(next).size < next.length) continue
    const after = cost(next)
    if (after > current && chance() > Math.exp((current - after) / Math.max(heat, 1e-9))) continue
    routes = next
    current = after
    if (after < lowest) {
      lowest = after
      best = next
    }
  }
  return best
}

function pointsOf(flat: readonly number[], step: number): Point[] {
  return along(
    Array.from({ length: flat.length / 2 }, (_, i): Point => [flat[i * 2]!, flat[i * 2 + 1]!]),
    step,
  )
}
