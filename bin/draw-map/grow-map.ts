/** Grows one map from a seed, or says what the layout lacks. */

import { type Border, type MapFile, type OutlinesFile, UNIT_TYPES, type UnitType } from '../../shared/conquest/map.ts'
import { chooseBastions } from './bastions.ts'
import type { Cells } from './cells.ts'
import { type Chance, chanceFrom } from './chance.ts'
import { diameter, type Neighbours, neighboursFrom, partCount, weakPoints } from './graph.ts'
import { placeRegion, placeTerritory } from './labels.ts'
import { growLand } from './land.ts'
import {
  areaOf,
  distanceToSegment,
  type Outlines,
  ringPoints,
  selfCrossing,
  sharedBorders,
  strokesOf,
  traceOutlines,
} from './outlines.ts'
import { parcelOut } from './parcels.ts'
import { type Raster, rasterise } from './raster.ts'
import { chooseRoutes, possibleRoutes, type Route, wrappingRoutes } from './sea-routes.ts'
import type { Sketch } from './sketches.ts'

export interface Drawn {
  readonly map: MapFile
  readonly outlines: OutlinesFile
  readonly measures: Readonly<Record<string, number>>
}

/** A map with its picture, or the first criterion this seed misses. */
export function growMap(cells: Cells, sketch: Sketch, seed: number): Drawn | string {
  const chance = chanceFrom(seed)
  const land = growLand(cells, sketch, chance)
  const { owner, regionOf } = parcelOut(
    cells,
    land,
    sketch.regions.map((region) => region.territories.length),
    chance,
  )
  const grown = traceOutlines(cells, owner, regionOf.length)
  if (!grown) return 'an outline does not close'
  const outlines = inMapOrder(grown, regionOf)
  const shape = faultInShape(outlines, regionOf)
  if (shape) return shape
  const pairs = [...sharedBorders(outlines).keys()].map((key) => key.split('|').map(Number) as [number, number])
  const raster = rasterise(outlines, sketch.width, sketch.height)
  const routes = chooseRoutes(
    sketch,
    pairs,
    possibleRoutes(outlines, raster, regionOf),
    sketch.strict ? wrappingRoutes(outlines, raster, regionOf) : [],
    regionOf,
    chance,
  )
  if (!routes) return 'M4 no sea routes'
  const neighbours = neighboursFrom(regionOf.length, [...pairs, ...routes.map(({ a, b }) => [a, b] as const)])
  const graph = faultInGraph(sketch, pairs, routes, neighbours, regionOf)
  if (graph) return graph
  const chosen = chooseBastions(neighbours, regionOf, sketch.strict)
  if (!chosen) return 'M5 no choice of Bastions'
  if (sketch.strict && chosen.passes < 1.5) return `M5 betweenness ${chosen.passes.toFixed(2)}`
  const bonuses = sketch.regions.map((_, region) => bonusOf(region, neighbours, regionOf))
  const bonusTotal = bonuses.reduce((sum, n) => sum + n, 0)
  if (sketch.strict && (bonusTotal < 20 || bonusTotal > 28)) return `M6 total ${bonusTotal}`
  const between = pairs.filter(([a, b]) => regionOf[a] !== regionOf[b]).length + routes.length
  const measures = {
    borders: pairs.length + routes.length,
    diameter: diameter(neighbours),
    between,
    routes: routes.length,
    passes: chosen.passes,
    bonusTotal,
  }
  const unitTypes = shareTypes(neighbours, regionOf, chance)
  const files = write(sketch, outlines, raster, pairs, routes, regionOf, new Set(chosen.bastions), bonuses, unitTypes)
  return { ...files, measures }
}

/** Renumbers the territories of each region from the north down. */
function inMapOrder(outlines: Outlines, regionOf: readonly number[]): Outlines {
  const height = outlines.rings.map((rings) => {
    const points = ringPoints(outlines.arcs, rings[0]!)
    return points.reduce((sum, [x, y]) => sum + y + x / 50, 0) / points.length
  })
  const order = [...regionOf.keys()].sort((a, b) => regionOf[a]! - regionOf[b]! || height[a]! - height[b]!)
  const place = new Map(order.map((territory, i) => [territory, i]))
  return {
    arcs: outlines.arcs,
    rings: order.map((territory) => outlines.rings[territory]!),
    sidesOf: outlines.sidesOf.map((sides) => {
      const [a, b] = sides.map((t) => place.get(t) ?? t).sort((s, t) => s - t)
      return [a!, b!]
    }),
  }
}

