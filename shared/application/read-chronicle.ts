/** The log as a story for people: what each commit brought, in sentences. */

import type { ExportedCommit, GameId, MemberId } from '../event-store/commit.ts'
import type { GameRules, Seat } from '../game-rules.ts'
import { isPlatformEvent, type PlatformEvent } from './game-state.ts'
import { isProblem, type Problem } from './outcome.ts'
import type { Person, Ports } from './ports.ts'
import { readGame, readLog } from './read-game.ts'

export interface Chronicle {
  readonly lines: readonly string[]
  /** The number after which the next page begins, or null at the end. */
  readonly next: number | null
}

/** The commits with n > `after` as lines of text, as the person may know them. */
export async function readChronicle(
  ports: Ports,
  id: GameId,
  person: Person,
  after: number,
): Promise<Chronicle | Problem> {
  const [log, sight, names] = await Promise.all([
    readLog(ports, id, person, after),
    readGame(ports, id, person),
    ports.members.names(id),
  ])
  if (isProblem(log)) return log
  if (isProblem(sight)) return sight
  const rules = ports.games.version(log.kind, log.rulesVersion)!
  const bySeat = (seat: Seat) => sight.names[seat - 1] ?? `Commander ${seat}`
  const byMember = (member: MemberId) => names.get(member) ?? 'A commander'
  const lines = log.commits.flatMap((commit) => linesOf(rules, commit, sight.game.options, bySeat, byMember))
  return { lines, next: log.next }
}

function linesOf(
  rules: GameRules,
  commit: ExportedCommit,
  options: unknown,
  bySeat: (seat: Seat) => string,
  byMember: (member: MemberId) => string,
): readonly string[] {
  const when = `${commit.n}. ${new Date(commit.at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return commit.events
    .flatMap((event) =>
      isPlatformEvent(event) ? [platformSentence(event, byMember)] : rules.narrate(event, options, bySeat),
    )
    .map((sentence) => `${when}  ${sentence}`)
}

function platformSentence(event: PlatformEvent, byMember: (member: MemberId) => string): string {
  switch (event.type) {
    case 'gameOpened':
      return `A game of ${event.kind} for ${event.seats} is opened.`
    case 'seatTaken':
      return `${byMember(event.member)} takes seat ${event.seat}.`
    case 'seatLeft':
      return `The commander on seat ${event.seat} leaves; those behind move up.`
    case 'gameStarted':
      return `The game begins with ${event.commanders} commanders.`
    case 'gameClosed':
      return event.reason === 'abandoned' ? 'All have left; the game is closed.' : 'Nobody came; the game is closed.'
  }
}
