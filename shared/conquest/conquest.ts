/** The rule book of Conquest, version 1, over any maps; `conquest` is the one played here. */

import * as z from 'zod'
import type { Awaited, GameRules, Json, Ranking } from '../game-rules.ts'
import { createBots } from './bots.ts'
import { type ConquestCommand, orderSchema, serverOrderSchema } from './commands.ts'
import { decide } from './decide.ts'
import { type ConquestEvent, eventSchema, HIDDEN_EVENTS } from './events.ts'
import { evolve, initial } from './evolve.ts'
import { allows, type ConquestLegal, legal } from './legal.ts'
import { luckOf } from './luck.ts'
import type { MapId } from './map.ts'
import { type ConquestMap, MAP_FILES, MAPS } from './maps.ts'
import { narrate } from './narrate.ts'
import { position } from './notation.ts'
import { type ConquestOddsQuery, odds, oddsQuerySchema } from './odds-query.ts'
import { type ConquestOptions, optionsSchema } from './options.ts'
import { REFUSALS, type Refusal } from './refusals.ts'
import { taskUnderWay } from './rules/expiry.ts'
import { tellSetup } from './rules/setup.ts'
import type { ConquestState } from './state.ts'
import { telling } from './telling.ts'
import { type ConquestView, deadline, redactCommand, redactEvent, view } from './view.ts'

export type ConquestRules = GameRules<
  ConquestOptions,
  ConquestState,
  ConquestCommand,
  ConquestEvent,
  ConquestView,
  ConquestLegal,
  Refusal,
  ConquestOddsQuery
>

/** R25 */
const NO_DEADLINE =
  'There is no deadline: a commander who stays away holds up the game, and only resigning frees the seat.'

/** The rule book over the maps by their ids; the first is the default. */
export function createConquest(maps: Readonly<Record<string, ConquestMap>>): ConquestRules {
  const mapOf = ({ map }: ConquestOptions): ConquestMap => maps[map]!
  const boardOf = ({ options }: ConquestState): ConquestMap => mapOf(options)
  return {
    kind: 'conquest',
    rulesVersion: 1,
    stateVersion: 1,
    schemaVersion: 1,
    schemas: {
      options: z.lazy(() => optionsSchema(Object.keys(maps))),
      command: orderSchema,
      serverCommand: serverOrderSchema,
      event: eventSchema,
      oddsQuery: oddsQuerySchema,
    },
    refusals: REFUSALS,

    remarks: ({ turnSeconds }) => (turnSeconds === null ? [NO_DEADLINE] : []),
    seats(options) {
      const served = Object.keys(mapOf(options).startingArmies).map(Number)
      return { least: Math.min(...served), most: Math.max(...served) }
    },
    initial: (options, seats) => initial(mapOf(options), options, seats),
    begin(state, chance) {
      const told = telling(boardOf(state), state, chance)
      tellSetup(told)
      return told.events
    },
    decide: (state, command, by, chance) => decide(boardOf(state), state, command, by, chance),
    evolve: (state, event, at) => evolve(boardOf(state), state, event, at),

    view: (state, viewer) => view(boardOf(state), state, viewer),
    hidden: { commands: [], events: HIDDEN_EVENTS },
    redactEvent,
    redactCommand,

    legal: (state, seat) => legal(boardOf(state), state, seat),
    allows,
    odds: (state, query) => odds(boardOf(state), state, query),

    waitingFor,
    isOver: ({ situation }) => (situation.phase === 'over' ? situation.ranking : null),
    expire: (task) => ({ type: 'expire', task }),
    // Resigning neither rolls nor chooses: whatever happened meanwhile, it means the same.
    mayRetry: (command) => command.type === 'resign',

    narrate: (event, options, name) => narrate(mapOf(options), event, name),
    record,
    luck: (_state, event) => luckOf(event),
    position: (state) => position(boardOf(state), state),

    bots: createBots(maps),
    upcasts: {},
  }
}

function waitingFor(state: ConquestState): readonly Awaited[] {
  const task = taskUnderWay(state)
  const { situation } = state
  if (task === null || !('since' in situation)) return []
  const { seat, since } = situation
  return [{ seat, task, since, until: deadline(state, since) }]
}

function record(state: ConquestState): ReturnType<ConquestRules['record']> {
  const { situation } = state
  const ranking: Ranking = situation.phase === 'over' ? situation.ranking : []
  const places = ranking.map((seats, i) => ({ seats, place: 1 + ranking.slice(0, i).flat().length }))
  return places.flatMap(({ seats, place }) =>
    seats.map((seat) => ({
      seat,
      start: state.order.indexOf(seat) + 1,
      place,
      counts: { conquests: state.conquests[seat - 1]!, eliminations: state.eliminations[seat - 1]! },
    })),
  )
}

/** A map with its picture, for pages; loaded when asked for. */
async function drawn(id: MapId): Promise<Json> {
  const { OUTLINES } = await import('./outlines.ts')
  return { map: MAP_FILES[id], outlines: OUTLINES[id] } as unknown as Json
}

export const conquest: ConquestRules = {
  ...createConquest(MAPS),
  maps: { world: () => drawn('world'), small: () => drawn('small') },
}
