import { describe, expect, test } from 'vitest'
import { type ConquestEvent, eventSchema } from '../../shared/conquest/events.ts'
import { parsePosition } from '../../shared/conquest/notation.ts'
import { type ConquestState, isLiving } from '../../shared/conquest/state.ts'
import type { Actor, Viewer } from '../../shared/game-rules.ts'
import { rules, TEST_MAPS } from '../support/conquest-boards.ts'
import { anyOrder, type Game, nudged, orderWithin, picksFrom, playGame } from '../support/conquest-play.ts'

const GAMES: readonly Game[] = [
  { options: { map: 'ring3', roundLimit: 40 }, seats: 2, seed: 1, upsets: 1000 },
  { options: { map: 'ring3', roundLimit: 40, setup: 'claim' }, seats: 3, seed: 2, upsets: 1000 },
  { options: { map: 'fort3', roundLimit: 40, cards: 'fixed' }, seats: 2, seed: 3, upsets: 30 },
  ...Array.from({ length: 16 }, (_, i) => ({
    options: {
      map: i % 3 === 0 ? 'small' : 'isles',
      roundLimit: 40,
      setup: i % 2 === 0 ? 'deal' : 'claim',
      handicap: i % 4 < 2 ? 'none' : 'balanced',
      cards: i % 5 === 0 ? 'fixed' : 'escalating',
      bastions: i % 7 !== 0,
      missesToResign: 1 + (i % 3),
    },
    seats: i % 3 === 0 ? 2 + (i % 2) : 2 + (i % 5),
    seed: 100 + i,
    upsets: [2000, 40, 12][i % 3]!,
  })),
  { options: { roundLimit: 60 }, seats: 4, seed: 77, upsets: 3000 },
]
const name = ({ options, seats, seed }: Game) => `${options['map'] ?? 'world'} with ${seats}, seed ${seed}`
const CASES = GAMES.map((game) => [name(game), game] as const)

const fold = (state: ConquestState, events: readonly ConquestEvent[], at: number) =>
  events.reduce((before, event) => rules.evolve(before, event, at), state)

test('the games end in every way, over every phase and with every event', () => {
  const seen = { endings: new Set<string>(), phases: new Set<string>(), events: new Set<string>() }
  for (const game of GAMES)
    for (const { after, events } of playGame(game)) {
      seen.phases.add(after.situation.phase)
      if (after.situation.phase === 'over') seen.endings.add(after.situation.ending)
      for (const event of events) seen.events.add(event.type)
    }
  expect([...seen.endings].sort()).toEqual(['conquest', 'resignation', 'round-limit'])
  expect([...seen.phases].sort()).toEqual(['attack', 'claim', 'deploy', 'draft', 'occupy', 'over', 'place', 'trade'])
  expect(seen.events.size).toBe(eventSchema.unwrap().options.length)
})

describe('agreement: decide accepts exactly what legal allows', () => {
  test.each(CASES)('%s', (_, game) => {
    const pick = picksFrom(game.seed * 7)
    let legalOnes = 0
    let illegalOnes = 0
    for (const { after: state } of playGame(game)) {
      const line = rules.position(state)
      for (let seat = 0; seat <= game.seats + 1; seat++) {
        const legal = rules.legal(state, seat)
        const orders = legal.map((each) => orderWithin(each, pick))
        const candidates = [
          ...orders,
          ...orders.map((order) => nudged(order, state, pick)),
          ...Array.from({ length: 6 }, () => anyOrder(state, pick)),
        ]
        for (const order of candidates) {
          const decision = rules.decide(state, order, seat, { pick })
          const allowed = rules.allows(legal, order)
          if ('events' in decision !== allowed)
            throw new Error(`${JSON.stringify(order)} by ${seat}: ${JSON.stringify(decision)} in ${line}`)
          if (allowed) legalOnes += 1
          else illegalOnes += 1
        }
        for (const order of orders)
          if (!rules.allows(legal, order)) throw new Error(`${JSON.stringify(order)} by ${seat} in ${line}`)
      }
      expect(rules.position(state)).toBe(line)
    }
    expect(Math.min(legalOnes, illegalOnes)).toBeGreaterThan(20)
  })
})

