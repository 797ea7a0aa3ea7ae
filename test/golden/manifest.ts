/** What is recorded of each golden log, and how it is read back. */

import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  evolve,
  type GameState,
  type Opening,
  positionOf,
  stateVersionOf,
} from '../../shared/application/game-state.ts'
import { upcast } from '../../shared/application/upcast.ts'
import { canonicalJson } from '../../shared/event-store/canonical-json.ts'
import type { ExportedCommit } from '../../shared/event-store/commit.ts'
import type { LogHeader } from '../../shared/event-store/exported-log.ts'
import type { Json } from '../../shared/game-rules.ts'
import { games } from '../../shared/games.ts'
import type { GoldenEnding } from './golden-games.ts'

export const MANIFEST = join(import.meta.dirname, 'conquest', 'manifest.json')

export interface GoldenEntry {
  readonly file: string
  readonly what: string
  readonly ending: GoldenEnding
  /** How many began to play; 0 if none did. */
  readonly commanders: number
  readonly visibility: 'public' | 'private'
  readonly options: Json
  readonly commits: number
  readonly head: string
  /** SHA-256 of the final position. */
  readonly position: string
  /** SHA-256 of the final state's canonical JSON, by the state version of the code that made it. */
  readonly states: Readonly<Record<string, string>>
}

/** The entries, in the order they were added. */
export function readManifest(): readonly GoldenEntry[] {
  return existsSync(MANIFEST) ? (JSON.parse(readFileSync(MANIFEST, 'utf8')) as GoldenEntry[]) : []
}

/** The lines of a golden log. */
export function goldenLines(file: string): readonly string[] {
  return readFileSync(join(import.meta.dirname, 'conquest', file), 'utf8').split('\n')
}

/** The lines of a log, parsed. */
export function parsedLog(lines: readonly string[]): {
  readonly header: LogHeader
  readonly commits: readonly ExportedCommit[]
} {
  const [header, ...commits] = lines.filter((line) => line !== '').map((line) => JSON.parse(line))
  return { header, commits }
}

/** Where a complete log ends. */
export function endOf(lines: readonly string[]): {
  readonly state: Readonly<Record<string, string>>
  readonly position: string
  readonly opening: Opening
  readonly commanders: number
} {
  const { header, commits } = parsedLog(lines)
  const rules = games.version(header.kind, header.rulesVersion)!
  let state: GameState | null = null
  for (const commit of commits) state = evolve(rules, state, upcast(rules, commit))
  const end = state!
  const started = commits.flatMap(({ events }) => events).find(({ type }) => type === 'gameStarted')
  return {
    state: { [stateVersionOf(rules)]: sha256(canonicalJson(end)) },
    position: sha256(positionOf(rules, end)),
    opening: end.opening,
    commanders: started === undefined ? 0 : Number(started['commanders']),
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
