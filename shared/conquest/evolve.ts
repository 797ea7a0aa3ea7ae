/** What an event makes of a state. It believes; hidden cards may be unknown to it. */

import { type Seat, UNKNOWN } from '../game-rules.ts'
import type { ConquestEvent, EventOf } from './events.ts'
import type { ConquestMap } from './maps.ts'
import type { ConquestOptions } from './options.ts'
import { cardById, goesOnTrading, owesForcedTrade } from './rules/cards.ts'
import { type Card, type ConquestState, GARRISON, type Owner, type Situation, type Turn } from './state.ts'

/** Before the first event: nothing on the board, all cards in the deck. */
export function initial(map: ConquestMap, options: ConquestOptions, seats: number): ConquestState {
  const bySeat = <T>(value: T) => Array.from({ length: seats }, () => value)
  return {
    options,
    seats,
    order: [],
    owners: map.territories.map(() => null),
    armies: map.territories.map(() => 0),
    hands: bySeat([]),
    discards: [],
    faceDown: [],
    dial: 0,
    misses: bySeat(0),
    conquests: bySeat(0),
    eliminations: bySeat(0),
    fallen: [],
    situation: { phase: 'opening', reserves: bySeat(0) },
  }
}

/** The state after the event; `at` is the time of its commit, ms since 1970. */
export function evolve(map: ConquestMap, state: ConquestState, event: ConquestEvent, at: number): ConquestState {
  switch (event.type) {
    case 'boardLaid':
      return { ...state, situation: { phase: 'opening', reserves: state.misses.map(() => event.armies) } }
    case 'turnOrderRolled':
      return { ...state, order: event.order }
    case 'handicapGranted':
      return reserved(state, event.grants)
    case 'garrisonPlaced':
      return held(map, state, GARRISON, event.territories, event.armies)
    case 'territoriesDealt':
      return dealt(map, state, event)
    case 'armiesDealt':
      return { ...placed(map, state, event.placements), situation: noReserves(state) }

    case 'claimAwaited':
    case 'placementAwaited': {
      const phase = event.type === 'claimAwaited' ? 'claim' : 'place'
      const { reserves } = setupOf(state.situation)
      return { ...state, situation: { phase, reserves, seat: event.seat, step: event.step, since: at } }
    }
    case 'territoryClaimed':
      return held(map, reserved(state, [{ seat: event.seat, armies: -1 }]), event.seat, [event.territory], 1)

    case 'turnBegan': {
      const { seat, turn, round, armies } = event
      return { ...state, situation: { phase: 'draft', pool: armies, seat, turn, round, conquered: false, since: at } }
    }
    case 'setTraded':
      return traded(map, state, event)
    case 'armiesDeployed':
      return deployed(map, state, event)
    case 'battleFought':
      return fought(map, state, event)
    case 'territoryConquered':
      return conquered(map, state, event)
    case 'commanderEliminated':
      return {
        ...state,
        fallen: [...state.fallen, { seat: event.seat, how: 'eliminated' }],
        eliminations: counted(state.eliminations, event.by),
      }
    case 'handTaken':
      return handTaken(map, state, event)
    case 'territoryOccupied':
      return occupied(map, state, event)
    case 'armiesFortified':
      return { ...state, armies: moved(map, state.armies, event.origin, event.destination, event.armies) }

    case 'discardsReshuffled':
      return { ...state, discards: [], faceDown: [] }
    case 'cardDrawn': {
      const hand = withCards(state.hands[event.seat - 1]!, [cardOf(map, event.card)])
      return { ...state, hands: replaced(state.hands, event.seat - 1, hand) }
    }
    case 'turnEnded':
      return state

    case 'turnMissed':
      return { ...state, misses: replaced(state.misses, event.seat - 1, event.misses) }
    case 'commanderReturned':
      return { ...state, misses: replaced(state.misses, event.seat - 1, 0) }
    case 'commanderResigned':
      return resigned(state, event.seat)
    case 'gameOver': {
      const { ranking, ending } = event
      const { turn, round } = 'turn' in state.situation ? state.situation : { turn: 0, round: 0 }
      return { ...state, situation: { phase: 'over', ranking, ending, turn, round } }
    }
  }
}

