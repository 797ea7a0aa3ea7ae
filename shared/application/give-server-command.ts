/** Orders the server gives by itself: starting a full game, an expiry. */

import type { Fact, GameId } from '../event-store/commit.ts'
import { StoreUnavailable } from '../event-store/event-store.ts'
import { serverCommandId } from '../fair-dice/secret.ts'
import { append, MOST_TRIES, pauseAfter } from './append.ts'
import { chanceAfter } from './commit-chance.ts'
import { draftCommit } from './commit-draft.ts'
import { decide } from './decide.ts'
import { isOf } from './earlier-order.ts'
import { loadGame } from './load-game.ts'
import type { Ports } from './ports.ts'

type ServerPorts = Pick<Ports, 'store' | 'games' | 'keyRing' | 'now' | 'pause'>

/** A game whose last seat was taken starts at once. Should the store fail here, the projector or the host starts it later. */
export async function startFullGame(ports: ServerPorts, game: GameId): Promise<void> {
  try {
    await giveServerCommand(ports, game, { type: 'start' }, 'start')
  } catch (fault) {
    if (!(fault instanceof StoreUnavailable)) throw fault
  }
}

/**
 * Gives an order of the server itself; its id is derived from the task it answers, so that repeating it is harmless.
 * False: what it answers is over, or it was given before.
 */
export async function giveServerCommand(ports: ServerPorts, id: GameId, command: Fact, task: string): Promise<boolean> {
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const game = await loadGame(ports, id)
    if (game === null) return false
    const order = { by: 'server', commandId: serverCommandId(game.secret, task) } as const
    if (game.tail.some((commit) => isOf(commit, order))) return false
    const decision = decide(game.rules, game.state, command, 'server', chanceAfter(game))
    if ('refusal' in decision) return false
    const draft = draftCommit({ ...game, game: id }, { ...order, command, events: decision.events }, ports.now())
    if ((await append(ports, draft.stored)) === 'appended') return true
    await pauseAfter(ports, tries)
  }
  return false
}
