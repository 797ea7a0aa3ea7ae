/** What a viewer may know. Hidden are the hands of others and whatever lies face down; this file is the one door they leave by. */

import { type Actor, type Ranking, type Seat, UNKNOWN, type Viewer } from '../game-rules.ts'
import type { ConquestCommand } from './commands.ts'
import type { ConquestEvent, Ending } from './events.ts'
import type { ConquestMap } from './maps.ts'
import type { ConquestOptions } from './options.ts'
import { cardId, deckSize, payout } from './rules/cards.ts'
import { taskUnderWay } from './rules/expiry.ts'
import { pendingOccupation } from './rules/occupy.ts'
import { type Card, type ConquestState, isLiving, type Owner, type Phase, seatToAct } from './state.ts'

export interface CommanderView {
  readonly seat: Seat
  /** Place in turn order from 1, and null before the roll. */
  readonly turnOrder: number | null
  readonly alive: boolean
  /** How, and as the how-manieth, the commander fell. */
  readonly fallen: { readonly how: 'eliminated' | 'resigned'; readonly after: number } | null
  readonly territories: number
  readonly armies: number
  /** Requisition cards by id, or unknown; `cards` is how many. */
  readonly hand: readonly string[] | typeof UNKNOWN
  readonly cards: number
  /** Starting armies still to place in the setup. */
  readonly reserve: number
  readonly misses: number
  readonly conquests: number
  readonly eliminations: number
}

export interface ConquestView {
  readonly map: string
  readonly mapVersion: number
  readonly options: ConquestOptions
  readonly phase: Phase
  /** Whose turn or step of the setup it is. */
  readonly seat: Seat | null
  readonly task: string | null
  /** ms since 1970; `until` is null without a deadline. */
  readonly since: number | null
  readonly until: number | null
  /** Null before play. */
  readonly turn: number | null
  readonly round: number | null
  /** Drafted armies still to place. */
  readonly pool: number
  /** Whether a card is due at the end of the turn. */
  readonly conquered: boolean
  /** The territory just conquered that nobody has moved into yet. */
  readonly occupation: {
    readonly origin: string
    readonly target: string
    readonly least: number
    readonly most: number
  } | null
  /** By id; the owner is a seat, 0 for the neutral garrison, null where free. */
  readonly territories: Readonly<Record<string, { readonly owner: Owner; readonly armies: number }>>
  readonly turnOrder: readonly Seat[]
  /** By seat. */
  readonly commanders: readonly CommanderView[]
  /** Sets traded by anyone, and what the next pays by its kind. */
  readonly dial: { readonly traded: number; readonly pays: Readonly<Record<string, number>> }
  readonly deck: number
  readonly discards: { readonly faceUp: readonly string[]; readonly faceDown: number }
  /** The face-down discards by id, once the game is over. */
  readonly revealed: readonly string[] | typeof UNKNOWN
  readonly ranking: Ranking | null
  readonly ending: Ending | null
}

/** All that the viewer may know of the state. */
export function view(map: ConquestMap, state: ConquestState, viewer: Viewer): ConquestView {
  const { situation } = state
  const pending = pendingOccupation(state)
  const since = 'since' in situation ? situation.since : null
  const over = situation.phase === 'over' ? situation : null
  return {
    map: state.options.map,
    mapVersion: map.version,
    options: state.options,
    phase: situation.phase,
    seat: seatToAct(state),
    task: taskUnderWay(state),
    since,
    until: deadline(state, since),
    turn: 'turn' in situation ? situation.turn : null,
    round: 'round' in situation ? situation.round : null,
    pool: 'pool' in situation ? situation.pool : 0,
    conquered: 'conquered' in situation && situation.conquered,
    occupation: pending && {
      origin: map.territories[pending.origin]!.id,
      target: map.territories[pending.target]!.id,
      least: pending.least,
      most: pending.most,
    },
    territories: Object.fromEntries(
      map.territories.map(({ id }, i) => [id, { owner: state.owners[i]!, armies: state.armies[i]! }]),
    ),
    turnOrder: state.order,
    commanders: commanders(map, state, viewer),
    dial: { traded: state.dial, pays: nextPayouts(state) },
    deck: deckSize(map, state),
    discards: { faceUp: state.discards.map((card) => cardId(map, card)), faceDown: state.faceDown.length },
    revealed: viewer.open ? ids(map, state.faceDown) : UNKNOWN,
    ranking: over?.ranking ?? null,
    ending: over?.ending ?? null,
  }
}

