/** Tally, a third game to prove the platform generic: add dice to your tally or stash a number only you know; most points win. */

import * as z from 'zod'
import type { Awaited, Chance, Decision, GameRules, Json, Ranking, Seat, Viewer } from '../../shared/game-rules.ts'

export const TALLY_REFUSALS = {
  'not-your-turn': 'It is the turn of another commander.',
  'nothing-stashed': 'You have no number stashed.',
  'stash-full': 'You have two numbers stashed already.',
  'unknown-seat': 'There is no such seat.',
} as const satisfies Record<string, string>
export type TallyRefusal = keyof typeof TALLY_REFUSALS

const MOST_STASHED = 2

export const tallyOptions = z.strictObject({
  goal: z.int().min(1).max(10_000).default(20),
  /** Seconds for a turn; 0 for none. */
  seconds: z.int().min(0).max(2_592_000).default(0),
})
export type TallyOptions = z.infer<typeof tallyOptions>

export const tallyCommand = z.discriminatedUnion('type', [
  /** Rolls a die and adds it. */
  z.strictObject({ type: z.literal('roll'), dice: z.int().min(1).max(3).default(1) }),
  /** Draws a number from 1 to 9 that only its owner sees. */
  z.strictObject({ type: z.literal('stash') }),
  /** Lays a hidden mark on a stashed number; neither rolls nor moves, though nobody else may read it. */
  z.strictObject({ type: z.literal('mark'), number: z.int().min(1).max(9) }),
  /** Lays the stashed numbers open and adds them. */
  z.strictObject({ type: z.literal('reveal') }),
  /** Greets another seat, in turn or out of it: the order that may be retried. */
  z.strictObject({ type: z.literal('greet'), seat: z.int().min(1).max(100) }),
])
const tallyServerCommand = z.strictObject({ type: z.literal('skip'), turn: z.int().min(1) })
export type TallyCommand = z.infer<typeof tallyCommand> | z.infer<typeof tallyServerCommand>

const hidden = z.union([z.int(), z.literal('unknown')])
export const tallyEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('orderDrawn'), first: z.int() }),
  z.strictObject({ type: z.literal('rolled'), seat: z.int(), dice: z.array(z.int()) }),
  z.strictObject({ type: z.literal('stashed'), seat: z.int(), number: hidden }),
  z.strictObject({ type: z.literal('marked'), seat: z.int(), number: hidden }),
  z.strictObject({ type: z.literal('revealed'), seat: z.int(), numbers: z.array(z.int()) }),
  z.strictObject({ type: z.literal('greeted'), seat: z.int(), greeted: z.int() }),
  z.strictObject({ type: z.literal('skipped'), seat: z.int() }),
  z.strictObject({ type: z.literal('turnPassed'), seat: z.int() }),
  z.strictObject({ type: z.literal('won'), seat: z.int() }),
])
export type TallyEvent = z.infer<typeof tallyEvent>

type Hidden = number | 'unknown'

export interface TallyState {
  readonly goal: number
  readonly seconds: number
  /** By seat. */
  readonly tallies: readonly number[]
  readonly stashes: readonly (readonly Hidden[])[]
  readonly marks: readonly Hidden[]
  readonly turn: number
  readonly seat: Seat
  readonly since: number
  readonly winner: Seat | null
}

export interface TallyView {
  readonly tallies: readonly number[]
  readonly stashes: readonly (readonly Hidden[])[]
  readonly marks: readonly Hidden[]
  readonly turn: number
  readonly seat: Seat
  readonly winner: Seat | null
}

export type TallyLegal = readonly Json[]

/** The rule book of Tally, version 1. */
export const tallyGame: GameRules<
  TallyOptions,
  TallyState,
  TallyCommand,
  TallyEvent,
  TallyView,
  TallyLegal,
  TallyRefusal,
  { need: number }