function faultInShape(outlines: Outlines, regionOf: readonly number[]): string | null {
  if (selfCrossing(outlines.arcs)) return 'M7 arcs cross'
  const shared = sharedBorders(outlines)
  for (const length of shared.values()) if (length < 30) return `a shared border is ${Math.round(length)}`
  const areas = outlines.rings.map((rings) => Math.abs(areaOf(ringPoints(outlines.arcs, rings[0]!))))
  const mean = areas.reduce((sum, area) => sum + area, 0) / areas.length
  if (areas.some((area) => area < 0.65 * mean || area > 1.45 * mean)) return 'areas too uneven'
  const strokes = outlines.rings.map((rings) =>
    strokesOf(outlines.arcs.filter((_, i) => rings.flat().some((s) => s === i || ~s === i))),
  )
  for (let a = 0; a < regionOf.length; a++) {
    for (let b = a + 1; b < regionOf.length; b++) {
      if (shared.has(`${a}|${b}`)) continue
      for (const s of strokes[a]!) {
        for (const t of strokes[b]!) {
          if (Math.abs(s.from[0] - t.from[0]) > 60 || Math.abs(s.from[1] - t.from[1]) > 60) continue
          const gap = Math.min(distanceToSegment(s.from, t.from, t.to), distanceToSegment(t.from, s.from, s.to))
          if (gap < 16) return 'no neighbours, yet nearly touching'
        }
      }
    }
  }
  return null
}

function faultInGraph(
  sketch: Sketch,
  pairs: readonly (readonly [number, number])[],
  routes: readonly Route[],
  neighbours: Neighbours,
  regionOf: readonly number[],
): string | null {
  if (partCount(neighbours) > 1) return 'M1 not connected'
  const [least, most] = sketch.seaRoutes
  if (routes.length < least || routes.length > most) return 'M4 number of sea routes'
  for (const [region, { name }] of sketch.regions.entries()) {
    const members = [...regionOf.keys()].filter((t) => regionOf[t] === region)
    const inside = pairs.filter(([a, b]) => regionOf[a] === region && regionOf[b] === region)
    const own = neighboursFrom(
      members.length,
      inside.map(([a, b]) => [members.indexOf(a), members.indexOf(b)]),
    )
    if (partCount(own) > 1) return `M3 ${name} falls apart`
  }
  const { bridges, articulations } = weakPoints(neighbours)
  if (!sketch.strict) return bridges ? 'a bridge' : null
  const degrees = neighbours.map((list) => list.length)
  const borders = pairs.length + routes.length
  if (borders < 70 || borders > 88) return `M2 ${borders} borders`
  if (Math.min(...degrees) < 2 || Math.max(...degrees) > 6) return 'M2 degree'
  if (bridges) return 'M2 bridge'
  if (articulations > 1) return `M2 ${articulations} articulation territories`
  const across = diameter(neighbours)
  if (across < 7 || across > 10) return `M2 diameter ${across}`
  const lands = partCount(neighboursFrom(regionOf.length, pairs))
  if (lands < 2 || lands > 4) return `M4 ${lands} landmasses`
  const between = pairs.filter(([a, b]) => regionOf[a] !== regionOf[b]).length + routes.length
  if (between < 14 || between > 22) return `M3 ${between} borders between regions`
  for (const [region, { name }] of sketch.regions.entries()) {
    const leaving = [...regionOf.keys()]
      .filter((t) => regionOf[t] === region)
      .flatMap((t) => neighbours[t]!.filter((n) => regionOf[n] !== region).map((n) => ({ t, to: regionOf[n] })))
    const border = new Set(leaving.map(({ t }) => t)).size
    if (border < 2 || border > 5) return `M3 ${name}: ${border} border territories`
    if (leaving.length < 3 || leaving.length > 9) return `M3 ${name}: ${leaving.length} borders leave it`
    if (new Set(leaving.map(({ to }) => to)).size < 2) return `M3 ${name}: one neighbour region`
  }
  return null
}