describe('conservation', () => {
  test.each(CASES)('%s', (_, game) => {
    const map = TEST_MAPS[(game.options['map'] ?? 'world') as keyof typeof TEST_MAPS]
    for (const { before, events } of playGame(game)) {
      let state = before
      for (const event of events) {
        const earlier = state
        state = rules.evolve(state, event, 0)
        const cards = [...state.hands.flat(), ...state.discards, ...state.faceDown]
        expect(new Set(cards).size).toBe(cards.length)
        for (const card of cards) expect(card).toBeLessThan(map.cards.length)
        const standing = state.armies.reduce((sum, armies) => sum + armies, 0)
        const stood = earlier.armies.reduce((sum, armies) => sum + armies, 0)
        expect(standing - stood).toBe(growth(event))
        const conquered = state.situation.phase === 'occupy' ? state.situation.target : -1
        for (const [territory, owner] of state.owners.entries()) {
          const armies = state.armies[territory]!
          if (owner === null || territory === conquered) expect(armies).toBe(0)
          else if (event.type !== 'battleFought') expect(armies).toBeGreaterThan(0)
          if (owner !== null && owner > 0) expect(isLiving(state, owner)).toBe(true)
        }
        if (event.type === 'territoriesDealt' || event.type === 'armiesDealt') expect(reserveOf(state, events)).toBe(0)
      }
      checkPools(before, state, events)
    }
  })

  /** How many armies an event adds to the board. */
  function growth(event: ConquestEvent): number {
    switch (event.type) {
      case 'garrisonPlaced':
        return event.territories.length * event.armies
      case 'territoriesDealt':
        return event.hands.reduce((sum, { territories }) => sum + territories.length, 0)
      case 'territoryClaimed':
        return 1
      case 'armiesDealt':
      case 'armiesDeployed':
        return event.placements.reduce((sum, { armies }) => sum + armies, 0)
      case 'battleFought':
        return -event.attackersLost - event.defendersLost
      default:
        return 0
    }
  }

  /** After the deal everyone’s starting armies stand or are still in reserve. */
  function reserveOf(state: ConquestState, events: readonly ConquestEvent[]): number {
    const laid = events.find((event) => event.type === 'boardLaid')!
    const granted = events.find((event) => event.type === 'handicapGranted')
    const { situation } = state
    if (!('reserves' in situation)) throw new Error('dealt after the setup')
    return state.order.reduce((wrong, seat) => {
      const due = laid.armies + (granted?.grants.find((grant) => grant.seat === seat)?.armies ?? 0)
      const stand = state.armies.reduce((sum, armies, i) => sum + (state.owners[i] === seat ? armies : 0), 0)
      return wrong + Math.abs(due - stand - situation.reserves[seat - 1]!)
    }, 0)
  }

  /** A pool grows by drafts and sets and shrinks by placements; a turn ends with none. */
  function checkPools(before: ConquestState, after: ConquestState, events: readonly ConquestEvent[]): void {
    let pool = 'pool' in before.situation ? before.situation.pool : 0
    for (const event of events) {
      if (event.type === 'turnEnded') expect(pool).toBe(0)
      if (event.type === 'turnBegan') pool = event.armies
      if (event.type === 'setTraded') pool += event.armies
      if (event.type === 'armiesDeployed' && 'pool' in before.situation) pool -= growth(event)
    }
    if ('pool' in after.situation) expect(after.situation.pool).toBe(pool)
  }
})

