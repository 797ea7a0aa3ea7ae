/** Looking at a game: the view now or as it was, what is legal, the odds, the log, an invitation's preview. */

import type { ExportedCommit, GameId, Head, MemberId } from '../event-store/commit.ts'
import { memberIdFor } from '../fair-dice/secret.ts'
import type { Json, Viewer } from '../game-rules.ts'
import { type GameView, namesOf, viewerOf, viewOf } from './answer.ts'
import { isFull } from './decide.ts'
import { exportFor } from './export-log.ts'
import { seatOf } from './game-state.ts'
import { gameOfInvitation, invitationTo, isInvited } from './invitations.ts'
import { loadGame, masterKeyOf } from './load-game.ts'
import type { LoadedGame } from './loaded-game.ts'
import { isProblem, malformed, NO_SUCH_GAME, type Problem } from './outcome.ts'
import type { CompanyCommand } from './platform-commands.ts'
import type { Person, Ports } from './ports.ts'
import { PLATFORM_REFUSALS } from './refusals.ts'

interface Visit {
  readonly game: LoadedGame
  readonly member: MemberId
  readonly viewer: Viewer
}

/** The game as it is now, if the person may look at it. */
async function visit(ports: Ports, id: GameId, person: Person): Promise<Visit | Problem> {
  const game = await loadGame(ports, id)
  if (game === null) return NO_SUCH_GAME
  const member = memberIdFor(masterKeyOf(ports.keyRing, game.state.opening), id, person.subject)
  if (game.state.opening.visibility === 'private' && seatOf(game.state, member) === null) return NO_SUCH_GAME
  return { game, member, viewer: viewerOf(game.state, member) }
}

/** The view with the head it belongs to; the host of a private game is told the invitation as well. */
export interface Sight {
  readonly head: Head
  /** Time of the commit, ms since 1970. */
  readonly at: number
  /** By seat; null for one whose person was erased. */
  readonly names: readonly (string | null)[]
  readonly game: GameView
  readonly invitation?: string
}

/** The game as the person may see it, now or after commit `at`. Once a game has ended, all its past is open. */
export async function readGame(ports: Ports, id: GameId, person: Person, at?: number): Promise<Sight | Problem> {
  const now = await visit(ports, id, person)
  if (isProblem(now)) return now
  const then = at === undefined || at === now.game.head.n ? now.game : await loadGame(ports, id, at)
  if (then === null)
    return { problem: 'not-found', detail: `The game has ${now.game.head.n} commits, and no number ${at}.` }
  const names = await namesOf(ports, id, then.state)
  const sight = { head: then.head, at: then.at, names, game: viewOf(then.rules, id, then.state, now.viewer) }
  const { opening } = now.game.state
  return opening.visibility === 'private' && now.viewer.seat === 1
    ? { ...sight, invitation: invitationTo(masterKeyOf(ports.keyRing, opening), id) }
    : sight
}

/** What the person may do now, as orders with ranges; nothing for a spectator of a running game. */
export async function readLegal(
  ports: Ports,
  id: GameId,
  person: Person,
): Promise<{ readonly head: Head; readonly legal: unknown } | Problem> {
  const now = await visit(ports, id, person)
  if (isProblem(now)) return now
  const { rules, state, head } = now.game
  const { seat } = now.viewer
  if (state.phase === 'gathering') return { head, legal: companyOrders(now) }
  return { head, legal: state.phase === 'running' && seat !== null ? rules.legal(state.game, seat) : [] }
}

function companyOrders({ game, viewer }: Visit): readonly CompanyCommand[] {
  if (viewer.seat === null) return isFull(game.state) ? [] : [{ type: 'join' }]
  const enough = game.state.members.length >= game.rules.seats(game.state.opening.options).least
  return viewer.seat === 1 && enough ? [{ type: 'start' }, { type: 'leave' }] : [{ type: 'leave' }]
}

/** Exact odds by the game's own query; names the head they speak of. */
export async function readOdds(
  ports: Ports,
  id: GameId,
  person: Person,
  query: Readonly<Record<string, string>>,
): Promise<{ readonly head: Head; readonly odds: Json } | Problem> {
  const now = await visit(ports, id, person)
  if (isProblem(now)) return now
  const { rules, state, head } = now.game
  const parsed = rules.schemas.oddsQuery.safeParse(query)
  if (!parsed.success) return malformed(parsed.error)
  if (state.phase !== 'running' && state.phase !== 'over')
    return { problem: 'refused', refusal: 'game-not-running', detail: PLATFORM_REFUSALS['game-not-running'] }
  const answer = rules.odds(state.game, parsed.data)
  if ('odds' in answer) return { head, odds: answer.odds }
  return { problem: 'refused', refusal: answer.refusal, detail: rules.refusals[answer.refusal]! }
}

export interface LogPage {
  readonly head: Head
  readonly kind: string
  readonly rulesVersion: number
  readonly commits: readonly ExportedCommit[]
  /** The number after which the next page begins, or null at the end. */
  readonly next: number | null
}

/** Bytes of one page of the log, as JSON. */
export const MOST_PAGE_BYTES = 1024 * 1024

/** The commits with n > `after`, as the person may see them: what is hidden from them is redacted, until the game has ended. */
export async function readLog(ports: Ports, id: GameId, person: Person, after: number): Promise<LogPage | Problem> {
  const now = await visit(ports, id, person)
  if (isProblem(now)) return now
  const { rules, head, secret, state } = now.game
  const commits: ExportedCommit[] = []
  let bytes = 0
  let last = after
  while (last < head.n) {
    const page = await ports.store.readForwards(id, last, 200)
    for (const { commit } of page) {
      const actor = commit.by === 'server' ? 'server' : (seatOf(state, commit.by) ?? 0)
      const exported = exportFor(rules, commit, secret, actor, now.viewer)
      bytes += JSON.stringify(exported).length + 1
      if (commit.n > head.n || (bytes > MOST_PAGE_BYTES && commits.length > 0))
        return { head, kind: rules.kind, rulesVersion: rules.rulesVersion, commits, next: last < head.n ? last : null }
      commits.push(exported)
      last = commit.n
    }
    if (page.length === 0) break
  }
  return { head, kind: rules.kind, rulesVersion: rules.rulesVersion, commits, next: null }
}

/** The game an invitation opens, as a spectator sees it before joining; once it has begun, for those who sit in it alone. */
export async function previewInvitation(ports: Ports, person: Person, invitation: string): Promise<Sight | Problem> {
  const id = gameOfInvitation(invitation)
  const game = id === null ? null : await loadGame(ports, id)
  if (id === null || game === null || !isInvited(ports.keyRing, game.state.opening, id, invitation))
    return { problem: 'not-found', detail: 'There is no such invitation.' }
  const member = memberIdFor(masterKeyOf(ports.keyRing, game.state.opening), id, person.subject)
  if (game.state.phase !== 'gathering' && seatOf(game.state, member) === null)
    return { problem: 'not-found', detail: 'The game of this invitation has begun without you, or was closed.' }
  const spectator = { seat: null, open: false }
  return {
    head: game.head,
    at: game.at,
    names: await namesOf(ports, id, game.state),
    game: viewOf(game.rules, id, game.state, spectator),
  }
}
