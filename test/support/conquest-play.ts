/** Random play of Conquest from a seed: legal orders from their ranges, and orders that may well be illegal. */

import type { ConquestCommand, Order, Wish } from '../../shared/conquest/commands.ts'
import type { ConquestEvent } from '../../shared/conquest/events.ts'
import type { ConquestLegal, LegalOrder, Range } from '../../shared/conquest/legal.ts'
import type { ConquestState } from '../../shared/conquest/state.ts'
import type { Actor } from '../../shared/game-rules.ts'
import { rules } from './conquest-boards.ts'

export type Pick = (k: number) => number

/** A quick stream of picks (mulberry32). */
export function picksFrom(seed: number): Pick {
  let a = seed
  return (k) => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * k)
  }
}

export const oneOf = <T>(list: readonly T[], pick: Pick): T => list[pick(list.length)]!

const within = ({ least, most }: Range, pick: Pick) => least + pick(most - least + 1)

function wish(range: Range, pick: Pick): { occupy?: Wish } {
  const choice = pick(4)
  if (choice === 0) return {}
  return { occupy: choice === 1 ? 'least' : choice === 2 ? 'most' : within(range, pick) }
}

/** Some order within the ranges of a legal one. */
export function orderWithin(legal: LegalOrder, pick: Pick): Order {
  switch (legal.type) {
    case 'claim':
      return { type: 'claim', territory: oneOf(legal.territories, pick) }
    case 'deploy': {
      let left = within(legal.total, pick)
      const placements = new Map<string, number>()
      while (left > 0) {
        const armies = 1 + pick(left)
        const territory = oneOf(legal.territories, pick)
        placements.set(territory, (placements.get(territory) ?? 0) + armies)
        left -= armies
      }
      return { type: 'deploy', placements: [...placements].map(([territory, armies]) => ({ territory, armies })) }
    }
    case 'trade': {
      const [a, b, c] = oneOf(legal.sets, pick).cards
      return { type: 'trade', cards: [c!, a!, b!] }
    }
    case 'attack': {
      const dice = within(legal.dice, pick)
      const { origin, target } = legal
      return { type: 'attack', origin, target, dice, ...wish({ least: dice, most: legal.occupy.most }, pick) }
    }
    case 'assault': {
      const { origin, target } = legal
      const stopAt = pick(3) === 0 ? { stopAt: within(legal.stopAt, pick) } : {}
      const maxRolls = pick(3) === 0 ? { maxRolls: within(legal.maxRolls, pick) } : {}
      return { type: 'assault', origin, target, ...stopAt, ...maxRolls, ...wish(legal.occupy, pick) }
    }
    case 'occupy':
      return { type: 'occupy', armies: within(legal.armies, pick) }
    case 'fortify': {
      const { origin, destination } = legal
      return { type: 'fortify', origin, destination, armies: within(legal.armies, pick) }
    }
    case 'endTurn':
    case 'resign':
      return { type: legal.type }
  }
}

/** A well-formed order out of the blue, often illegal. */
export function anyOrder(state: ConquestState, pick: Pick): Order {
  const ids = [...Object.keys(rules.view(state, { seat: null, open: false }).territories), '__proto__', 'nowhere']
  const cards = [...ids, 'wild-1', 'wild-2', 'wild-3']
  const number = () => oneOf([1, 1, 2, 2, 3, 4, 5, 6, 9, 500, 501, 1_000_000], pick)
  const territory = () => oneOf(ids, pick)
  const card = () => oneOf(cards, pick)
  const maybe = (name: string, value: () => unknown) => (pick(3) === 0 ? { [name]: value() } : {})
  const someWish = () => maybe('occupy', () => oneOf<Wish>(['least', 'most', number(), number()], pick))
  switch (pick(10)) {
    case 0:
      return { type: 'claim', territory: territory() }
    case 1:
      return {
        type: 'deploy',
        placements: Array.from({ length: pick(4) }, () => ({ territory: territory(), armies: number() })),
      }
    case 2:
      return { type: 'trade', cards: [card(), card(), card()] }
    case 3:
    case 4:
      return { type: 'attack', origin: territory(), target: territory(), dice: number(), ...someWish() }
    case 5:
    case 6: {
      const limits = { ...maybe('stopAt', number), ...maybe('maxRolls', number), ...someWish() }
      return { type: 'assault', origin: territory(), target: territory(), ...limits }
    }
    case 7:
      return { type: 'occupy', armies: number() }
    case 8:
      return { type: 'fortify', origin: territory(), destination: territory(), armies: number() }
    default:
      return { type: oneOf(['endTurn', 'resign'], pick) }
  }
}

