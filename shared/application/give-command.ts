/** The main use case: load, decide, append, answer. An order is played at most once, however often it is sent. */

import { headOf, sameHead } from '../event-store/chain.ts'
import type { CommandId, Commit, Fact, GameId, Hash, Head, MemberId } from '../event-store/commit.ts'
import { memberIdFor } from '../fair-dice/secret.ts'
import type { GameRules } from '../game-rules.ts'
import { type Answer, answerFrom } from './answer.ts'
import { append, MOST_TRIES, pauseAfter } from './append.ts'
import { chanceAfter } from './commit-chance.ts'
import { draftCommit } from './commit-draft.ts'
import { decide, isFull, mayRetry } from './decide.ts'
import { findEarlierOrder, isOf, MOST_COMMITS_SEARCHED, sameCommand } from './earlier-order.ts'
import { seatOf } from './game-state.ts'
import { startFullGame } from './give-server-command.ts'
import { isInvited } from './invitations.ts'
import { grown, loadGame, masterKeyOf } from './load-game.ts'
import type { LoadedGame } from './loaded-game.ts'
import { commandIdReused, malformed, NO_SUCH_GAME, outcomeUnknown, type Problem, uncanonical } from './outcome.ts'
import { companyCommand, isCompanyCommand } from './platform-commands.ts'
import type { Person, Ports } from './ports.ts'
import { PLATFORM_REFUSALS, type PlatformRefusal } from './refusals.ts'

export interface Order {
  readonly game: GameId
  readonly person: Person
  readonly commandId: CommandId
  /** The newest commit the sender has seen; of the hash at least 32 digits. */
  readonly seen: { readonly n: number; readonly hash: string }
  /** Not yet judged for form: which commands there are depends on the game. */
  readonly command: Fact
  /** For joining a private game. */
  readonly invitation?: string
}

/**
 * Gives an order to a game and answers with the new head, the events and the view, as the sender may see them.
 * A repeat is answered from the stored commit, as the first time. Never throws for what a client may send.
 */
export async function giveCommand(ports: Ports, order: Order): Promise<Answer | Problem> {
  for (let tries = 1; ; tries++) {
    const game = await loadGame(ports, order.game)
    if (game === null) return NO_SUCH_GAME
    const answer = await giveOnce(ports, game, order)
    if (answer !== 'again') return answer
    if (tries === MOST_TRIES) return overtaken(game.head)
    await pauseAfter(ports, tries)
  }
}

async function giveOnce(ports: Ports, game: LoadedGame, order: Order): Promise<Answer | Problem | 'again'> {
  const { rules, state } = game
  const member = memberIdFor(masterKeyOf(ports.keyRing, state.opening), game.id, order.person.subject)
  const identity = { by: member, commandId: order.commandId }
  const maySee =
    state.opening.visibility === 'public' ||
    seatOf(state, member) !== null ||
    game.tail.some((commit) => isOf(commit, identity)) ||
    (state.phase === 'gathering' && isInvited(ports.keyRing, state.opening, game.id, order.invitation))
  if (!maySee) return NO_SUCH_GAME
  const parsed = (isCompanyCommand(order.command) ? companyCommand : rules.schemas.command).safeParse(order.command)
  if (!parsed.success) return malformed(parsed.error, 'command')
  const command = parsed.data as Fact
  const fault = uncanonical(command, 'command')
  if (fault !== null) return fault
  const retryable = mayRetry(rules, command)

  const search = await findEarlierOrder(ports, game, identity, order.seen.n, retryable)
  if (search.found === 'too-far-behind') return tooFarBehind(game.head)
  if (search.found !== null) return repeat(ports, game, member, search.found, command)
  if (seatOf(state, member) === null && command.type !== 'join')
    return { problem: 'not-seated', detail: 'You have no seat in this game.' }
  if (!knows(search.hashAtSeen, order.seen)) return rewound(game.head)
  if (!retryable && order.seen.n !== game.head.n) return overtaken(game.head)

  const decision = decide(rules, state, command, member, chanceAfter(game))
  if ('refusal' in decision) return refused(rules, decision.refusal)
  if (command.type === 'join') await ports.members.bind(game.id, member, order.person, false)
  const draft = draftCommit({ ...game, game: game.id }, { ...identity, command, events: decision.events }, ports.now())
  const appended = await append(ports, draft.stored)
  if (appended === 'unknown') return outcomeUnknown()
  if (appended === 'appended') {
    ports.warm?.keep(grown(ports.games, game, draft.stored, draft.state))
    if (isFull(draft.state)) await startFullGame(ports, game.id)
    return answerFrom(rules, draft.stored.commit, draft.state, member)
  }
  const rival = await ports.store.readBackwards(game.id, 1, draft.stored.commit.n)
  if (rival[0] !== undefined && isOf(rival[0].commit, identity))
    return repeat(ports, game, member, rival[0].commit, command)
  if (retryable) return 'again'
  const newest = await ports.store.readBackwards(game.id, 1)
  return overtaken(headOf(newest[0]!.commit))
}

function knows(hashAtSeen: Hash | null, seen: Order['seen']): boolean {
  return hashAtSeen !== null && sameHead({ n: seen.n, hash: hashAtSeen }, seen)
}

async function repeat(
  ports: Ports,
  game: LoadedGame,
  member: MemberId,
  found: Commit,
  command: Fact,
): Promise<Answer | Problem> {
  if (!sameCommand(found.command, command)) return commandIdReused()
  const then = found.n === game.head.n ? game : await loadGame(ports, game.id, found.n)
  return answerFrom(game.rules, found, then!.state, member)
}

function refused(rules: GameRules, refusal: string): Problem {
  const detail = rules.refusals[refusal] ?? PLATFORM_REFUSALS[refusal as PlatformRefusal]
  return { problem: 'refused', refusal, detail }
}

function overtaken(head: Head): Problem {
  const detail = 'The game has grown since what you saw. Look at it again and give a new order.'
  return { problem: 'overtaken', detail, head }
}

function tooFarBehind(head: Head): Problem {
  const detail = `More than ${MOST_COMMITS_SEARCHED} commits have come since what you saw. Look at the game again.`
  return { problem: 'overtaken', detail, head }
}

function rewound(head: Head): Problem {
  const detail = 'What you saw is not in the log of this game: it was restored from a backup. Look at it again.'
  return { problem: 'history-rewound', detail, head }
}
