import { readFileSync } from 'node:fs'
import polylabel from 'polylabel'
import { describe, expect, test } from 'vitest'
import { renderMap } from '../../bin/draw-map/render.ts'
import { MAP_IDS, type MapFile, type MapId, type OutlinesFile, UNIT_TYPES } from '../../shared/conquest/map.ts'
import { chart, isMapId, MAPS } from '../../shared/conquest/maps.ts'
import { OUTLINES } from '../../shared/conquest/outlines.ts'
import {
  articulationsOf,
  betweennessOf,
  bridgesOf,
  diameterOf,
  graphOf,
  type Pair,
  partsAmong,
} from '../support/graph.ts'

type Point = readonly [number, number]

const world = MAPS.world
const everyTerritory = [...world.territories.keys()]

const pairsOf = (map: MapFile, borders: readonly (readonly [string, string])[]): Pair[] => {
  const at = (id: string) => map.territories.findIndex((territory) => territory.id === id)
  return borders.map(([a, b]) => [at(a), at(b)])
}
const land = pairsOf(world, world.landBorders)
const sea = pairsOf(world, world.seaRoutes)
const everyBorder = [...land, ...sea]
const graph = graphOf(40, everyBorder)

const leaving = (region: number) =>
  world.regionMembers[region]!.flatMap((t) =>
    graph[t]!.filter((n) => world.regionOf[n] !== region).map((n) => ({ from: t, to: n })),
  )
const borderTerritories = (region: number) => [...new Set(leaving(region).map(({ from }) => from))]
const regions = world.regions.map((_, region) => region)

const mean = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length

/** M6, worked from its words. */
const bonusByM6 = (territories: number, border: number) => {
  const exact = territories / 2 + Math.max(0, border / 2 - 1)
  return Number.isInteger(exact) ? exact : Math.floor(exact) % 2 === 1 ? Math.floor(exact) : Math.ceil(exact)
}

describe('the files', () => {
  test.each(MAP_IDS)('%s has plain, unique ids and names', (id) => {
    const { territories, regions: named } = MAPS[id]
    for (const entries of [territories, named]) {
      expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length)
      expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length)
      for (const entry of entries) expect(entry.id).toMatch(/^[a-z]+(-[a-z]+)*$/)
    }
  })

  test('no two maps share a territory name', () => {
    const names = MAP_IDS.flatMap((id) => MAPS[id].territories.map(({ name }) => name))
    expect(new Set(names).size).toBe(names.length)
  })

  test.each(MAP_IDS)('%s and its outlines are of one version and name the same things in the same order', (id) => {
    const [map, outlines] = [MAPS[id], OUTLINES[id]]
    expect([outlines.id, outlines.version]).toEqual([map.id, map.version])
    expect(outlines.territories.map((t) => t.id)).toEqual(map.territories.map((t) => t.id))
    expect(outlines.regions.map((r) => r.id)).toEqual(map.regions.map((r) => r.id))
    expect(outlines.seaRoutes.map((r) => r.between)).toEqual(map.seaRoutes)
  })

  test.each(MAP_IDS)('%s keeps every territory in a region it defines, the territories of a region together', (id) => {
    const map = MAPS[id]
    expect([...map.regionOf].sort((a, b) => a - b)).toEqual(map.regionOf)
    expect(map.regionMembers.flat()).toEqual([...map.territories.keys()])
  })
})

describe('the look-ups', () => {
  test('ids that objects carry by birth are unknown territories', () => {
    for (const word of ['__proto__', 'constructor', 'toString', '']) {
      expect(world.index.get(word)).toBeUndefined()
      expect(isMapId(word)).toBe(false)
    }
    expect(isMapId('world')).toBe(true)
  })

  test.each(MAP_IDS)('%s: neighbours are mutual and in map order', (id) => {
    for (const [t, list] of MAPS[id].neighbours.entries()) {
      expect([...list].sort((a, b) => a - b)).toEqual(list)
      expect(new Set(list).size).toBe(list.length)
      for (const n of list) expect(MAPS[id].neighbours[n]).toContain(t)
    }
  })

  test('the neighbours of the world are those of its borders', () => {
    expect(world.neighbours).toEqual(graph.map((list) => [...list].sort((a, b) => a - b)))
  })

  test.each(MAP_IDS)('%s: one card a territory in map order, then two wild (R4)', (id) => {
    const { cards, territories } = MAPS[id]
    expect(cards.slice(0, -2)).toEqual(territories.map(({ unitType }, territory) => ({ territory, unitType })))
    expect(cards.slice(-2)).toEqual([
      { territory: null, unitType: 'wild' },
      { territory: null, unitType: 'wild' },
    ])
  })

  test('a border to a territory that is not defined throws', () => {
    expect(() => chart({ ...world, landBorders: [['nowhere', world.territories[0]!.id]] })).toThrow('nowhere')
  })
})

