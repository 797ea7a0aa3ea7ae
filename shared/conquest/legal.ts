/** What a seat may do now, as orders with ranges and exact odds, so that a client needs no rules. */

import type { Seat } from '../game-rules.ts'
import type { ConquestCommand, Order, OrderOf, Wish } from './commands.ts'
import type { ConquestMap } from './maps.ts'
import { type ConquestOdds, conquestOdds, type LossOdds, MOST_ARMIES_FOR_ODDS, MOST_ROLLS, rollOdds } from './odds.ts'
import { isTarget, LEAST_ON_ORIGIN } from './rules/attack.ts'
import { isBastion, mostAttackDice } from './rules/battle.ts'
import { cardId, payout, setKind, setsIn } from './rules/cards.ts'
import { isTradeDue } from './rules/duty.ts'
import { pendingOccupation } from './rules/occupy.ts'
import { placementRange } from './rules/placement.ts'
import { freeTerritories } from './rules/setup.ts'
import { type ConquestState, isLiving, seatToAct } from './state.ts'

export interface Range {
  readonly least: number
  readonly most: number
}

export interface LegalAttack {
  readonly type: 'attack'
  readonly origin: string
  readonly target: string
  readonly dice: Range
  /** A wish for the number that moves in, if wanted: the least is the number of dice. */
  readonly occupy: { readonly least: 'dice'; readonly most: number; readonly words: readonly ['least', 'most'] }
  /** Of one roll, by the number of dice. */
  readonly odds: readonly { readonly dice: number; readonly losses: readonly LossOdds[] }[]
}

export interface LegalAssault {
  readonly type: 'assault'
  readonly origin: string
  readonly target: string
  readonly stopAt: Range
  readonly maxRolls: Range
  readonly occupy: Range & { readonly words: readonly ['least', 'most'] }
  /** Of fighting to the end; null with more armies than odds are given for. */
  readonly odds: ConquestOdds | null
}

export type LegalOrder =
  | { readonly type: 'claim'; readonly territories: readonly string[] }
  | {
      readonly type: 'deploy'
      readonly pool: number
      readonly territories: readonly string[]
      readonly perTerritory: Range
      readonly total: Range
    }
  | {
      readonly type: 'trade'
      /** Whether nothing else but resigning is allowed until a set is traded. */
      readonly required: boolean
      readonly sets: readonly { readonly cards: readonly string[]; readonly armies: number }[]
    }
  | LegalAttack
  | LegalAssault
  | { readonly type: 'occupy'; readonly origin: string; readonly target: string; readonly armies: Range }
  | { readonly type: 'fortify'; readonly origin: string; readonly destination: string; readonly armies: Range }
  | { readonly type: 'endTurn' }
  | { readonly type: 'resign' }

export type ConquestLegal = readonly LegalOrder[]

const WORDS = ['least', 'most'] as const

/** Every legal order of the seat, by kind and then in map order. */
export function legal(map: ConquestMap, state: ConquestState, seat: Seat): ConquestLegal {
  const { phase } = state.situation
  if (phase === 'opening' || phase === 'over' || !isLiving(state, seat)) return []
  const resign = { type: 'resign' } as const
  return seatToAct(state) === seat ? [...ordersOnTurn(map, state, seat), resign] : [resign]
}

function ordersOnTurn(map: ConquestMap, state: ConquestState, seat: Seat): LegalOrder[] {
  const { situation } = state
  switch (situation.phase) {
    case 'opening':
    case 'over':
      return []
    case 'claim':
      return [{ type: 'claim', territories: freeTerritories(state).map((each) => map.territories[each]!.id) }]
    case 'place':
    case 'deploy':
      return deployments(map, state, seat)
    case 'trade':
      return trades(map, state, seat)
    case 'draft':
      if (isTradeDue(state)) return trades(map, state, seat)
      if (situation.pool > 0) return [...trades(map, state, seat), ...deployments(map, state, seat)]
      return [...trades(map, state, seat), ...moves(map, state, seat)]
    case 'attack':
      return moves(map, state, seat)
    case 'occupy': {
      const { origin, target, least, most } = pendingOccupation(state)!
      return [
        {
          type: 'occupy',
          origin: map.territories[origin]!.id,
          target: map.territories[target]!.id,
          armies: { least, most },
        },
      ]
    }
  }
}

function deployments(map: ConquestMap, state: ConquestState, seat: Seat): LegalOrder[] {
  const total = placementRange(state)
  if (total === null) return []
  const territories = map.territories.filter((_, territory) => state.owners[territory] === seat).map(({ id }) => id)
  const { situation } = state
  const pool = 'reserves' in situation ? situation.reserves[seat - 1]! : total.most
  return [{ type: 'deploy', pool, territories, perTerritory: { least: 1, most: total.most }, total }]
}