/** A legal order nudged in one number or name: nearly legal, or legal still. */
export function nudged(order: Order, state: ConquestState, pick: Pick): Order {
  const other = anyOrder(state, pick)
  const fields = Object.keys(order).filter((field) => field !== 'type')
  if (fields.length === 0) return other
  const field = oneOf(fields, pick)
  const value = (order as unknown as Record<string, unknown>)[field]
  const nearby =
    typeof value === 'number'
      ? Math.max(1, value + oneOf([-1, 1], pick))
      : typeof value === 'string'
        ? oneOf(['__proto__', ...Object.keys(rules.view(state, { seat: null, open: false }).territories)], pick)
        : (other as unknown as Record<string, unknown>)[field]
  return nearby === undefined ? other : ({ ...order, [field]: nearby } as unknown as Order)
}

export interface Played {
  readonly at: number
  readonly before: ConquestState
  readonly by: Actor
  readonly command: ConquestCommand
  readonly events: readonly ConquestEvent[]
  readonly after: ConquestState
}

export interface Game {
  readonly options: Readonly<Record<string, unknown>>
  readonly seats: number
  readonly seed: number
  /** Resignations and expiries happen about once in so many orders. */
  readonly upsets: number
}

/** Plays a whole game, commit by commit; the first has the events of the beginning and no command. */
export function* playGame({ options, seats, seed, upsets }: Game): Generator<Played> {
  const pick = picksFrom(seed)
  const chance = { pick }
  let state = rules.initial(rules.schemas.options.parse(options), seats)
  let at = 1000
  const commit = (by: Actor, command: ConquestCommand, events: readonly ConquestEvent[]): Played => {
    const before = state
    at += pick(3)
    for (const event of events) state = rules.evolve(state, event, at)
    return { at, before, by, command, events, after: state }
  }
  yield commit('server', { type: 'expire', task: 'start' }, rules.begin(state, chance))
  while (rules.isOver(state) === null) {
    const [by, command] = choose(state, pick, upsets)
    const decision = rules.decide(state, command, by, chance)
    if ('refusal' in decision)
      throw new Error(`${JSON.stringify(command)} by ${by} is ${decision.refusal} in ${rules.position(state)}`)
    yield commit(by, command, decision.events)
  }
}

function choose(state: ConquestState, pick: Pick, upsets: number): readonly [Actor, ConquestCommand] {
  const [awaited] = rules.waitingFor(state)
  if (pick(upsets) === 0) {
    if (pick(4) > 0) return ['server', rules.expire(awaited!.task)]
    const seats = state.order.filter((seat) => rules.legal(state, seat).length > 0)
    return [oneOf(seats, pick), { type: 'resign' }]
  }
  return [awaited!.seat, orderWithin(preferred(rules.legal(state, awaited!.seat), pick), pick)]
}

/** Rather fights than ends the turn, so that games come to an end; resigning is an upset. */
function preferred(orders: ConquestLegal, pick: Pick): LegalOrder {
  const willing = orders.filter((order) => order.type !== 'resign')
  const fights = willing.filter((order) => order.type === 'attack' || order.type === 'assault')
  return fights.length > 0 && pick(5) > 0 ? oneOf(fights, pick) : oneOf(willing, pick)
}