describe('the world', () => {
  test('R4 14 infantry, 13 cavalry, 13 artillery, spread evenly over the regions', () => {
    const count = (of: readonly number[]) =>
      UNIT_TYPES.map((type) => of.filter((t) => world.territories[t]!.unitType === type).length)
    expect(count(everyTerritory)).toEqual([14, 13, 13])
    for (const members of world.regionMembers) {
      expect(Math.max(...count(members)) - Math.min(...count(members))).toBeLessThanOrEqual(1)
    }
  })

  test('R7 starting armies', () => {
    expect(world.startingArmies).toEqual({ 2: 40, 3: 35, 4: 30, 5: 25, 6: 20 })
  })

  test('M1 40 territories, 7 regions of 4–8, 7 Bastions', () => {
    expect(world.territories).toHaveLength(40)
    expect(world.regions).toHaveLength(7)
    expect(world.bastions.filter(Boolean)).toHaveLength(7)
    expect(world.regionMembers.map((members) => members.length).sort()).toEqual([4, 5, 5, 6, 6, 7, 7])
  })

  test('M1 borders are listed once, without loops, and connect the map', () => {
    const keys = everyBorder.map(([a, b]) => `${Math.min(a, b)}|${Math.max(a, b)}`)
    expect(new Set(keys).size).toBe(keys.length)
    expect(everyBorder.filter(([a, b]) => a === b)).toEqual([])
    expect(partsAmong(graph, everyTerritory)).toBe(1)
  })

  test('M2 70–88 borders', () => {
    expect(everyBorder.length).toBeGreaterThanOrEqual(70)
    expect(everyBorder.length).toBeLessThanOrEqual(88)
  })

  test('M2 two to six neighbours each', () => {
    const degrees = graph.map((list) => list.length)
    expect(Math.min(...degrees)).toBeGreaterThanOrEqual(2)
    expect(Math.max(...degrees)).toBeLessThanOrEqual(6)
  })

  test('M2 diameter 7–10', () => {
    expect(diameterOf(graph)).toBeGreaterThanOrEqual(7)
    expect(diameterOf(graph)).toBeLessThanOrEqual(10)
  })

  test('M2 no bridge, at most one articulation territory', () => {
    expect(bridgesOf(40, everyBorder)).toEqual([])
    expect(articulationsOf(graph).length).toBeLessThanOrEqual(1)
  })

  test('M3 each region is connected by land', () => {
    const byLand = graphOf(40, land)
    for (const members of world.regionMembers) expect(partsAmong(byLand, members)).toBe(1)
  })

  test('M3 2–5 border territories, 3–9 borders leaving, at least 2 neighbour regions', () => {
    for (const region of regions) {
      const out = leaving(region)
      expect(borderTerritories(region).length).toBeGreaterThanOrEqual(2)
      expect(borderTerritories(region).length).toBeLessThanOrEqual(5)
      expect(out.length).toBeGreaterThanOrEqual(3)
      expect(out.length).toBeLessThanOrEqual(9)
      expect(new Set(out.map(({ to }) => world.regionOf[to])).size).toBeGreaterThanOrEqual(2)
    }
  })

  test('M3 14–22 borders between regions', () => {
    const between = everyBorder.filter(([a, b]) => world.regionOf[a] !== world.regionOf[b])
    expect(between.length).toBeGreaterThanOrEqual(14)
    expect(between.length).toBeLessThanOrEqual(22)
  })

  test('M4 5–8 sea routes, each between different regions', () => {
    expect(sea.length).toBeGreaterThanOrEqual(5)
    expect(sea.length).toBeLessThanOrEqual(8)
    expect(sea.filter(([a, b]) => world.regionOf[a] === world.regionOf[b])).toEqual([])
  })

  test('M4 2–4 landmasses', () => {
    const landmasses = partsAmong(graphOf(40, land), everyTerritory)
    expect(landmasses).toBeGreaterThanOrEqual(2)
    expect(landmasses).toBeLessThanOrEqual(4)
  })

  test('M4 exactly one route wraps the edge, as two stubs that name the far end', () => {
    const wrapping = OUTLINES.world.seaRoutes.filter(({ curves }) => curves.length === 2)
    expect(wrapping).toHaveLength(1)
    const { between, curves } = wrapping[0]!
    expect(curves.map(({ from, names }) => [from, names])).toEqual([between, [...between].reverse()])
    expect(curves.map(({ points }) => points.at(-2)).sort()).toEqual([0, OUTLINES.world.width])
    for (const route of OUTLINES.world.seaRoutes) {
      if (route === wrapping[0]) continue
      expect(route.curves).toHaveLength(1)
      expect(route.curves[0]!.names).toBeUndefined()
    }
  })

  test('M5 one Bastion a region, on its border, degree 3–6, beside a border territory that is none', () => {
    for (const region of regions) {
      const own = world.regionMembers[region]!.filter((t) => world.bastions[t])
      expect(own).toHaveLength(1)
      expect(borderTerritories(region)).toContain(own[0])
      expect(borderTerritories(region).length).toBeGreaterThan(1)
      expect(graph[own[0]!]!.length).toBeGreaterThanOrEqual(3)
      expect(graph[own[0]!]!.length).toBeLessThanOrEqual(6)
    }
  })

  test('M5 no two Bastions are adjacent', () => {
    expect(everyBorder.filter(([a, b]) => world.bastions[a] && world.bastions[b])).toEqual([])
  })

  test('M5 mean betweenness of the Bastions at least 1.5 × the mean of the map', () => {
    const through = betweennessOf(graph)
    expect(mean(through.filter((_, t) => world.bastions[t]))).toBeGreaterThanOrEqual(1.5 * mean(through))
  })

  test('M6 bonuses by the formula, in total 20–28', () => {
    for (const region of regions) {
      expect(world.regions[region]!.bonus).toBe(
        bonusByM6(world.regionMembers[region]!.length, borderTerritories(region).length),
      )
    }
    const total = world.regions.reduce((sum, { bonus }) => sum + bonus, 0)
    expect(total).toBeGreaterThanOrEqual(20)
    expect(total).toBeLessThanOrEqual(28)
  })

  test('M6 the formula gives the table of the design', () => {
    const row = (t: number) => [2, 3, 4, 5].map((b) => bonusByM6(t, b))
    expect(row(4)).toEqual([2, 3, 3, 3])
    expect(row(5)).toEqual([3, 3, 3, 4])
    expect(row(6)).toEqual([3, 3, 4, 5])
    expect(row(7)).toEqual([3, 4, 5, 5])
  })
})