> = {
  kind: 'tally',
  rulesVersion: 1,
  stateVersion: 1,
  schemaVersion: 1,
  schemas: {
    options: tallyOptions,
    command: tallyCommand,
    serverCommand: tallyServerCommand,
    event: tallyEvent,
    oddsQuery: z.strictObject({
      need: z
        .string()
        .regex(/^[1-6]$/)
        .transform(Number),
    }),
  },
  refusals: TALLY_REFUSALS,

  remarks: ({ seconds }) => (seconds === 0 ? ['Nobody is hurried.'] : []),
  seats: () => ({ least: 2, most: 6 }),
  initial: ({ goal, seconds }, seats) => ({
    goal,
    seconds,
    tallies: Array.from({ length: seats }, () => 0),
    stashes: Array.from({ length: seats }, () => []),
    marks: Array.from({ length: seats }, () => 0),
    turn: 0,
    seat: 0,
    since: 0,
    winner: null,
  }),
  begin: (state, chance) => [{ type: 'orderDrawn', first: chance.pick(state.tallies.length) + 1 }],
  decide: (state, command, by, chance) =>
    command.type === 'skip' ? skip(state, command.turn) : order(state, command, by as Seat, chance),
  evolve,

  view: (state, viewer) => ({
    tallies: state.tallies,
    stashes: state.stashes.map((stash, place) =>
      sees(viewer, place + 1) ? stash : stash.map(() => 'unknown' as const),
    ),
    marks: state.marks.map((mark, place) => (mark === 0 || sees(viewer, place + 1) ? mark : ('unknown' as const))),
    turn: state.turn,
    seat: state.seat,
    winner: state.winner,
  }),
  hidden: { commands: ['mark'], events: ['stashed', 'marked'] },
  redactEvent: (event, viewer) =>
    (event.type === 'stashed' || event.type === 'marked') && !sees(viewer, event.seat)
      ? { ...event, number: 'unknown' }
      : event,
  redactCommand: (command, by, viewer) =>
    command.type === 'mark' && !(by !== 'server' && sees(viewer, by))
      ? ({ type: 'mark', number: 'unknown' } as unknown as TallyCommand)
      : command,

  legal,
  allows: (orders, command) =>
    orders.some((each) => {
      const { type, ...ranges } = each as { type: string } & Record<string, { least: number; most: number }>
      const given = command as unknown as Record<string, number>
      return (
        type === command.type &&
        Object.entries(ranges).every(([field, { least, most }]) => given[field]! >= least && given[field]! <= most)
      )
    }),
  odds: (_, { need }) => ({ odds: { ways: 7 - need, of: 6 } }),

  waitingFor: (state): readonly Awaited[] =>
    state.winner !== null
      ? []
      : [
          {
            seat: state.seat,
            task: `turn-${state.turn}`,
            since: state.since,
            until: state.seconds === 0 ? null : state.since + state.seconds * 1000,
          },
        ],
  isOver: (state): Ranking | null => (state.winner === null ? null : ranking(state)),
  expire: (task) => ({ type: 'skip', turn: Number(task.slice('turn-'.length)) }),
  mayRetry: (command) => command.type === 'greet' || command.type === 'mark',

  narrate: (event, _, name) => [sentence(event, name)],
  record: (state) =>
    ranking(state).flatMap((seats, place) =>
      seats.map((seat) => ({ seat, start: seat, place: place + 1, counts: { points: state.tallies[seat - 1]! } })),
    ),
  luck: (_, event) =>
    event.type === 'rolled'
      ? [
          {
            seat: event.seat,
            measure: 'points rolled',
            actual: sum(event.dice),
            expected: 3.5 * event.dice.length,
            variance: (35 / 12) * event.dice.length,
          },
        ]
      : [],
  position: (state) =>
    [
      `g${state.goal}/${state.seconds}`,
      state.tallies.join(','),
      state.stashes.map((stash) => stash.join('+')).join(','),
      state.marks.join(','),
      `t${state.turn}`,
      `s${state.seat}`,
      state.since,
      state.winner ?? '-',
    ].join(' '),
  bots: { hasty: { choose: () => ({ type: 'roll', dice: 1 }) } },
  upcasts: {},
}

function sees(viewer: Viewer, seat: Seat): boolean {
  return viewer.open || viewer.seat === seat
}

function order(
  state: TallyState,
  command: z.infer<typeof tallyCommand>,
  by: Seat,
  chance: Chance,
): Decision<TallyEvent, TallyRefusal> {
  if (command.type === 'greet') {
    if (command.seat > state.tallies.length) return { refusal: 'unknown-seat' }
    return { events: [{ type: 'greeted', seat: by, greeted: command.seat }] }
  }
  const stash = state.stashes[by - 1]!
  if (command.type === 'mark') {
    if (stash.length === 0) return { refusal: 'nothing-stashed' }
    return { events: [{ type: 'marked', seat: by, number: command.number }] }
  }
  if (by !== state.seat) return { refusal: 'not-your-turn' }
  const passed: TallyEvent = { type: 'turnPassed', seat: (by % state.tallies.length) + 1 }
  switch (command.type) {
    case 'roll': {
      const dice = Array.from({ length: command.dice }, () => chance.pick(6) + 1)
      return { events: [{ type: 'rolled', seat: by, dice }, wonBy(state, by, sum(dice)) ?? passed] }
    }
    case 'stash':
      if (stash.length === MOST_STASHED) return { refusal: 'stash-full' }
      return { events: [{ type: 'stashed', seat: by, number: chance.pick(9) + 1 }, passed] }
    case 'reveal': {
      if (stash.length === 0) return { refusal: 'nothing-stashed' }
      const numbers = stash.map(Number)
      return { events: [{ type: 'revealed', seat: by, numbers }, wonBy(state, by, sum(numbers)) ?? passed] }
    }
  }
}