/** When the time for what began at `since` is over, or null. */
export function deadline({ options }: ConquestState, since: number | null): number | null {
  return since === null || options.turnSeconds === null ? null : since + options.turnSeconds * 1000
}

function sees(viewer: Viewer, seat: Seat): boolean {
  return viewer.open || viewer.seat === seat
}

function ids(map: ConquestMap, cards: readonly Card[]): readonly string[] {
  return cards.map((card) => (card === UNKNOWN ? UNKNOWN : cardId(map, card)))
}

function nextPayouts({ options, dial }: ConquestState): Readonly<Record<string, number>> {
  switch (options.cards) {
    case 'escalating':
      return { 'any set': payout(options, dial, 'one of each') }
    case 'fixed':
      return Object.fromEntries(
        (['infantry', 'cavalry', 'artillery', 'one of each'] as const).map((kind) => [
          kind,
          payout(options, dial, kind),
        ]),
      )
  }
}

function commanders(map: ConquestMap, state: ConquestState, viewer: Viewer): readonly CommanderView[] {
  const { situation } = state
  const territories = state.misses.map(() => 0)
  const armies = state.misses.map(() => 0)
  for (const [territory, owner] of state.owners.entries())
    if (owner !== null && owner > 0) {
      territories[owner - 1]! += 1
      armies[owner - 1]! += state.armies[territory]!
    }
  return state.hands.map((hand, i) => {
    const seat = i + 1
    const fall = state.fallen.findIndex((fallen) => fallen.seat === seat)
    return {
      seat,
      turnOrder: state.order.length === 0 ? null : state.order.indexOf(seat) + 1,
      alive: isLiving(state, seat),
      fallen: fall < 0 ? null : { how: state.fallen[fall]!.how, after: fall + 1 },
      territories: territories[i]!,
      armies: armies[i]!,
      hand: sees(viewer, seat) ? ids(map, hand) : UNKNOWN,
      cards: hand.length,
      reserve: 'reserves' in situation ? situation.reserves[i]! : 0,
      misses: state.misses[i]!,
      conquests: state.conquests[i]!,
      eliminations: state.eliminations[i]!,
    }
  })
}

/** The event as the viewer may see it: a card drawn is its commander's, a hand taken is known to taker and loser. */
export function redactEvent(event: ConquestEvent, viewer: Viewer): ConquestEvent {
  switch (event.type) {
    case 'cardDrawn':
      return sees(viewer, event.seat) ? event : { ...event, card: UNKNOWN }
    case 'handTaken':
      return sees(viewer, event.seat) || sees(viewer, event.rival) ? event : { ...event, cards: UNKNOWN }
    case 'boardLaid':
    case 'turnOrderRolled':
    case 'handicapGranted':
    case 'garrisonPlaced':
    case 'territoriesDealt':
    case 'armiesDealt':
    case 'claimAwaited':
    case 'territoryClaimed':
    case 'placementAwaited':
    case 'turnBegan':
    case 'setTraded':
    case 'armiesDeployed':
    case 'battleFought':
    case 'territoryConquered':
    case 'commanderEliminated':
    case 'territoryOccupied':
    case 'armiesFortified':
    case 'discardsReshuffled':
    case 'turnEnded':
    case 'turnMissed':
    case 'commanderReturned':
    case 'commanderResigned':
    case 'gameOver':
      return event
  }
}

/** No order of Conquest hides anything: cards are named only where they are laid open. */
export function redactCommand(command: ConquestCommand, _by: Actor, _viewer: Viewer): ConquestCommand {
  return command
}