describe('the small map', () => {
  const { small } = MAPS
  const borders = pairsOf(small, [...small.landBorders, ...small.seaRoutes])
  const joined = graphOf(small.territories.length, borders)
  const everyone = [...small.territories.keys()]

  test('6–9 territories, 2–3 regions, a Bastion and a sea route at least, for 2–3 commanders', () => {
    expect(everyone.length).toBeGreaterThanOrEqual(6)
    expect(everyone.length).toBeLessThanOrEqual(9)
    expect([2, 3]).toContain(small.regions.length)
    expect(small.bastions).toContain(true)
    expect(small.seaRoutes.length).toBeGreaterThanOrEqual(1)
    expect(Object.keys(small.startingArmies)).toEqual(['2', '3'])
  })

  test('it is connected, each region by land', () => {
    expect(partsAmong(joined, everyone)).toBe(1)
    const byLand = graphOf(everyone.length, pairsOf(small, small.landBorders))
    for (const members of small.regionMembers) expect(partsAmong(byLand, members)).toBe(1)
  })

  test('no two of its Bastions are adjacent', () => {
    expect(borders.filter(([a, b]) => small.bastions[a] && small.bastions[b])).toEqual([])
  })

  test('everyone can place an army on every territory dealt', () => {
    const { startingArmies } = small
    expect(startingArmies['2']).toBeGreaterThanOrEqual(Math.floor((7 * everyone.length) / 20))
    expect(startingArmies['3']).toBeGreaterThanOrEqual(Math.ceil(everyone.length / 3))
  })

  test('unit types as even as can be', () => {
    const counts = UNIT_TYPES.map((type) => small.territories.filter(({ unitType }) => unitType === type).length)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
  })

  test('M6 bonuses by the formula', () => {
    for (const [region, members] of small.regionMembers.entries()) {
      const border = members.filter((t) => joined[t]!.some((n) => small.regionOf[n] !== region))
      expect(small.regions[region]!.bonus).toBe(bonusByM6(members.length, border.length))
    }
  })
})