function wonBy(state: TallyState, seat: Seat, more: number): TallyEvent | null {
  return state.tallies[seat - 1]! + more >= state.goal ? { type: 'won', seat } : null
}

function skip(state: TallyState, turn: number): Decision<TallyEvent, TallyRefusal> {
  if (state.turn !== turn || state.winner !== null) return { refusal: 'not-your-turn' }
  const next = (state.seat % state.tallies.length) + 1
  return {
    events: [
      { type: 'skipped', seat: state.seat },
      { type: 'turnPassed', seat: next },
    ],
  }
}

function evolve(state: TallyState, event: TallyEvent, at: number): TallyState {
  switch (event.type) {
    case 'orderDrawn':
      return { ...state, turn: 1, seat: event.first, since: at }
    case 'rolled':
      return { ...state, tallies: added(state.tallies, event.seat, sum(event.dice)) }
    case 'stashed':
      return {
        ...state,
        stashes: replaced(state.stashes, event.seat, [...state.stashes[event.seat - 1]!, event.number]),
      }
    case 'marked':
      return { ...state, marks: replaced(state.marks, event.seat, event.number) }
    case 'revealed':
      return {
        ...state,
        tallies: added(state.tallies, event.seat, sum(event.numbers)),
        stashes: replaced(state.stashes, event.seat, []),
        marks: replaced(state.marks, event.seat, 0),
      }
    case 'greeted':
    case 'skipped':
      return state
    case 'turnPassed':
      return { ...state, turn: state.turn + 1, seat: event.seat, since: at }
    case 'won':
      return { ...state, winner: event.seat }
  }
}

function legal(state: TallyState, seat: Seat): TallyLegal {
  if (state.winner !== null) return []
  const stash = state.stashes[seat - 1]!
  const any: Json[] = [{ type: 'greet', seat: { least: 1, most: state.tallies.length } }]
  if (stash.length > 0) any.push({ type: 'mark', number: { least: 1, most: 9 } })
  if (seat !== state.seat) return any
  any.push({ type: 'roll', dice: { least: 1, most: 3 } })
  if (stash.length < MOST_STASHED) any.push({ type: 'stash' })
  if (stash.length > 0) any.push({ type: 'reveal' })
  return any
}

function ranking(state: TallyState): Ranking {
  const seats = state.tallies.map((_, place) => place + 1)
  const scores = [...new Set(state.tallies)].sort((one, other) => other - one)
  return scores.map((score) => seats.filter((seat) => state.tallies[seat - 1] === score))
}

function sentence(event: TallyEvent, name: (seat: Seat) => string): string {
  switch (event.type) {
    case 'orderDrawn':
      return `${name(event.first)} begins.`
    case 'rolled':
      return `${name(event.seat)} rolls ${event.dice.join(' and ')}.`
    case 'stashed':
      return `${name(event.seat)} stashes ${event.number === 'unknown' ? 'a number' : `the number ${event.number}`}.`
    case 'marked':
      return `${name(event.seat)} marks ${event.number === 'unknown' ? 'a number' : `the number ${event.number}`}.`
    case 'revealed':
      return `${name(event.seat)} lays open ${event.numbers.join(' and ')}.`
    case 'greeted':
      return `${name(event.seat)} greets ${name(event.greeted)}.`
    case 'skipped':
      return `${name(event.seat)} let the time run out.`
    case 'turnPassed':
      return `It is the turn of ${name(event.seat)}.`
    case 'won':
      return `${name(event.seat)} wins.`
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

function added(tallies: readonly number[], seat: Seat, more: number): readonly number[] {
  return replaced(tallies, seat, tallies[seat - 1]! + more)
}

function replaced<T>(list: readonly T[], seat: Seat, value: T): readonly T[] {
  return list.map((each, place) => (place + 1 === seat ? value : each))
}

/** Tally as the platform takes it. */
export const tally = tallyGame as unknown as GameRules
