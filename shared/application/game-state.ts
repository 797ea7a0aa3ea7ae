/** A game as the platform sees it: who opened it, who sits where, and whether it is gathering, running, over or closed. */

import { canonicalJson } from '../event-store/canonical-json.ts'
import type { Commit, Fact, Hash, MemberId } from '../event-store/commit.ts'
import type { Awaited, GameRules, Json, Ranking, Seat } from '../game-rules.ts'

export const VISIBILITIES = ['public', 'private'] as const
export type Visibility = (typeof VISIBILITIES)[number]

/** What stands for the whole life of the game. */
export interface Opening {
  readonly kind: string
  readonly rulesVersion: number
  readonly options: Json
  /** How many may sit down. */
  readonly seats: number
  readonly visibility: Visibility
  /** The mark of the invitation code; null for a public game. */
  readonly invitation: string | null
  /** Which master key the game's secret comes from. */
  readonly key: string
  /** SHA-256 of the secret, published before anyone joins. */
  readonly commitment: string
}

export const PHASES = ['gathering', 'running', 'over', 'closed'] as const
export type Phase = (typeof PHASES)[number]

export const CLOSINGS = ['abandoned', 'expired'] as const
export type Closing = (typeof CLOSINGS)[number]

/** The platform's own events; every other event is the game's. */
export type PlatformEvent =
  | ({ readonly type: 'gameOpened' } & Opening)
  | { readonly type: 'seatTaken'; readonly seat: Seat; readonly member: MemberId }
  | { readonly type: 'seatLeft'; readonly seat: Seat }
  | { readonly type: 'gameStarted'; readonly commanders: number }
  | { readonly type: 'gameClosed'; readonly reason: Closing }

export const PLATFORM_EVENT_TYPES = ['gameOpened', 'seatTaken', 'seatLeft', 'gameStarted', 'gameClosed'] as const

interface Company {
  readonly opening: Opening
  readonly openedAt: number
  /** By seat: the first is seat 1, who is also the host. A seat left closes ranks. */
  readonly members: readonly MemberId[]
}

export type GameState =
  | ({ readonly phase: 'gathering' } & Company)
  | ({ readonly phase: 'running' | 'over'; readonly startedFrom: Hash; readonly game: unknown } & Company)
  | ({ readonly phase: 'closed'; readonly reason: Closing } & Company)

/** Raised whenever the shape of `GameState` or what `evolve` makes of a platform event changes. */
const PLATFORM_STATE_VERSION = 1

/** The state version snapshots are kept under: the platform's and the game's together. */
export function stateVersionOf(rules: GameRules): number {
  return PLATFORM_STATE_VERSION * 1000 + rules.stateVersion
}

/** The seat of a member, or null. */
export function seatOf(state: GameState, member: MemberId): Seat | null {
  const place = state.members.indexOf(member)
  return place < 0 ? null : place + 1
}

/** Whether the event is the platform's own. */
export function isPlatformEvent(event: Fact): event is PlatformEvent & Fact {
  return (PLATFORM_EVENT_TYPES as readonly string[]).includes(event.type)
}

/** The game after one more commit; believes every event. `state` is null before the first commit. */
export function evolve(
  rules: GameRules,
  state: GameState | null,
  commit: Pick<Commit, 'events' | 'at' | 'previous'>,
): GameState {
  let next = state
  for (const event of commit.events) {
    next = isPlatformEvent(event)
      ? evolvePlatform(rules, next, event, commit.at, commit.previous)
      : evolveGame(rules, next, event, commit.at)
  }
  if (next === null) throw new Error('a commit without events')
  return next.phase === 'running' && rules.isOver(next.game) !== null ? { ...next, phase: 'over' } : next
}

function evolveGame(rules: GameRules, state: GameState | null, event: Fact, at: number): GameState {
  if (state?.phase !== 'running') throw new Error(`the event ${event.type} came outside a running game`)
  return { ...state, game: rules.evolve(state.game, event, at) }
}

function evolvePlatform(
  rules: GameRules,
  state: GameState | null,
  event: PlatformEvent,
  at: number,
  previous: Hash,
): GameState {
  if (event.type === 'gameOpened') {
    const { type: _, ...opening } = event
    return { phase: 'gathering', opening, openedAt: at, members: [] }
  }
  if (state?.phase !== 'gathering') throw new Error(`the event ${event.type} came outside the gathering`)
  switch (event.type) {
    case 'seatTaken':
      return { ...state, members: [...state.members, event.member] }
    case 'seatLeft':
      return { ...state, members: state.members.filter((_, place) => place + 1 !== event.seat) }
    case 'gameStarted': {
      const game = rules.initial(state.opening.options, event.commanders)
      return { ...state, phase: 'running', startedFrom: previous, game }
    }
    case 'gameClosed':
      return { ...state, phase: 'closed', reason: event.reason }
  }
}

/** Whom the game waits for; nobody in particular while it gathers. */
export function waitingFor(rules: GameRules, state: GameState): readonly Awaited[] {
  return state.phase === 'running' ? rules.waitingFor(state.game) : []
}

/** The final places, or null before the end. */
export function rankingOf(rules: GameRules, state: GameState): Ranking | null {
  return state.phase === 'over' ? rules.isOver(state.game) : null
}

/** The complete state in one line: what a commit's seal is made of. */
export function positionOf(rules: GameRules, state: GameState): string {
  const { opening, openedAt, members, phase } = state
  const company = [phase, canonicalJson(opening), openedAt, members.join(',') || '-'].join(' ')
  switch (state.phase) {
    case 'gathering':
      return company
    case 'running':
    case 'over':
      return `${company} ${state.startedFrom} ${rules.position(state.game)}`
    case 'closed':
      return `${company} ${state.reason}`
  }
}