const pointsOf = (flat: readonly number[]): Point[] =>
  Array.from({ length: flat.length / 2 }, (_, i) => [flat[i * 2]!, flat[i * 2 + 1]!])
const arcPoints = (outlines: OutlinesFile, signed: number) => {
  const points = pointsOf(outlines.arcs[signed < 0 ? ~signed : signed]!)
  return signed < 0 ? points.reverse() : points
}
const ringOf = (outlines: OutlinesFile, ring: readonly number[]) =>
  ring.flatMap((signed) => arcPoints(outlines, signed).slice(0, -1))
const lengthOf = (points: readonly Point[]) =>
  points.slice(1).reduce((sum, [x, y], i) => sum + Math.hypot(x - points[i]![0], y - points[i]![1]), 0)
const areaOf = (ring: readonly Point[]) =>
  Math.abs(
    ring.reduce((sum, [x, y], i) => {
      const [u, v] = ring[(i + 1) % ring.length]!
      return sum + x * v - u * y
    }, 0) / 2,
  )
const inside = ([x, y]: Point, ring: readonly Point[]) =>
  ring.filter(([ax, ay], i) => {
    const [bx, by] = ring[(i + 1) % ring.length]!
    return ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)
  }).length %
    2 ===
  1
const fromSegment = ([x, y]: Point, [ax, ay]: Point, [bx, by]: Point) => {
  const [dx, dy] = [bx - ax, by - ay]
  const t = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
  return Math.hypot(x - ax - t * dx, y - ay - t * dy)
}
const segmentsOf = (outlines: OutlinesFile) =>
  outlines.arcs.flatMap((arc) => {
    const points = pointsOf(arc)
    return points.slice(1).map((to, i) => [points[i]!, to] as const)
  })
const turn = (a: Point, b: Point, c: Point) => Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
const same = (p: Point, q: Point) => p[0] === q[0] && p[1] === q[1]
const between = (p: Point, a: Point, b: Point) =>
  turn(a, b, p) === 0 && (p[0] - a[0]) * (p[0] - b[0]) + (p[1] - a[1]) * (p[1] - b[1]) <= 0
const touch = ([a, b]: readonly [Point, Point], [c, d]: readonly [Point, Point]) =>
  (turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0) ||
  [a, b].some((p) => !same(p, c) && !same(p, d) && between(p, c, d)) ||
  [c, d].some((p) => !same(p, a) && !same(p, b) && between(p, a, b))
const crossings = (segments: readonly (readonly [Point, Point])[]) =>
  segments.flatMap((s, i) => segments.slice(i + 1).filter((t) => touch(s, t)))

/** The borders the picture shows: pairs of territories that share an arc, with the length they share. */
function drawnBorders(outlines: OutlinesFile): Map<string, number> {
  const beside: string[][] = outlines.arcs.map(() => [])
  for (const { id, rings } of outlines.territories) {
    for (const signed of rings.flat()) beside[signed < 0 ? ~signed : signed]!.push(id)
  }
  const drawn = new Map<string, number>()
  for (const [arc, ids] of beside.entries()) {
    expect([1, 2]).toContain(ids.length)
    if (ids.length < 2) continue
    const key = [...ids].sort().join('|')
    drawn.set(key, (drawn.get(key) ?? 0) + lengthOf(arcPoints(outlines, arc)))
  }
  return drawn
}
const ruled = (map: MapFile) => map.landBorders.map((border) => [...border].sort().join('|')).sort()

