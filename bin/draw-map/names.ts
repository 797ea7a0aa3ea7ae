/** What no seed can give: the names of the maps, one family of sounds for each region. */

import type { MapId } from '../../shared/conquest/map.ts'

export interface RegionNames {
  readonly name: string
  readonly territories: readonly string[]
}

export const MAP_NAMES: Readonly<Record<MapId, string>> = { world: 'The Seven Marches', small: 'Lantern Sound' }

export const WORLD_NAMES: readonly RegionNames[] = [
  { name: 'Skeldmark', territories: ['Hravik', 'Isgrund', 'Torskel', 'Brimfast', 'Ulvarn', 'Kaldrun', 'Skarnholt'] },
  { name: 'Valmerise', territories: ['Corvanne', 'Aubrisse', 'Monteloup', 'Serelle', 'Ormaine', 'Belisarde'] },
  { name: 'Zharoum', territories: ['Tamrazed', 'Qasireh', 'Ozmareh', 'Nahruz', 'Jazhira'] },
  { name: 'Hauloa', territories: ['Tavaloa', 'Nuirangi', 'Makeano', 'Ohelua'] },
  { name: 'Drovnia', territories: ['Borzhova', 'Kremosk', 'Yaroslet', 'Tolvina', 'Zvetla', 'Mirodny', 'Pelnik'] },
  { name: 'Umbeleza', territories: ['Kwelanga', 'Zolwani', 'Dzimbari', 'Tambuzo', 'Lusandi'] },
  {
    name: 'The Hollows',
    territories: ['Mossbarrow', 'Wickenfell', 'Foxholt', 'Gallowend', 'Pennywater', 'Harrowmere'],
  },
]

export const SMALL_NAMES: readonly RegionNames[] = [
  { name: 'Wickshore', territories: ['Tallow', 'Beaconry', 'Snuffers'] },
  { name: 'Ember Isle', territories: ['Cinderby', 'Kindle', 'Ashlar'] },
  { name: 'Glimmerfen', territories: ['Foxfire', 'Rushlight', 'Willowisp'] },
]
