/** Whole simulated games by the thousand: no bot's order refused, no promise of the rules broken after any event. */

import { simulateGame } from '../shared/application/simulate.ts'
import { conquest } from '../shared/conquest/conquest.ts'
import type { ConquestEvent } from '../shared/conquest/events.ts'
import { MAPS } from '../shared/conquest/maps.ts'
import { type ConquestState, isLiving } from '../shared/conquest/state.ts'
import type { GameRules } from '../shared/game-rules.ts'

export interface Soaked {
  readonly games: number
  readonly orders: number
  readonly events: number
  readonly endings: Readonly<Record<string, number>>
}

/** Plays so many games over all variants, maps, numbers of commanders and bots, and checks every event. Throws at the first fault. */
export function soakGames(count: number, progress: (done: number) => void = () => {}): Soaked {
  const soaked = { games: 0, orders: 0, events: 0, endings: {} as Record<string, number> }
  for (let index = 0; index < count; index++) {
    const { options, bots } = variant(index)
    const parsed = conquest.schemas.options.parse(options)
    let before: ConquestState | null = null
    const game = simulateGame(
      { rules: conquest as GameRules, options: parsed, bots, seed: 'soak' },
      index,
      (event, after) => {
        if (event !== null) checkPromises(before!, event as ConquestEvent, after as ConquestState)
        if (event?.type === 'gameOver') count1(soaked.endings, (event as { ending?: string }).ending ?? '?')
        before = after as ConquestState
      },
    )
    soaked.games += 1
    soaked.orders += game.orders
    soaked.events += game.events
    progress(index + 1)
  }
  return soaked
}

function count1(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}

/** Every combination comes again and again; games of random bots alone are kept short, for they seldom end by themselves. */
function variant(index: number) {
  const bit = (place: number) => (index >> place) % 2 === 1
  const small = index % 3 === 0
  const commanders = small ? 2 + (index % 2) : 2 + (Math.floor(index / 3) % 5)
  const randomAlone = index % 10 === 9
  const options = {
    map: small ? 'small' : 'world',
    setup: bit(0) ? 'deal' : 'claim',
    cards: bit(1) ? 'escalating' : 'fixed',
    bastions: bit(2),
    handicap: bit(3) ? 'balanced' : 'none',
    ...(randomAlone ? { roundLimit: 30 } : {}),
  }
  const policies = randomAlone ? ['random'] : bit(4) ? ['greedy'] : ['greedy', 'random']
  return { options, bots: Array.from({ length: commanders }, (_, seat) => policies[seat % policies.length]!) }
}

/** What must hold after every event. Throws an Error with the position. */
function checkPromises(before: ConquestState, event: ConquestEvent, after: ConquestState): void {
  const fault = brokenPromise(before, event, after)
  if (fault !== null) throw new Error(`${fault} after ${JSON.stringify(event)}: ${conquest.position(after)}`)
}

function brokenPromise(before: ConquestState, event: ConquestEvent, after: ConquestState): string | null {
  const cards = [...after.hands.flat(), ...after.discards, ...after.faceDown]
  const known = MAPS[after.options.map as keyof typeof MAPS].cards.length
  if (new Set(cards).size !== cards.length) return 'a card lies in two places'
  if (cards.some((card) => typeof card !== 'number' || card < 0 || card >= known)) return 'there is a card of no deck'
  if (sum(after.armies) - sum(before.armies) !== growth(event)) return 'armies came or went that no event tells of'
  const conquered = after.situation.phase === 'occupy' ? after.situation.target : -1
  for (const [territory, owner] of after.owners.entries()) {
    const armies = after.armies[territory]!
    const mayBeEmpty = owner === null || territory === conquered || event.type === 'battleFought'
    if (armies < 0 || (armies === 0 && !mayBeEmpty)) return `territory ${territory} stands empty`
    if (owner !== null && owner > 0 && !isLiving(after, owner)) return `the fallen seat ${owner} owns land`
  }
  return null
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

/** How many armies an event adds to the board. */
function growth(event: ConquestEvent): number {
  switch (event.type) {
    case 'garrisonPlaced':
      return event.territories.length * event.armies
    case 'territoriesDealt':
      return sum(event.hands.map(({ territories }) => territories.length))
    case 'territoryClaimed':
      return 1
    case 'armiesDealt':
    case 'armiesDeployed':
      return sum(event.placements.map(({ armies }) => armies))
    case 'battleFought':
      return -event.attackersLost - event.defendersLost
    default:
      return 0
  }
}
