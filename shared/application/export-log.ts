/** The log as it leaves the house: commits as a viewer may see them, page by page, and the lines of a whole file. */

import { hexToBytes } from '@noble/hashes/utils.js'
import { exportCommit, headOf } from '../event-store/chain.ts'
import type { Commit, ExportedCommit, Fact, GameId } from '../event-store/commit.ts'
import { LOG_FORMAT, type LogHeader } from '../event-store/exported-log.ts'
import type { Actor, GameRules, Viewer } from '../game-rules.ts'
import { isPlatformEvent } from './game-state.ts'
import { isCompanyCommand } from './platform-commands.ts'

/** The event as the viewer may see it: itself if nothing is hidden, as always with the platform's own. */
export function redactEvent(rules: GameRules, event: Fact, viewer: Viewer): Fact {
  return isPlatformEvent(event) ? event : (rules.redactEvent(event, viewer) as Fact)
}

/** The command as the viewer may see it: itself if nothing is hidden, as always with the platform's own. */
export function redactCommand(rules: GameRules, command: Fact, by: Actor, viewer: Viewer): Fact {
  const ofPlatform = command.type === 'open' || isCompanyCommand(command)
  return ofPlatform ? command : (rules.redactCommand(command, by, viewer) as Fact)
}

/** The commit as the viewer may see it, given on by `by`. Throws if the rules hide a type they do not list as hidden. */
export function exportFor(
  rules: GameRules,
  commit: Commit,
  secret: Uint8Array,
  by: Actor,
  viewer: Viewer,
): ExportedCommit {
  return exportCommit(commit, secret, rules.hidden, {
    event: (event) => redactEvent(rules, event, viewer),
    command: (command) => redactCommand(rules, command, by, viewer),
  })
}

/** The first line of an export. */
export function headerOf(rules: GameRules, game: GameId, head: LogHeader['head']): LogHeader {
  return { hazardLog: LOG_FORMAT, game, kind: rules.kind, rulesVersion: rules.rulesVersion, head }
}

/** The file of a game that has ended, all of it open: its last commit reveals the secret. */
export function* logLines(rules: GameRules, commits: readonly Commit[]): Generator<string> {
  const last = commits.at(-1)!
  if (last.secret === null) throw new Error(`game ${last.game} has not ended`)
  const secret = hexToBytes(last.secret)
  yield JSON.stringify(headerOf(rules, last.game, headOf(last)))
  for (const commit of commits)
    yield JSON.stringify(exportFor(rules, commit, secret, 'server', { seat: null, open: true }))
}
