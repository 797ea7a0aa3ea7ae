/** Draws the maps once: `tsx bin/draw-map.ts` writes the kept layouts, `--try world 1 40 <folder>` draws others to choose from. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MAP_IDS, type MapFile, type MapId, type OutlinesFile } from '../shared/conquest/map.ts'
import { scatterCells } from './draw-map/cells.ts'
import { type Drawn, growMap } from './draw-map/grow-map.ts'
import { renderMap } from './draw-map/render.ts'
import { SKETCHES } from './draw-map/sketches.ts'

/** Seeds chosen by eye among those that meet every criterion. */
const KEPT: Readonly<Record<MapId, number>> = { world: 80, small: 2 }

const SPACING = 10

const root = new URL('..', import.meta.url).pathname
const [mode, id, from, to, folder] = process.argv.slice(2)
if (mode === '--try') tryLayouts(id as MapId, Number(from), Number(to), folder!)
else for (const map of MAP_IDS) draw(map)

function draw(map: MapId): void {
  const sketch = SKETCHES[map]
  const cells = scatterCells(sketch.width, sketch.height, SPACING)
  for (let seed = KEPT[map]; ; seed++) {
    const drawn = growMap(cells, sketch, seed)
    if (typeof drawn === 'string') continue
    console.log(map, seed, JSON.stringify(drawn.measures))
    write(drawn)
    return
  }
}

function write({ map, outlines }: Drawn): void {
  const maps = join(root, 'shared/conquest/maps')
  writeFileSync(join(maps, `${map.id}.json`), compact(map))
  writeFileSync(join(maps, `${map.id}-outlines.json`), compact(outlines))
  mkdirSync(join(root, 'docs/maps'), { recursive: true })
  writeFileSync(join(root, `docs/maps/${map.id}.svg`), renderMap(map, outlines))
}

/** JSON with one territory, arc or border a line. */
function compact(file: MapFile | OutlinesFile): string {
  const fields = Object.entries(file).map(([key, value]) => {
    const lines = Array.isArray(value)
      ? `[\n${value.map((entry) => `    ${JSON.stringify(entry)}`).join(',\n')}\n  ]`
      : JSON.stringify(value)
    return `  ${JSON.stringify(key)}: ${lines}`
  })
  return `{\n${fields.join(',\n')}\n}\n`
}

function tryLayouts(map: MapId, first: number, last: number, into: string): void {
  const sketch = SKETCHES[map]
  const cells = scatterCells(sketch.width, sketch.height, SPACING)
  mkdirSync(into, { recursive: true })
  for (let seed = first; seed <= last; seed++) {
    const drawn = growMap(cells, sketch, seed)
    console.log(seed, typeof drawn === 'string' ? drawn : JSON.stringify(drawn.measures))
    if (typeof drawn !== 'string') writeFileSync(join(into, `${map}-${seed}.svg`), renderMap(drawn.map, drawn.outlines))
  }
}
