/** Whole games between bots, reproducible from a seed: by the rules alone, or through a log when one is wanted. */

import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from '../event-store/canonical-json.ts'
import { NO_HEAD } from '../event-store/chain.ts'
import type { CommandId, Commit, Fact, MemberId } from '../event-store/commit.ts'
import { seededChance } from '../fair-dice/chance.ts'
import { currentKey, withNewKey } from '../fair-dice/key-ring.ts'
import { commitment, gameIdFor, gameSecret, memberIdFor } from '../fair-dice/secret.ts'
import type { Chance, GameRules, Json, Ranking, Seat, SeatRecord, Typed } from '../game-rules.ts'
import { chanceAfter } from './commit-chance.ts'
import { draftCommit } from './commit-draft.ts'
import { decide } from './decide.ts'
import type { GameState } from './game-state.ts'

export interface Simulation {
  readonly rules: GameRules
  /** Already parsed by the rules' schema. */
  readonly options: unknown
  /** The name of the policy on each seat. */
  readonly bots: readonly string[]
  /** The same seed, the same games. */
  readonly seed: string
}

export interface SimulatedGame {
  readonly ranking: Ranking
  readonly record: readonly SeatRecord[]
  readonly orders: number
  readonly events: number
}

export interface LoggedGame extends SimulatedGame {
  readonly commits: readonly Commit[]
}

/** A bot gave an order that was refused, or a game did not end: a fault of the bot or the rules. Names the position. */
export class SimulationFault extends Error {
  override readonly name = 'SimulationFault'
}

/** Far beyond any game that ends by its own rules. */
const MOST_ORDERS = 1_000_000

/** Plays game number `index` of a simulation by the rules alone. Throws SimulationFault. `watch` is shown every event and state. */
export function simulateGame(
  { rules, options, bots, seed }: Simulation,
  index: number,
  watch?: (event: Typed | null, state: unknown) => void,
): SimulatedGame {
  const dice = seededChance(`${seed}/${index}/dice`)
  const thinking = seededChance(`${seed}/${index}/bots`)
  let state = rules.initial(options, bots.length)
  let events = 0
  const happen = (event: Typed, at: number) => {
    state = rules.evolve(state, event, at)
    events += 1
    watch?.(event, state)
  }
  watch?.(null, state)
  for (const event of rules.begin(state, dice)) happen(event, 0)
  for (let orders = 1; orders <= MOST_ORDERS; orders++) {
    const ranking = rules.isOver(state)
    if (ranking !== null) return { ranking, record: rules.record(state), orders: orders - 1, events }
    const { seat, command } = chooseOrder(rules, state, bots, thinking)
    const decision = rules.decide(state, command, seat, dice)
    if ('refusal' in decision) throw refusedFault(rules, state, command, seat, decision.refusal)
    for (const event of decision.events) happen(event, orders)
  }
  throw new SimulationFault(`no end after ${MOST_ORDERS} orders: ${rules.position(state)}`)
}

/** The first awaited seat's bot, thinking. */
function chooseOrder(
  rules: GameRules,
  state: unknown,
  bots: readonly string[],
  thinking: Chance,
): { readonly seat: Seat; readonly command: Typed } {
  const [awaited] = rules.waitingFor(state)
  if (awaited === undefined) throw new SimulationFault(`nobody is awaited: ${rules.position(state)}`)
  const { seat } = awaited
  const bot = rules.bots[bots[seat - 1]!]!
  const view = rules.view(state, { seat, open: false })
  return { seat, command: bot.choose(view, rules.legal(state, seat), seat, thinking.pick) }
}

function refusedFault(rules: GameRules, state: unknown, command: Typed, seat: Seat, refusal: string): SimulationFault {
  return new SimulationFault(`seat ${seat}: ${JSON.stringify(command)} is ${refusal} in ${rules.position(state)}`)
}

/** One order a minute in the log of a simulated game, from the first day of 2026. */
const FIRST_DAY = Date.UTC(2026, 0, 1)
const MINUTE = 60_000

/**
 * Plays game number `index` as it would be kept: every commit, with dice from a secret that the seed gives; so its dice are
 * not those of `simulateGame`. Throws SimulationFault.
 */
export function simulateLog({ rules, options, bots, seed }: Simulation, index: number): LoggedGame {
  const what = ['simulation', seed, ...bots, canonicalJson(options)].join(' ')
  const keyRing = withNewKey(null, sha256(utf8ToBytes(what)))
  const { name, key } = currentKey(keyRing)
  const id = gameIdFor(keyRing, what, `game-${index}`)
  const secret = gameSecret(key, id)
  const members = bots.map((_, place): MemberId => memberIdFor(key, id, `bot ${place + 1}`))
  const thinking = seededChance(`${seed}/${index}/bots`)
  const commits: Commit[] = []
  const append = (state: GameState | null, by: MemberId | 'server', command: Fact, events: readonly Fact[]) => {
    const last = commits.at(-1)
    const draft = draftCommit(
      { game: id, rules, secret, state, head: last ?? NO_HEAD, at: last?.at ?? 0, wantsSnapshot: false },
      { by, commandId: `simulated-${commits.length + 1}` as CommandId, command, events },
      FIRST_DAY + commits.length * MINUTE,
    )
    commits.push(draft.stored.commit)
    return draft.state
  }
  const give = (state: GameState, by: MemberId | 'server', command: Fact) => {
    const decision = decide(rules, state, command, by, chanceAfter({ secret, state, head: commits.at(-1)! }))
    if ('refusal' in decision)
      throw new SimulationFault(`${JSON.stringify(command)} is ${decision.refusal} at commit ${commits.length + 1}`)
    return append(state, by, command, decision.events)
  }
  const wishes = { kind: rules.kind, options: options as Json, seats: bots.length, visibility: 'public' } as const
  const opening = { rulesVersion: rules.rulesVersion, invitation: null, key: name, commitment: commitment(secret) }
  let state: GameState = append(null, members[0]!, { type: 'open', ...wishes }, [
    { type: 'gameOpened', ...wishes, ...opening },
    { type: 'seatTaken', seat: 1, member: members[0]! },
  ])
  for (const member of members.slice(1)) state = give(state, member, { type: 'join' })
  state = give(state, 'server', { type: 'start' })
  while (state.phase === 'running') {
    const { seat, command } = chooseOrder(rules, state.game, bots, thinking)
    state = give(state, members[seat - 1]!, command as Fact)
  }
  if (state.phase !== 'over') throw new SimulationFault(`the game is ${state.phase}`)
  return {
    commits,
    ranking: rules.isOver(state.game)!,
    record: rules.record(state.game),
    orders: commits.length - bots.length - 1,
    events: commits.reduce((sum, { events }) => sum + events.length, 0),
  }
}
