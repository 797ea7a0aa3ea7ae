/** What a commander is told of a game: the view, and the events of a commit, as that commander may see them. */

import { headOf } from '../event-store/chain.ts'
import type { Commit, Fact, GameId, Head, MemberId } from '../event-store/commit.ts'
import type { Awaited, GameRules, Json, Ranking, Seat, Viewer } from '../game-rules.ts'
import { redactEvent } from './export-log.ts'
import { type GameState, type Opening, rankingOf, seatOf, waitingFor } from './game-state.ts'
import type { Ports } from './ports.ts'
import { upcast } from './upcast.ts'

/** The game as one viewer may see it. Nothing in it depends on the time of asking. */
export interface GameView {
  readonly game: GameId
  readonly kind: string
  readonly rulesVersion: number
  readonly options: Json
  readonly visibility: Opening['visibility']
  readonly seats: number
  readonly commitment: string
  readonly openedAt: number
  /** What whoever sits down should be told of the options. */
  readonly remarks: readonly string[]
  readonly phase: GameState['phase']
  readonly seatsTaken: number
  readonly you: Seat | null
  readonly waitingFor: readonly Awaited[]
  readonly ranking: Ranking | null
  /** The game's own view; null before the start. */
  readonly view: unknown
}

export interface Answer {
  readonly head: Head
  readonly events: readonly Fact[]
  readonly game: GameView
  /** Only for the host of a private game. */
  readonly invitation?: string
}

/** The viewer that a person is in a game: its seat, and whether everything is public because the game has ended. */
export function viewerOf(state: GameState, member: MemberId): Viewer {
  return { seat: seatOf(state, member), open: state.phase === 'over' }
}

/** The view of a state. */
export function viewOf(rules: GameRules, game: GameId, state: GameState, viewer: Viewer): GameView {
  const { opening, members, openedAt, phase } = state
  return {
    game,
    kind: opening.kind,
    rulesVersion: opening.rulesVersion,
    options: opening.options,
    visibility: opening.visibility,
    seats: opening.seats,
    commitment: opening.commitment,
    openedAt,
    remarks: rules.remarks(opening.options),
    phase,
    seatsTaken: members.length,
    you: viewer.seat,
    waitingFor: waitingFor(rules, state),
    ranking: rankingOf(rules, state),
    view: state.phase === 'running' || state.phase === 'over' ? rules.view(state.game, viewer) : null,
  }
}

/** The events of a commit as the viewer may see them. */
export function eventsFor(rules: GameRules, commit: Commit, viewer: Viewer): readonly Fact[] {
  return upcast(rules, commit).events.map((event) => redactEvent(rules, event, viewer))
}

/** The names by seat; null for one whose person was erased. */
export async function namesOf(
  ports: Pick<Ports, 'members'>,
  game: GameId,
  state: GameState,
): Promise<readonly (string | null)[]> {
  const names = await ports.members.names(game)
  return state.members.map((member) => names.get(member) ?? null)
}

/** What the sender of a commit is told of it, now or when it is sent again. */
export function answerFrom(rules: GameRules, commit: Commit, state: GameState, member: MemberId): Answer {
  const viewer = viewerOf(state, member)
  return {
    head: headOf(commit),
    events: eventsFor(rules, commit, viewer),
    game: viewOf(rules, commit.game, state, viewer),
  }
}
