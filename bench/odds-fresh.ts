/** The odds measured in fresh processes, so that "first" is the first time: `node --import tsx bench/odds-fresh.ts` prints one run as JSON. */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Measurement, median } from './measurement.ts'
import { benchOdds } from './odds.ts'

const FILE = fileURLToPath(import.meta.url)
const RUNS = 7

/** The median of each measurement over some processes. */
export function benchOddsFresh(): readonly Measurement[] {
  const runs = Array.from({ length: RUNS }, () => {
    const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', FILE], { encoding: 'utf8' })
    return JSON.parse(stdout) as readonly Measurement[]
  })
  return runs[0]!.map((each, place) => ({ ...each, measured: median(runs.map((run) => run[place]!.measured)) }))
}

if (process.argv[1] === FILE) console.log(JSON.stringify(benchOdds()))