function replaced<T>(list: readonly T[], index: number, value: T): readonly T[] {
  const copy = list.slice()
  copy[index] = value
  return copy
}

function counted(counts: readonly number[], seat: Seat): readonly number[] {
  return replaced(counts, seat - 1, counts[seat - 1]! + 1)
}

function at(map: ConquestMap, territory: string): number {
  return map.index.get(territory)!
}

function cardOf(map: ConquestMap, id: string): Card {
  return id === UNKNOWN ? UNKNOWN : cardById(map, id)!
}

function setupOf(situation: Situation): { readonly reserves: readonly number[] } {
  if (!('reserves' in situation)) throw new Error(`no setup in the phase ${situation.phase}`)
  return situation
}

function turnOf(situation: Situation): Turn {
  if (!('conquered' in situation)) throw new Error(`no turn in the phase ${situation.phase}`)
  const { seat, turn, round, conquered, since } = situation
  return { seat, turn, round, conquered, since }
}

function reserved(
  state: ConquestState,
  grants: readonly { readonly seat: Seat; readonly armies: number }[],
): ConquestState {
  const { situation } = state
  if (!('reserves' in situation)) return state
  const reserves = [...situation.reserves]
  for (const { seat, armies } of grants) reserves[seat - 1] = Math.max(0, reserves[seat - 1]! + armies)
  return { ...state, situation: { ...situation, reserves } }
}

function noReserves(state: ConquestState): Situation {
  return { phase: 'opening', reserves: state.misses.map(() => 0) }
}

function held(
  map: ConquestMap,
  state: ConquestState,
  owner: Owner,
  territories: readonly string[],
  each: number,
): ConquestState {
  const owners = [...state.owners]
  const armies = [...state.armies]
  for (const territory of territories) {
    owners[at(map, territory)] = owner
    armies[at(map, territory)] = each
  }
  return { ...state, owners, armies }
}

function dealt(map: ConquestMap, state: ConquestState, { hands }: EventOf<'territoriesDealt'>): ConquestState {
  let next = state
  for (const { seat, territories } of hands) next = held(map, next, seat, territories, 1)
  const standing = hands.map(({ seat, territories }) => ({ seat, armies: -territories.length }))
  return reserved(next, standing)
}

function placed(
  map: ConquestMap,
  state: ConquestState,
  placements: readonly { readonly territory: string; readonly armies: number }[],
): ConquestState {
  const armies = state.armies.slice()
  for (const placement of placements) armies[at(map, placement.territory)]! += placement.armies
  return { ...state, armies }
}

function deployed(map: ConquestMap, state: ConquestState, event: EventOf<'armiesDeployed'>): ConquestState {
  const { situation } = state
  const next = placed(map, state, event.placements)
  let total = 0
  for (const { armies } of event.placements) total += armies
  if ('reserves' in situation) return reserved(next, [{ seat: event.seat, armies: -total }])
  if (!('pool' in situation)) throw new Error(`nothing to place in the phase ${situation.phase}`)
  const pool = situation.pool - total
  if (situation.phase === 'deploy' && pool === 0)
    return { ...next, situation: { phase: 'attack', ...turnOf(situation) } }
  return { ...next, situation: { ...situation, pool } }
}

/** Cards leave a hand: each itself, or one that is unknown. */
function without(hand: readonly Card[], cards: readonly number[]): readonly Card[] {
  const left = hand.slice()
  for (const card of cards) {
    const found = left.indexOf(card)
    left.splice(found < 0 ? left.indexOf(UNKNOWN) : found, 1)
  }
  return left
}

