/** The log as a story for people: a title, a heading for each turn, a sentence for what happened. */

import type { ExportedCommit, Fact, MemberId } from '../event-store/commit.ts'
import type { GameRules, Seat } from '../game-rules.ts'
import { type Closing, isPlatformEvent, type PlatformEvent } from './game-state.ts'
import { upcast } from './upcast.ts'

/** How commanders are called; null for a member whose name is not known. */
export interface Naming {
  readonly bySeat: (seat: Seat) => string
  readonly byMember: (member: MemberId) => string | null
}

/** Commanders by their seats, where no names are at hand. */
export const BY_SEAT: Naming = { bySeat: (seat) => `Commander ${seat}`, byMember: () => null }

/** The commits as lines of text; an empty one before each heading. `options` are those of the game. Throws SchemaTooNew. */
export function chronicleOf(
  rules: GameRules,
  options: unknown,
  commits: readonly ExportedCommit[],
  naming: Naming,
): readonly string[] {
  return commits.flatMap((commit) =>
    upcast(rules, commit).events.flatMap((event) =>
      isPlatformEvent(event)
        ? [...platformLines(event, commit, naming), ...(event.type === 'gameOpened' ? rules.remarks(options) : [])]
        : gameLines(rules, event, options, naming).flatMap((sentence) =>
            isHeading(sentence) ? ['', `${sentence} ${timeOf(commit.at)}`] : [sentence],
          ),
    ),
  )
}

function gameLines(rules: GameRules, event: Fact, options: unknown, { bySeat }: Naming): readonly string[] {
  const parsed = rules.schemas.event.safeParse(event)
  return parsed.success
    ? rules.narrate(parsed.data, options, bySeat)
    : [`Something happens that these rules have no words for: ${event.type}.`]
}

function isHeading(sentence: string): boolean {
  return sentence.startsWith('—')
}

/** `2026-12-01 03:20 UTC` */
function timeOf(at: number): string {
  const time = new Date(at)
  return Number.isNaN(time.getTime()) ? '' : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

const CLOSINGS: Readonly<Record<Closing, string>> = {
  abandoned: 'All have left; the game is closed before it began.',
  expired: 'It never began; the game is closed.',
}

function platformLines(event: PlatformEvent, { game, at }: ExportedCommit, { byMember }: Naming): readonly string[] {
  switch (event.type) {
    case 'gameOpened':
      return [
        `Hazard: ${event.kind}, game ${game}`,
        `Opened on ${timeOf(at)}, ${event.visibility}, with ${event.seats} seats.`,
      ]
    case 'seatTaken': {
      const name = byMember(event.member)
      return [name === null ? `Seat ${event.seat} is taken.` : `${name} takes seat ${event.seat}.`]
    }
    case 'seatLeft':
      return [`The commander on seat ${event.seat} leaves; those behind move up.`]
    case 'gameStarted':
      return ['', `The game begins with ${event.commanders} commanders.`]
    case 'gameClosed':
      return [CLOSINGS[event.reason]]
  }
}