describe('the log', () => {
  test.each(CASES)('is well-formed JSON that folds to the same state: %s', (_, game) => {
    for (const { at, before, events, after, command } of playGame(game)) {
      const stored = JSON.parse(JSON.stringify(events)) as unknown[]
      const read = stored.map((event) => rules.schemas.event.parse(event))
      expect(read).toEqual(events)
      expect(fold(before, read, at)).toEqual(after)
      expect(JSON.parse(JSON.stringify(after))).toEqual(after)
      expect(JSON.stringify([command, events])).toMatch(/^[\x20-\x7e]*$/)
    }
  })
  test.each(CASES)('tells a game over last, and once: %s', (_, game) => {
    const all = [...playGame(game)].flatMap(({ events }) => events)
    expect(all.findIndex(({ type }) => type === 'gameOver')).toBe(all.length - 1)
  })
  test.each(CASES)('names each task once: %s', (_, game) => {
    const tasks = [...playGame(game)].flatMap(({ after }) =>
      rules.waitingFor(after).map(({ task, since }) => `${task} ${since}`),
    )
    const begun = new Set(tasks)
    expect(new Set([...begun].map((each) => each.split(' ')[0])).size).toBe(begun.size)
  })
})

describe('what is hidden', () => {
  test.each(CASES)('a redacted log folds to the same view, for everyone at every commit: %s', (_, game) => {
    const viewers: Viewer[] = [...Array(game.seats).keys()].map((i) => ({ seat: i + 1, open: false }))
    viewers.push({ seat: null, open: false }, { seat: null, open: true }, { seat: 1, open: true })
    const states: ConquestState[] = []
    for (const { at, before, events, after } of playGame(game)) {
      for (const [i, viewer] of viewers.entries()) {
        const redacted = events.map((event) => rules.redactEvent(event, viewer))
        states[i] = fold(states[i] ?? before, redacted, at)
        expect(rules.view(states[i], viewer)).toEqual(rules.view(after, viewer))
        for (const event of redacted) rules.schemas.event.parse(event)
      }
    }
  })

  test.each(CASES)('nothing one sees changes when only the hidden cards of others do: %s', (_, game) => {
    for (const { after } of playGame(game)) {
      if (rules.isOver(after) !== null) continue
      for (let seat = 0; seat <= game.seats; seat++) {
        const viewer = { seat: seat === 0 ? null : seat, open: false }
        const other = withOtherHiddenCards(after, seat)
        expect(rules.view(other, viewer)).toEqual(rules.view(after, viewer))
        if (seat > 0) expect(rules.legal(other, seat)).toEqual(rules.legal(after, seat))
      }
    }
  })

  /** The hidden cards of all but one, and the deck, turned around. */
  function withOtherHiddenCards(state: ConquestState, keeps: number): ConquestState {
    const map = TEST_MAPS[state.options.map as keyof typeof TEST_MAPS]
    const known = new Set([...state.discards, ...(state.hands[keeps - 1] ?? [])])
    const hidden = [...map.cards.keys()].filter((card) => !known.has(card)).reverse()
    const deal = (count: number) => hidden.splice(0, count).sort((a, b) => a - b)
    return {
      ...state,
      hands: state.hands.map((hand, i) => (i === keeps - 1 ? hand : deal(hand.length))),
      faceDown: deal(state.faceDown.length),
    }
  }
})

describe('the position', () => {
  test.each(CASES)('reads back to the same state, and tells states apart: %s', (_, game) => {
    const lines = new Map<string, string>()
    for (const { after, before } of playGame(game)) {
      for (const state of [before, after]) {
        const line = rules.position(state)
        expect(line).toMatch(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/)
        expect(parsePosition(TEST_MAPS, line)).toEqual(state)
        const json = canonical(state)
        expect(lines.get(line) ?? json).toBe(json)
        lines.set(line, json)
      }
    }
  })

  const canonical = (value: unknown): string =>
    JSON.stringify(value, (_, each) =>
      each !== null && typeof each === 'object' && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
        : each,
    )
})

test('the server gives no orders of seats, and seats none of the server', () => {
  for (const { after } of playGame(GAMES[4]!)) {
    const by: Actor = 'server'
    expect(rules.decide(after, { type: 'endTurn' }, by, { pick: () => 0 })).toHaveProperty('refusal')
    expect(rules.decide(after, { type: 'expire', task: 'turn-1' }, 1, { pick: () => 0 })).toHaveProperty('refusal')
  }
})
