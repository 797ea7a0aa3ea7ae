/** Commits of older schema versions in today's shapes: only ever after digests and hashes were checked on the stored ones. */

import type { Commit, Fact } from '../event-store/commit.ts'
import type { GameRules } from '../game-rules.ts'
import { isPlatformEvent } from './game-state.ts'
import { isCompanyCommand } from './platform-commands.ts'

/** The commit was written by newer code than this. */
export class SchemaTooNew extends Error {
  override readonly name = 'SchemaTooNew'
}

/** The commit with its command and events in the shapes of `rules.schemaVersion`; itself if they are. Throws SchemaTooNew. */
export function upcast<C extends Pick<Commit, 'schema' | 'command' | 'events' | 'n'>>(rules: GameRules, commit: C): C {
  if (commit.schema === rules.schemaVersion) return commit
  if (commit.schema > rules.schemaVersion)
    throw new SchemaTooNew(`commit ${commit.n} has schema ${commit.schema}, this code knows ${rules.schemaVersion}`)
  const ofGame = (fact: Fact) => {
    let upcasted = fact
    for (let version = commit.schema; version < rules.schemaVersion; version++)
      upcasted = (rules.upcasts[version]?.(upcasted) ?? upcasted) as Fact
    return upcasted
  }
  return {
    ...commit,
    command:
      isCompanyCommand(commit.command) || commit.command.type === 'open' ? commit.command : ofGame(commit.command),
    events: commit.events.map((event) => (isPlatformEvent(event) ? event : ofGame(event))),
  }
}