describe.each(MAP_IDS)('the picture of %s', (id: MapId) => {
  const map = MAPS[id]
  const outlines = OUTLINES[id]
  const outer = outlines.territories.map(({ rings }) => ringOf(outlines, rings[0]!))

  test('M7 the arcs that territories share are the land borders', () => {
    expect([...drawnBorders(outlines).keys()].sort()).toEqual(ruled(map))
  })

  test('M7 a border left out of the rules, or added to them, shows', () => {
    const drawn = [...drawnBorders(outlines).keys()].sort()
    expect(drawn).not.toEqual(ruled({ ...map, landBorders: map.landBorders.slice(1) }))
    expect(drawn).not.toEqual(ruled({ ...map, landBorders: [...map.landBorders, map.seaRoutes[0]!] }))
  })

  test('M7 every ring is closed: each arc ends where the next begins', () => {
    for (const { rings } of outlines.territories) {
      for (const ring of rings) {
        for (const [i, signed] of ring.entries()) {
          const next = arcPoints(outlines, ring[(i + 1) % ring.length]!)
          expect(arcPoints(outlines, signed).at(-1)).toEqual(next[0])
        }
      }
    }
  })

  test('M7 no outline crosses or touches itself or another', () => {
    expect(crossings(segmentsOf(outlines))).toEqual([])
  })

  test('a crossing would be seen', () => {
    const [x, y] = outer[0]![0]!
    const stray = [
      [x - 40, y - 33],
      [x + 41, y + 35],
    ] as const
    expect(crossings([...segmentsOf(outlines), stray]).length).toBeGreaterThan(0)
  })

  test('at most three arcs meet in a point', () => {
    const ends = new Map<string, number>()
    for (const arc of outlines.arcs) {
      for (const end of [arc.slice(0, 2).join(), arc.slice(-2).join()]) ends.set(end, (ends.get(end) ?? 0) + 1)
    }
    expect(Math.max(...ends.values())).toBeLessThanOrEqual(3)
  })

  test('neighbours share at least 24', () => {
    expect(Math.min(...drawnBorders(outlines).values())).toBeGreaterThanOrEqual(24)
  })

  test('territories that are no neighbours lie at least 15 apart', () => {
    const neighbours = new Set(drawnBorders(outlines).keys())
    const points = outlines.territories.map(({ rings }) => rings.map((ring) => ringOf(outlines, ring)))
    const gap = (a: number, b: number) =>
      Math.min(
        ...points[a]!.flatMap((ring) =>
          ring.flatMap((p) =>
            points[b]!.flatMap((other) => other.map((q, i) => fromSegment(p, q, other[(i + 1) % other.length]!))),
          ),
        ),
      )
    const close = map.territories.flatMap((s, a) =>
      map.territories.flatMap((t, b) => {
        if (a === b || neighbours.has([s.id, t.id].sort().join('|')) || !boxesNear(outer[a]!, outer[b]!)) return []
        return gap(a, b) < 15 ? [`${s.id} ${t.id}`] : []
      }),
    )
    expect(close).toEqual([])
  })

  test('a circle of radius 30 fits in every territory', () => {
    for (const { rings } of outlines.territories) {
      expect(polylabel(rings.map((ring) => ringOf(outlines, ring))).distance).toBeGreaterThanOrEqual(30)
    }
  })

  test('areas are 0.6–1.5 of the mean', () => {
    const areas = outer.map(areaOf)
    expect(Math.min(...areas) / mean(areas)).toBeGreaterThanOrEqual(0.6)
    expect(Math.max(...areas) / mean(areas)).toBeLessThanOrEqual(1.5)
  })

  test('army circles stand in their territories, nothing is cut off at the frame', () => {
    for (const [t, { anchor, label }] of outlines.territories.entries()) {
      expect(inside(anchor, outer[t]!)).toBe(true)
      expect(inside(label, outer[t]!)).toBe(true)
    }
    for (const [x, y] of outer.flat()) {
      expect(Math.min(x, y, outlines.width - x, outlines.height - y)).toBeGreaterThan(12)
    }
  })

  test('sea routes begin and end on their own coasts, are 55 long or more, and meet no third territory', () => {
    for (const { between: ends, curves } of outlines.seaRoutes) {
      expect(curves.reduce((sum, { points }) => sum + lengthOf(pointsOf(points)), 0)).toBeGreaterThanOrEqual(55)
      for (const { points, from, names } of curves) {
        const line = pointsOf(points)
        const to = names === undefined ? ends.find((end) => end !== from) : undefined
        const reach = (p: Point, of: string | undefined) => {
          const ring = outer[outlines.territories.findIndex((t) => t.id === of)]!
          return Math.min(...ring.map((q, i) => fromSegment(p, q, ring[(i + 1) % ring.length]!)))
        }
        expect(reach(line[0]!, from)).toBeLessThan(2)
        if (to) expect(reach(line.at(-1)!, to)).toBeLessThan(2)
        for (const { id: third } of outlines.territories) {
          if (third === from || third === to) continue
          expect(Math.min(...line.map((p) => reach(p, third)))).toBeGreaterThanOrEqual(13)
          expect(reach(line[0]!, third)).toBeGreaterThanOrEqual(24)
          if (to) expect(reach(line.at(-1)!, third)).toBeGreaterThanOrEqual(24)
        }
      }
    }
  })

  test('the picture in the docs is drawn from these files', () => {
    const picture = readFileSync(new URL(`../../docs/maps/${id}.svg`, import.meta.url), 'utf8')
    expect(renderMap(map, outlines) === picture).toBe(true)
  })

  test('no sea route crosses another', () => {
    const lines = outlines.seaRoutes.map(({ curves }) =>
      curves.flatMap(({ points }) => {
        const line = pointsOf(points)
        return line.slice(1).map((to, i) => [line[i]!, to] as const)
      }),
    )
    for (const [i, a] of lines.entries()) {
      for (const b of lines.slice(i + 1)) expect(a.some((s) => b.some((t) => touch(s, t)))).toBe(false)
    }
  })
})

