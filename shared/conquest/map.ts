/** The map as the rules see it: territories, regions, borders and cards; outlines for drawing live in a file of their own. */

export const UNIT_TYPES = ['infantry', 'cavalry', 'artillery'] as const
export type UnitType = (typeof UNIT_TYPES)[number]

export const MAP_IDS = ['world', 'small'] as const
export type MapId = (typeof MAP_IDS)[number]

/** A region pays `bonus` armies at the start of the turn to a commander who holds all of it (R1). */
export interface Region {
  readonly id: string
  readonly name: string
  readonly bonus: number
}

/** `unitType` is that of the territory's requisition card (R4); `bastion` marks the territories of R2. */
export interface Territory {
  readonly id: string
  readonly name: string
  readonly region: string
  readonly bastion: boolean
  readonly unitType: UnitType
}

/** Two adjacent territories by id; land borders and sea routes count alike (R2). */
export type Border = readonly [string, string]

/** The JSON of `maps/<id>.json`. The order of `territories` is the map order of the rules. A game records id and version. */
export interface MapFile {
  readonly id: MapId
  readonly version: number
  readonly name: string
  /** Starting armies in total by number of commanders (R7); its keys are the numbers of commanders the map serves. */
  readonly startingArmies: Readonly<Record<string, number>>
  readonly regions: readonly Region[]
  readonly territories: readonly Territory[]
  readonly landBorders: readonly Border[]
  readonly seaRoutes: readonly Border[]
}

/**
 * The JSON of `maps/<id>-outlines.json`: the picture. Every arc is stored once; a ring lists arcs in order, `i` for
 * arc i as stored and `~i` for arc i backwards, so that the arcs two territories share are their land border (M7).
 */
export interface OutlinesFile {
  readonly id: MapId
  readonly version: number
  readonly width: number
  readonly height: number
  /** Flat x, y, x, y … in whole canvas units. */
  readonly arcs: readonly (readonly number[])[]
  readonly territories: readonly {
    readonly id: string
    /** First ring the outer coast or border, further ones holes (lakes, impassable ranges). */
    readonly rings: readonly (readonly number[])[]
    /** Where the army circle stands: circle, Bastion mark and name together have most room there. */
    readonly anchor: readonly [number, number]
    /** Where the name is written (middle of its baseline). */
    readonly label: readonly [number, number]
  }[]
  readonly regions: readonly {
    readonly id: string
    readonly colour: string
    readonly label: readonly [number, number]
  }[]
  /** Each sea route as drawn: one curve, or for the one that wraps the map's edge two stubs, each naming its far end. */
  readonly seaRoutes: readonly {
    readonly between: Border
    readonly curves: readonly {
      /** Flat x, y … from the coast of `from` onwards. */
      readonly points: readonly number[]
      readonly from: string
      /** For a stub: the far end it names, else absent. */
      readonly names?: string
    }[]
  }[]
}
