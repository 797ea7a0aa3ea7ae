/** What a game must say of itself to be played here: a decider with views. The platform knows a game by nothing else. */

import type * as z from 'zod'

/** What commits, views and answers are made of: integers, ASCII strings, booleans, null, lists and records of them. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** 1, 2, 3 … in the order of joining. */
export type Seat = number

/** Who gives a command: a seat, or the server itself (an expiry, a start). */
export type Actor = Seat | 'server'

/** Who looks: a seat or, with `seat: null`, a spectator. `open`: the game has ended, so everything in it is public. */
export interface Viewer {
  readonly seat: Seat | null
  readonly open: boolean
}

/** The dice and draws of one commit; the only source of randomness a decision may use. */
export interface Chance {
  /** A fair pick from 0 to k − 1, for whole k from 1 to 256; throws RangeError otherwise. */
  pick(k: number): number
}

/** What stands in place of a hidden field in an event, a command or a view. */
export const UNKNOWN = 'unknown'

/** A judgement: the facts that follow, or one word from a closed list why nothing does. */
export type Decision<Event, Refusal extends string> =
  | { readonly events: readonly Event[] }
  | { readonly refusal: Refusal }

/** Something a seat is waited for. `task` names it uniquely within the game; times in ms since 1970, `until: null` without a deadline. */
export interface Awaited {
  readonly seat: Seat
  readonly task: string
  readonly since: number
  readonly until: number | null
}

/** Final places: the seats of each place, best first; equal places share a list. */
export type Ranking = readonly (readonly Seat[])[]

/** Every event and command says by `type` what it is. */
export interface Typed {
  readonly type: string
}

/** How dice fell for a seat in one measure, against exact expectation: sums over a game give a standard score. */
export interface Luck {
  readonly seat: Seat
  /** In the game's words, as `armies lost`. */
  readonly measure: string
  readonly actual: number
  readonly expected: number
  readonly variance: number
}

/** How a game went for a seat: `start` its place in the order of play at the beginning, `place` the one at the end. */
export interface SeatRecord {
  readonly seat: Seat
  readonly start: number
  readonly place: number
  /** In the game's words, as `conquests`. */
  readonly counts: Readonly<Record<string, number>>
}

/** A policy that chooses an order from what its seat may see and do. `pick` is its own stream, never the game's dice. */
export interface Bot<View, Legal, Command> {
  choose(view: View, legal: Legal, seat: Seat, pick: Chance['pick']): Command
}

/** A game's rule book. All functions are pure; `decide` judges and never computes the next state, `evolve` believes and never refuses. */
export interface GameRules<
  Options = unknown,
  State = unknown,
  Command extends Typed = Typed,
  Event extends Typed = Typed,
  View = unknown,
  Legal = unknown,
  Refusal extends string = string,
  OddsQuery = unknown,
> {
  readonly kind: string
  /** Whatever alters a decision or the order of draws is a new version beside the old. */
  readonly rulesVersion: number
  /** Raised whenever the shape of `State` or what `evolve` makes of an event changes; older snapshots are then ignored. */
  readonly stateVersion: number
  /** The version of the shapes of commands and events this rule book writes. */
  readonly schemaVersion: number

  readonly schemas: {
    /** What may be chosen when opening; parsing fills in the defaults. */
    readonly options: z.ZodType<Options>
    /** Orders a seat may send; strict, so that nothing beside them gets in. */
    readonly command: z.ZodType<Command>
    /** Commands only the server gives. */
    readonly serverCommand: z.ZodType<Command>
    readonly event: z.ZodType<Event>
    /** From the strings of a query. */
    readonly oddsQuery: z.ZodType<OddsQuery>
  }
  /** Every reason for a refusal, with the sentence for people. */
  readonly refusals: Readonly<Record<Refusal, string>>

  /** What whoever opens or joins a game with these options should be told, in sentences. */
  remarks(options: Options): readonly string[]
  /** For how many commanders these options can be played. */
  seats(options: Options): { readonly least: number; readonly most: number }
  /** The state before the first event. */
  initial(options: Options, seats: number): State
  /** The events of the start: turn order, set-up, first turn. */
  begin(state: State, chance: Chance): readonly Event[]
  decide(state: State, command: Command, by: Actor, chance: Chance): Decision<Event, Refusal>
  /** `at` is the time of the commit, ms since 1970. Accepts events with hidden fields. */
  evolve(state: State, event: Event, at: number): State

  /** All that `viewer` may know of the state, as JSON. */
  view(state: State, viewer: Viewer): View
  /** The types whose content can be hidden from someone: their digests are salted always. */
  readonly hidden: { readonly commands: readonly string[]; readonly events: readonly string[] }
  /** The event, of any schema version, as `viewer` may see it: itself (the same object) if nothing is hidden. */
  redactEvent(event: Event, viewer: Viewer): Event
  /** The command as `viewer` may see it: itself (the same object) if nothing is hidden. */
  redactCommand(command: Command, by: Actor, viewer: Viewer): Command

  /** What the seat may do now, as orders with ranges; a client needs no rules. */
  legal(state: State, seat: Seat): Legal
  /** Whether a well-formed command is among the legal orders: agrees with `decide` on every reachable state. */
  allows(legal: Legal, command: Command): boolean
  odds(state: State, query: OddsQuery): { readonly odds: Json } | { readonly refusal: Refusal }

  /** Whom the game waits for, and until when. Empty only when it is over. */
  waitingFor(state: State): readonly Awaited[]
  /** The ranking once the game is over, else null. */
  isOver(state: State): Ranking | null
  /** The server command for a task whose deadline has passed. */
  expire(task: string): Command
  /** Whether the server may decide this order again on a newer board: true only for what neither rolls nor moves. */
  mayRetry(command: Command): boolean

  /** What happened, in sentences for people; `name` gives a seat's name. Hidden things stay hidden. One that begins with — is a heading. */
  narrate(event: Event, options: Options, name: (seat: Seat) => string): readonly string[]
  /** What each seat's commander takes into the records when the game is over. */
  record(state: State): readonly SeatRecord[]
  /** How the dice of an event fell, for whom; `state` is the one before it. Empty for events without dice. */
  luck(state: State, event: Event): readonly Luck[]
  /** The complete state in one line of ASCII: equal lines, equal states. */
  position(state: State): string

  /** What clients draw the game on, by id: loaded only when asked for, never changed once published. */
  readonly maps?: Readonly<Record<string, () => Promise<Json>>>
  readonly bots: Readonly<Record<string, Bot<View, Legal, Command>>>
  /** By the schema version they start from: an older event or command in the shape of the next version. */
  readonly upcasts: Readonly<Record<number, (fact: Typed) => Typed>>
}