function boxesNear(a: readonly Point[], b: readonly Point[]): boolean {
  return [0, 1].every((axis) => {
    const [p, q] = [a, b].map((ring) => ring.map((point) => point[axis as 0 | 1]))
    return Math.min(...p!) - Math.max(...q!) < 20 && Math.min(...q!) - Math.max(...p!) < 20
  })
}

describe('the measures can fail', () => {
  test('a path of four has bridges, articulations, diameter 3, and all traffic through its middle', () => {
    const path: Pair[] = [
      [0, 1],
      [1, 2],
      [2, 3],
    ]
    const line = graphOf(4, path)
    expect(bridgesOf(4, path)).toEqual(path)
    expect(articulationsOf(line)).toEqual([1, 2])
    expect(diameterOf(line)).toBe(3)
    expect(betweennessOf(line)).toEqual([0, 2, 2, 0])
  })

  test('a ring of four shares the traffic of its corners', () => {
    const ring: Pair[] = [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 0],
    ]
    expect(bridgesOf(4, ring)).toEqual([])
    expect(articulationsOf(graphOf(4, ring))).toEqual([])
    expect(betweennessOf(graphOf(4, ring))).toEqual([0.5, 0.5, 0.5, 0.5])
  })

  test('the world without its sea routes falls apart', () => {
    expect(partsAmong(graphOf(40, land), everyTerritory)).toBeGreaterThan(1)
    expect(diameterOf(graphOf(40, land))).toBe(Infinity)
  })
})

// Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
const DEFICIENCIES = {
  none: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const

/** L*a*b* of a colour as seen with a deficiency (D65). */
function seen(hex: string, matrix: readonly number[]): number[] {
  const linear = [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  })
  const mixed = (m: readonly number[], v: readonly number[]) =>
    [0, 3, 6].map((row) => m[row]! * v[0]! + m[row + 1]! * v[1]! + m[row + 2]! * v[2]!)
  const rgb = mixed(matrix, linear).map((c) => Math.min(1, Math.max(0, c)))
  const xyz = mixed(
    [0.4124564, 0.3575761, 0.1804375, 0.2126729, 0.7151522, 0.072175, 0.0193339, 0.119192, 0.9503041],
    rgb,
  )
  const [x, y, z] = xyz.map((c, i) => {
    const t = c / [0.95047, 1, 1.08883][i]!
    return t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116
  })
  return [116 * y! - 16, 500 * (x! - y!), 200 * (y! - z!)]
}

const closest = (colours: readonly string[], matrix: readonly number[]) =>
  Math.min(
    ...colours.flatMap((a, i) =>
      colours.slice(i + 1).map((b) => {
        const [p, q] = [seen(a, matrix), seen(b, matrix)]
        return Math.hypot(p[0]! - q[0]!, p[1]! - q[1]!, p[2]! - q[2]!)
      }),
    ),
  )

describe('the region colours', () => {
  test.each(Object.entries(DEFICIENCIES))('stay ΔE 20 apart: %s', (_, matrix) => {
    for (const id of MAP_IDS) {
      const colours = OUTLINES[id].regions.map(({ colour }) => colour)
      expect(closest(colours, matrix)).toBeGreaterThanOrEqual(20)
    }
  })

  test('red and green of like lightness would not', () => {
    expect(closest(['#c0504d', '#6f8f3a'], DEFICIENCIES.deuteranopia)).toBeLessThan(20)
  })
})
