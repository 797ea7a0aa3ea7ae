/** The maps of the game, each with the look-ups the rules need, made once when this file is loaded. */

import { MAP_IDS, type MapFile, type MapId, type UnitType } from './map.ts'
import small from './maps/small.json' with { type: 'json' }
import world from './maps/world.json' with { type: 'json' }

/** A card of the deck (R4): `territory` is an index in map order, null on the two wild ones. */
export interface RequisitionCard {
  readonly territory: number | null
  readonly unitType: UnitType | 'wild'
}

/** A map file with what is derived from it. Territories and regions are meant by their index in the file. */
export interface ConquestMap extends MapFile {
  /** A Map, so that `__proto__` and `constructor` are unknown territories. */
  readonly index: ReadonlyMap<string, number>
  /** By territory, in map order; land borders and sea routes alike (R2). */
  readonly neighbours: readonly (readonly number[])[]
  readonly regionOf: readonly number[]
  readonly regionMembers: readonly (readonly number[])[]
  readonly bastions: readonly boolean[]
  /** One per territory in map order, then two wild: card order (R25). */
  readonly cards: readonly RequisitionCard[]
}

const WILD: RequisitionCard = { territory: null, unitType: 'wild' }

/** Derives the look-ups of a map file; throws on an id that the file does not define. */
export function chart(file: MapFile): ConquestMap {
  const index = indexById(file.territories)
  const regions = indexById(file.regions)
  const neighbours: number[][] = file.territories.map(() => [])
  for (const [from, to] of [...file.landBorders, ...file.seaRoutes]) {
    const a = known(index, from)
    const b = known(index, to)
    neighbours[a]!.push(b)
    neighbours[b]!.push(a)
  }
  for (const list of neighbours) list.sort((a, b) => a - b)
  const regionOf = file.territories.map((territory) => known(regions, territory.region))
  return {
    ...file,
    index,
    neighbours,
    regionOf,
    regionMembers: file.regions.map((_, region) => [...regionOf.keys()].filter((t) => regionOf[t] === region)),
    bastions: file.territories.map((territory) => territory.bastion),
    cards: [...file.territories.map(({ unitType }, territory) => ({ territory, unitType })), WILD, WILD],
  }
}

function indexById(entries: readonly { readonly id: string }[]): ReadonlyMap<string, number> {
  return new Map(entries.map(({ id }, i) => [id, i]))
}

function known(index: ReadonlyMap<string, number>, id: string): number {
  const found = index.get(id)
  if (found === undefined) throw new Error(`the map does not define ${id}`)
  return found
}

// JSON imports lose tuples and literals; test/conquest/maps.test.ts checks the shape.
/** The maps as their files have them. */
export const MAP_FILES = { world, small } as unknown as Readonly<Record<MapId, MapFile>>

export const MAPS: Readonly<Record<MapId, ConquestMap>> = {
  world: chart(MAP_FILES.world),
  small: chart(MAP_FILES.small),
}

/** Whether a word from outside names a map. */
export function isMapId(word: string): word is MapId {
  return (MAP_IDS as readonly string[]).includes(word)
}