function withCards(hand: readonly Card[], cards: readonly Card[]): readonly Card[] {
  return [...hand, ...cards].sort((a, b) => rank(a) - rank(b))
}

function rank(card: Card): number {
  return card === UNKNOWN ? 1e6 : card
}

function traded(map: ConquestMap, state: ConquestState, event: EventOf<'setTraded'>): ConquestState {
  const { situation } = state
  if (situation.phase !== 'draft' && situation.phase !== 'trade')
    throw new Error(`no trade in the phase ${situation.phase}`)
  const cards = event.cards.map((id) => cardById(map, id)!)
  const hand = without(state.hands[event.seat - 1]!, cards)
  const pool = situation.pool + event.armies
  const forcedIsOver = situation.phase === 'trade' && !goesOnTrading(hand.length)
  return {
    ...state,
    hands: replaced(state.hands, event.seat - 1, hand),
    discards: [...state.discards, ...cards],
    dial: event.set,
    situation: forcedIsOver ? { ...situation, phase: 'deploy', pool } : { ...situation, pool },
  }
}

function fought(map: ConquestMap, state: ConquestState, event: EventOf<'battleFought'>): ConquestState {
  const { situation } = state
  const armies = state.armies.slice()
  armies[at(map, event.origin)]! -= event.attackersLost
  armies[at(map, event.target)]! -= event.defendersLost
  if (situation.phase === 'attack') return { ...state, armies }
  return { ...state, armies, situation: { phase: 'attack', ...turnOf(situation) } }
}

function conquered(map: ConquestMap, state: ConquestState, event: EventOf<'territoryConquered'>): ConquestState {
  const target = at(map, event.territory)
  return {
    ...state,
    owners: replaced(state.owners, target, event.seat),
    conquests: counted(state.conquests, event.seat),
    situation: {
      phase: 'occupy',
      origin: at(map, event.origin),
      target,
      dice: event.dice,
      ...turnOf(state.situation),
      conquered: true,
    },
  }
}

function handTaken(map: ConquestMap, state: ConquestState, event: EventOf<'handTaken'>): ConquestState {
  const { cards, count } = event
  const taken: readonly Card[] =
    cards === UNKNOWN ? Array.from({ length: count }, (): Card => UNKNOWN) : cards.map((id) => cardOf(map, id))
  const hands = replaced(state.hands, event.rival - 1, [])
  return { ...state, hands: replaced(hands, event.seat - 1, withCards(state.hands[event.seat - 1]!, taken)) }
}

function occupied(map: ConquestMap, state: ConquestState, event: EventOf<'territoryOccupied'>): ConquestState {
  const turn = turnOf(state.situation)
  const forced = owesForcedTrade(state.hands[event.seat - 1]!.length)
  return {
    ...state,
    armies: moved(map, state.armies, event.origin, event.territory, event.armies),
    situation: forced ? { phase: 'trade', pool: 0, ...turn } : { phase: 'attack', ...turn },
  }
}

function moved(
  map: ConquestMap,
  armies: readonly number[],
  origin: string,
  destination: string,
  count: number,
): readonly number[] {
  const copy = armies.slice()
  copy[at(map, origin)]! -= count
  copy[at(map, destination)]! += count
  return copy
}

/** The land becomes the garrison's, the hand goes to the discards face down, unplaced armies are lost (R24). */
function resigned(state: ConquestState, seat: Seat): ConquestState {
  const { situation } = state
  const next = {
    ...state,
    owners: state.owners.map((owner) => (owner === seat ? GARRISON : owner)),
    hands: replaced(state.hands, seat - 1, []),
    faceDown: withCards(state.faceDown, state.hands[seat - 1]!),
    fallen: [...state.fallen, { seat, how: 'resigned' as const }],
  }
  if ('reserves' in situation)
    return { ...next, situation: { ...situation, reserves: replaced(situation.reserves, seat - 1, 0) } }
  return next
}