function trades(map: ConquestMap, state: ConquestState, seat: Seat): LegalOrder[] {
  const sets = setsIn(map, state.hands[seat - 1]!)
  if (sets.length === 0) return []
  return [
    {
      type: 'trade',
      required: isTradeDue(state),
      sets: sets.map((set) => ({
        cards: set.map((card) => cardId(map, card)),
        armies: payout(state.options, state.dial, setKind(map, set)!),
      })),
    },
  ]
}

function moves(map: ConquestMap, state: ConquestState, seat: Seat): LegalOrder[] {
  const attacks: LegalOrder[] = []
  const assaults: LegalOrder[] = []
  const fortifications: LegalOrder[] = []
  for (let origin = 0; origin < state.owners.length; origin++) {
    const armies = state.armies[origin]!
    if (state.owners[origin] !== seat || armies < LEAST_ON_ORIGIN) continue
    const movable = { least: 1, most: armies - 1 }
    for (const target of map.neighbours[origin]!) {
      const from = map.territories[origin]!.id
      const to = map.territories[target]!.id
      if (!isTarget(map, state, seat, origin, target)) {
        fortifications.push({ type: 'fortify', origin: from, destination: to, armies: movable })
        continue
      }
      const defenders = state.armies[target]!
      const bastion = isBastion(map, state, target)
      const most = mostAttackDice(armies)
      attacks.push({
        type: 'attack',
        origin: from,
        target: to,
        dice: { least: 1, most },
        occupy: { least: 'dice', most: armies - 1, words: WORDS },
        odds: [1, 2, 3].slice(0, most).map((dice) => ({ dice, losses: rollOdds({ dice, defenders, bastion }).losses })),
      })
      assaults.push({
        type: 'assault',
        origin: from,
        target: to,
        stopAt: movable,
        maxRolls: { least: 1, most: MOST_ROLLS },
        occupy: { ...movable, words: WORDS },
        odds: Math.max(armies, defenders) <= MOST_ARMIES_FOR_ODDS ? conquestOdds(armies, defenders, bastion) : null,
      })
    }
  }
  return [...attacks, ...assaults, ...fortifications, { type: 'endTurn' }]
}

/** Whether a well-formed command is among the legal orders; it reads the orders alone, as a client does. */
export function allows(orders: ConquestLegal, command: ConquestCommand): boolean {
  return command.type !== 'expire' && orders.some((order) => order.type === command.type && covers(order, command))
}

function covers(order: LegalOrder, command: Order): boolean {
  switch (order.type) {
    case 'claim':
      return order.territories.includes((command as OrderOf<'claim'>).territory)
    case 'deploy':
      return coversDeploy(order, command as OrderOf<'deploy'>)
    case 'trade': {
      const cards = (command as OrderOf<'trade'>).cards.toSorted()
      return order.sets.some((set) => set.cards.toSorted().every((card, i) => card === cards[i]))
    }
    case 'attack': {
      const { origin, target, dice, occupy } = command as OrderOf<'attack'>
      const wish = { least: dice, most: order.occupy.most }
      return order.origin === origin && order.target === target && within(order.dice, dice) && within(wish, occupy)
    }
    case 'assault': {
      const { origin, target, stopAt, maxRolls, occupy } = command as OrderOf<'assault'>
      if (order.origin !== origin || order.target !== target) return false
      return within(order.stopAt, stopAt) && within(order.maxRolls, maxRolls) && within(order.occupy, occupy)
    }
    case 'occupy':
      return within(order.armies, (command as OrderOf<'occupy'>).armies)
    case 'fortify': {
      const { origin, destination, armies } = command as OrderOf<'fortify'>
      return order.origin === origin && order.destination === destination && within(order.armies, armies)
    }
    case 'endTurn':
    case 'resign':
      return true
  }
}

function within({ least, most }: Range, number: Wish | undefined): boolean {
  return typeof number !== 'number' || (number >= least && number <= most)
}

function coversDeploy(order: LegalOrder & { type: 'deploy' }, { placements }: OrderOf<'deploy'>): boolean {
  const named = new Set(placements.map(({ territory }) => territory))
  const total = placements.reduce((sum, { armies }) => sum + armies, 0)
  return (
    named.size === placements.length &&
    within(order.total, total) &&
    placements.every(
      ({ territory, armies }) => order.territories.includes(territory) && within(order.perTerritory, armies),
    )
  )
}
