/**
 * Adds the golden logs that are missing: `npx tsx test/golden/make-golden.ts`. A log that stands is never written again; should the
 * game of its name come out otherwise today, this says so and stops, for a new rules or state version has been forgotten.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { audit } from '../../shared/application/audit.ts'
import { games } from '../../shared/games.ts'
import { GOLDEN_GAMES } from './golden-games.ts'
import { endOf, type GoldenEntry, MANIFEST, readManifest } from './manifest.ts'

const folder = join(import.meta.dirname, 'conquest')
mkdirSync(folder, { recursive: true })
const entries: GoldenEntry[] = [...readManifest()]

for (const game of GOLDEN_GAMES) {
  const file = `${game.name}.ndjson`
  const text = `${game.lines().join('\n')}\n`
  const path = join(folder, file)
  if (!existsSync(path)) writeFileSync(path, text)
  else if (readFileSync(path, 'utf8') !== text) throw new Error(`${file} would be another log today`)
  const lines = text.split('\n')
  const report = audit(lines, games)
  if (report.verdict !== 'sound' || !report.complete) throw new Error(`${file}: ${JSON.stringify(report.fault)}`)
  const { state, position, opening, commanders } = endOf(lines)
  const known = entries.findIndex((entry) => entry.file === file)
  const earlier = known < 0 ? {} : entries[known]!.states
  const entry: GoldenEntry = {
    file,
    what: game.what,
    ending: game.ending,
    commanders,
    visibility: opening.visibility,
    options: opening.options,
    commits: report.commits,
    head: `${report.head!.n}-${report.head!.hash}`,
    position,
    states: { ...state, ...earlier },
  }
  if (known < 0) entries.push(entry)
  else entries[known] = entry
}
writeFileSync(MANIFEST, `${JSON.stringify(entries, null, 2)}\n`)
console.error(`${entries.length} golden logs`)
