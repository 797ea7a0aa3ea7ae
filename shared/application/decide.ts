/** The judgement over any command to a game: the platform's own commands here, all others by the game's rules. */

import type { Fact, MemberId } from '../event-store/commit.ts'
import type { Actor, Chance, Decision, GameRules, Seat } from '../game-rules.ts'
import { type GameState, seatOf } from './game-state.ts'
import { type CompanyCommand, isCompanyCommand } from './platform-commands.ts'

/**
 * The events a command causes, or why it is refused; changes nothing. `by` is a member id whether seated or not.
 * A member without a seat may only join; callers answer for anything else before.
 */
export function decide(
  rules: GameRules,
  state: GameState,
  command: Fact,
  by: MemberId | 'server',
  chance: Chance,
): Decision<Fact, string> {
  if (isCompanyCommand(command)) return decideCompany(rules, state, command, by, chance)
  const actor: Actor | null = by === 'server' ? 'server' : seatOf(state, by)
  if (actor === null) throw new Error('a command of somebody who has no seat')
  if (state.phase !== 'running') return { refusal: by === 'server' ? 'already-over' : 'game-not-running' }
  return rules.decide(state.game, command, actor, chance) as Decision<Fact, string>
}

function decideCompany(
  rules: GameRules,
  state: GameState,
  command: CompanyCommand,
  by: MemberId | 'server',
  chance: Chance,
): Decision<Fact, string> {
  if (state.phase !== 'gathering') return { refusal: 'game-not-gathering' }
  const seat = by === 'server' ? null : seatOf(state, by)
  switch (command.type) {
    case 'join':
      if (by === 'server') throw new Error('the server takes no seat')
      if (seat !== null) return { refusal: 'already-seated' }
      if (isFull(state)) return { refusal: 'game-full' }
      return { events: [{ type: 'seatTaken', seat: state.members.length + 1, member: by }] }
    case 'leave':
      if (seat === null) throw new Error('only a seated member leaves')
      return { events: leaving(state, seat) }
    case 'start':
      if (by !== 'server' && seat !== 1) return { refusal: 'not-the-host' }
      return starting(rules, state, chance)
  }
}

function leaving(state: GameState, seat: Seat): readonly Fact[] {
  const left: Fact = { type: 'seatLeft', seat }
  return state.members.length === 1 ? [left, { type: 'gameClosed', reason: 'abandoned' }] : [left]
}

function starting(rules: GameRules, state: GameState, chance: Chance): Decision<Fact, string> {
  const commanders = state.members.length
  if (commanders < rules.seats(state.opening.options).least) return { refusal: 'too-few-commanders' }
  const begun = rules.begin(rules.initial(state.opening.options, commanders), chance) as readonly Fact[]
  return { events: [{ type: 'gameStarted', commanders }, ...begun] }
}

/** Whether every seat is taken, so that the server starts the game without waiting for the host. */
export function isFull(state: GameState): boolean {
  return state.phase === 'gathering' && state.members.length === state.opening.seats
}

/** Whether the server may decide the command again on a newer board than its sender saw. */
export function mayRetry(rules: GameRules, command: Fact): boolean {
  if (!isCompanyCommand(command)) return rules.mayRetry(command)
  switch (command.type) {
    case 'join':
    case 'leave':
      return true
    case 'start':
      return false
  }
}
