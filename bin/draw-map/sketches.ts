/** What no seed can give: the plan of each map, its names, one family of sounds for each region, and its colours. */

import type { MapId } from '../../shared/conquest/map.ts'

/** An ellipse: centre, half axes and turn in degrees. */
export type Blob = readonly [x: number, y: number, rx: number, ry: number, turn: number]

export interface RegionSketch {
  readonly name: string
  readonly colour: string
  /** Regions of one landmass may touch; a channel is kept between the others. */
  readonly landmass: number
  readonly blobs: readonly Blob[]
  /** In map order: from the north down, as the kept layout has them. */
  readonly territories: readonly string[]
}

export interface Sketch {
  readonly id: MapId
  readonly name: string
  readonly width: number
  readonly height: number
  readonly seaRoutes: readonly [least: number, most: number]
  /** Whether M1–M5 apply, the wrapping route among them; the small map is spared. */
  readonly strict: boolean
  /** Share of the canvas one territory takes. */
  readonly territoryShare: number
  readonly startingArmies: Readonly<Record<string, number>>
  readonly regions: readonly RegionSketch[]
}

const WORLD: Sketch = {
  id: 'world',
  name: 'The Seven Marches',
  width: 1600,
  height: 900,
  seaRoutes: [5, 8],
  strict: true,
  territoryShare: 0.0122,
  startingArmies: { 2: 40, 3: 35, 4: 30, 5: 25, 6: 20 },
  regions: [
    {
      name: 'Skeldmark',
      colour: '#7dd7ff',
      landmass: 0,
      blobs: [
        [270, 190, 190, 110, -8],
        [230, 300, 130, 110, 0],
      ],
      territories: ['Hravik', 'Isgrund', 'Brimfast', 'Torskel', 'Ulvarn', 'Kaldrun', 'Skarnholt'],
    },
    {
      name: 'The Hollows',
      colour: '#799c78',
      landmass: 0,
      blobs: [
        [250, 500, 150, 150, 0],
        [370, 680, 160, 110, 25],
      ],
      territories: ['Mossbarrow', 'Wickenfell', 'Foxhallow', 'Gallowend', 'Pennywater', 'Harrowmere'],
    },
    {
      name: 'Valmerise',
      colour: '#f7d8d5',
      landmass: 1,
      blobs: [
        [730, 190, 190, 110, 5],
        [640, 270, 100, 100, 0],
      ],
      territories: ['Corvanne', 'Aubrisse', 'Chantelor', 'Serelle', 'Ormaine', 'Belisarde'],
    },
    {
      name: 'Drovnia',
      colour: '#a787ac',
      landmass: 1,
      blobs: [
        [1060, 200, 210, 125, -5],
        [1320, 240, 170, 130, 15],
      ],
      territories: ['Vorzhova', 'Kremosk', 'Yaroslet', 'Tolvina', 'Zvetla', 'Mirodny', 'Pelnik'],
    },
    {
      name: 'Zharoum',
      colour: '#c38843',
      landmass: 1,
      blobs: [[1310, 500, 150, 160, -20]],
      territories: ['Tamrazed', 'Qasireh', 'Ozmareh', 'Nahruz', 'Jazhira'],
    },
    {
      name: 'Umbeleza',
      colour: '#bde897',
      landmass: 1,
      blobs: [
        [1160, 680, 200, 110, -15],
        [960, 730, 130, 100, 0],
      ],
      territories: ['Kwelanga', 'Zolwani', 'Dzimbari', 'Tambuzo', 'Lusandi'],
    },
    {
      name: 'Hauloa',
      colour: '#5e97e6',
      landmass: 2,
      blobs: [[790, 490, 150, 95, -25]],
      territories: ['Tavaloa', 'Nuirangi', 'Makeano', 'Ohelua'],
    },
  ],
}

const SMALL: Sketch = {
  id: 'small',
  name: 'Lantern Sound',
  width: 900,
  height: 560,
  seaRoutes: [2, 3],
  strict: false,
  territoryShare: 0.039,
  startingArmies: { 2: 9, 3: 8 },
  regions: [
    {
      name: 'Wickshore',
      colour: '#7dd7ff',
      landmass: 0,
      blobs: [
        [230, 200, 170, 100, -15],
        [180, 310, 100, 100, 0],
      ],
      territories: ['Tallowend', 'Beaconry', 'Snuffers', 'Lampmoor'],
    },
    {
      name: 'Glimmerfen',
      colour: '#c38843',
      landmass: 0,
      blobs: [[330, 400, 160, 90, 10]],
      territories: ['Foxfire', 'Rushlight', 'Willowisp'],
    },
    {
      name: 'Ember Isle',
      colour: '#bde897',
      landmass: 1,
      blobs: [[690, 260, 90, 150, 20]],
      territories: ['Cinderby', 'Kindlemere'],
    },
  ],
}

export const SKETCHES: Readonly<Record<MapId, Sketch>> = { world: WORLD, small: SMALL }