/** M6: T/2 + max(0, B/2 − 1), halves to the odd integer. */
function bonusOf(region: number, neighbours: Neighbours, regionOf: readonly number[]): number {
  const members = [...regionOf.keys()].filter((t) => regionOf[t] === region)
  const border = members.filter((t) => neighbours[t]!.some((n) => regionOf[n] !== region))
  const doubled = members.length + Math.max(0, border.length - 2)
  const floor = Math.floor(doubled / 2)
  return doubled % 2 === 0 || floor % 2 === 1 ? floor : floor + 1
}

/** Unit types as even as can be on the map and in each region, neighbours unlike where possible. */
function shareTypes(neighbours: Neighbours, regionOf: readonly number[], chance: Chance): number[] {
  const types = regionOf.map((_, i) => i % UNIT_TYPES.length)
  const cost = () => {
    const counts = new Map<string, number>()
    let sum = 0
    for (const [t, list] of neighbours.entries()) {
      const key = `${regionOf[t]}.${types[t]}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
      for (const n of list) if (types[n] === types[t]) sum += 0.5
    }
    for (const n of counts.values()) sum += n * n * 3
    return sum
  }
  let current = cost()
  const swap = (a: number, b: number) => {
    const kept = types[a]!
    types[a] = types[b]!
    types[b] = kept
  }
  for (let round = 0; round < 4000; round++) {
    const a = Math.floor(chance() * types.length)
    const b = Math.floor(chance() * types.length)
    swap(a, b)
    const after = cost()
    if (after <= current) current = after
    else swap(a, b)
  }
  return types
}

/** A lower-case ASCII id of a name. */
export function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')
    .replace(/^-|-$/g, '')
}

function write(
  sketch: Sketch,
  outlines: Outlines,
  raster: Raster,
  pairs: readonly (readonly [number, number])[],
  routes: readonly Route[],
  regionOf: readonly number[],
  bastions: ReadonlySet<number>,
  bonuses: readonly number[],
  unitTypes: readonly number[],
): { map: MapFile; outlines: OutlinesFile } {
  const names = sketch.regions.flatMap((region) => region.territories)
  const ids = names.map(slug)
  const border = (a: number, b: number): Border => [ids[a]!, ids[b]!]
  const byOrder = <P extends readonly [number, number]>(p: P, q: P) => p[0] - q[0] || p[1] - q[1]
  const sailed = [...routes].sort((r, s) => r.a - s.a || r.b - s.b)
  const taken: [number, number][] = []
  const lines = routes.flatMap((route) => route.curves.map((curve) => curve.points))
  for (const { curves } of routes) {
    for (const { points, names: far } of curves) {
      if (far !== undefined) taken.push([points.at(-2)! < 10 ? 60 : sketch.width - 60, points.at(-1)! - 10])
    }
  }
  const regions = sketch.regions.map(({ name, colour }, region) => {
    const members = [...regionOf.keys()].filter((t) => regionOf[t] === region)
    const label = placeRegion(outlines, raster, members, name.length * 13.6 + 50, lines, taken)
    taken.push(label)
    return { id: slug(name), colour, label }
  })
  return {
    map: {
      id: sketch.id,
      version: 1,
      name: sketch.name,
      startingArmies: sketch.startingArmies,
      regions: sketch.regions.map(({ name }, region) => ({ id: slug(name), name, bonus: bonuses[region]! })),
      territories: names.map((name, t) => ({
        id: ids[t]!,
        name,
        region: slug(sketch.regions[regionOf[t]!]!.name),
        bastion: bastions.has(t),
        unitType: UNIT_TYPES[unitTypes[t]!] as UnitType,
      })),
      landBorders: [...pairs].sort(byOrder).map(([a, b]) => border(a, b)),
      seaRoutes: sailed.map(({ a, b }) => border(a, b)),
    },
    outlines: {
      id: sketch.id,
      version: 1,
      width: sketch.width,
      height: sketch.height,
      arcs: outlines.arcs,
      territories: names.map((name, t) => ({
        id: ids[t]!,
        rings: outlines.rings[t]!,
        ...placeTerritory(outlines, raster, t, name, bastions.has(t)),
      })),
      regions,
      seaRoutes: sailed.map(({ a, b, curves }) => ({
        between: border(a, b),
        curves: curves.map(({ points, from, names: far }) => ({
          points,
          from: ids[from]!,
          ...(far === undefined ? {} : { names: ids[far]! }),
        })),
      })),
    },
  }
}
