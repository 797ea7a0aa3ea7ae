/** The outlines of the maps, for pages and pictures only: the rules never load this file. */

import type { MapId, OutlinesFile } from './map.ts'
import small from './maps/small-outlines.json' with { type: 'json' }
import world from './maps/world-outlines.json' with { type: 'json' }

// JSON imports lose tuples; test/conquest/maps.test.ts checks the shape.
export const OUTLINES = { world, small } as unknown as Readonly<Record<MapId, OutlinesFile>>
