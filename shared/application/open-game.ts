/** Opening a game: idempotent, for its id comes from who opens it and the command id. */

import { NO_HEAD } from '../event-store/chain.ts'
import type { CommandId, Fact, GameId } from '../event-store/commit.ts'
import { currentKey } from '../fair-dice/key-ring.ts'
import { commitment, gameIdFor, gameSecret, memberIdFor } from '../fair-dice/secret.ts'
import type { Json } from '../game-rules.ts'
import { type Answer, answerFrom } from './answer.ts'
import { append } from './append.ts'
import { draftCommit } from './commit-draft.ts'
import { isOf, sameCommand } from './earlier-order.ts'
import type { Opening } from './game-state.ts'
import { invitationTo, markOf } from './invitations.ts'
import { loadGame, masterKeyOf } from './load-game.ts'
import { commandIdReused, malformed, outcomeUnknown, type Problem, uncanonical } from './outcome.ts'
import { type OpenCommand, openCommand } from './platform-commands.ts'
import type { Person, Ports } from './ports.ts'

export interface OpeningOrder {
  readonly person: Person
  readonly commandId: CommandId
  /** kind, options, seats, visibility; options may be left out where they have defaults. */
  readonly request: Omit<OpenCommand, 'type'>
}

/**
 * Opens a game with its opener on seat 1 and answers with its first head and, for a private game, the invitation.
 * A repeat answers the same; the same command id for other wishes is `command-id-reused`.
 */
export async function openGame(ports: Ports, order: OpeningOrder): Promise<Answer | Problem> {
  const rules = ports.games.newest(order.request.kind)
  if (rules === null)
    return { problem: 'malformed', path: 'kind', detail: `There is no game called ${order.request.kind}.` }
  const options = rules.schemas.options.safeParse(order.request.options)
  if (!options.success) return malformed(options.error, 'options')
  const { least, most } = rules.seats(options.data)
  if (order.request.seats < least || order.request.seats > most)
    return { problem: 'malformed', path: 'seats', detail: `These options are for ${least} to ${most} commanders.` }
  const fault = uncanonical(options.data, 'options')
  if (fault !== null) return fault
  const command = openCommand.parse({ ...order.request, type: 'open', options: options.data }) as unknown as Fact

  const id = gameIdFor(ports.keyRing, order.person.subject, order.commandId)
  const earlier = await answerEarlier(ports, id, order, command)
  if (earlier !== null) return earlier
  if (!(await ports.allowance.take(order.person.subject, 'open', id)))
    return { problem: 'too-often', detail: 'You have opened too many games of late. Try again tomorrow.' }

  const { name: key, key: masterKey } = currentKey(ports.keyRing)
  const secret = gameSecret(masterKey, id)
  const member = memberIdFor(masterKey, id, order.person.subject)
  const { kind, seats, visibility } = order.request
  const opening: Opening = {
    kind,
    rulesVersion: rules.rulesVersion,
    options: options.data as Json,
    seats,
    visibility,
    invitation: visibility === 'private' ? markOf(masterKey, invitationTo(masterKey, id)) : null,
    key,
    commitment: commitment(secret),
  }
  const events = [
    { type: 'gameOpened', ...opening },
    { type: 'seatTaken', seat: 1, member },
  ] as unknown as Fact[]
  await ports.members.bind(id, member, order.person, true)
  const { stored, state } = draftCommit(
    { game: id, rules, secret, state: null, head: NO_HEAD, at: 0, wantsSnapshot: false },
    { by: member, commandId: order.commandId, command, events },
    ports.now(),
  )
  const appended = await append(ports, stored)
  if (appended === 'unknown') return outcomeUnknown()
  if (appended === 'taken') return (await answerEarlier(ports, id, order, command))!
  return withInvitation(answerFrom(rules, stored.commit, state, member), masterKey, id, opening)
}

async function answerEarlier(
  ports: Ports,
  id: GameId,
  order: OpeningOrder,
  command: Fact,
): Promise<Answer | Problem | null> {
  const first = await loadGame(ports, id, 1)
  if (first === null) return null
  const masterKey = masterKeyOf(ports.keyRing, first.state.opening)
  const member = memberIdFor(masterKey, id, order.person.subject)
  const commit = first.tail[0]!
  if (!isOf(commit, { by: member, commandId: order.commandId }) || !sameCommand(commit.command, command))
    return commandIdReused()
  return withInvitation(answerFrom(first.rules, commit, first.state, member), masterKey, id, first.state.opening)
}

function withInvitation(answer: Answer, masterKey: Uint8Array, id: GameId, opening: Opening): Answer {
  return opening.visibility === 'private' ? { ...answer, invitation: invitationTo(masterKey, id) } : answer
}
