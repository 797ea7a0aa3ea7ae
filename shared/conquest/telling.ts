/** A decision as it is told: each event is folded at once, so that the next judgement stands on what has happened. */

import type { Chance } from '../game-rules.ts'
import type { ConquestEvent } from './events.ts'
import { evolve } from './evolve.ts'
import type { ConquestMap } from './maps.ts'
import type { ConquestState } from './state.ts'

export interface Telling {
  readonly map: ConquestMap
  /** After everything told so far. */
  readonly state: ConquestState
  readonly events: readonly ConquestEvent[]
  pick(k: number): number
  tell(event: ConquestEvent): void
}

/** Begins to tell from a state. Nothing a decision asks depends on time, so the fold here has none. */
export function telling(map: ConquestMap, from: ConquestState, chance: Chance): Telling {
  const events: ConquestEvent[] = []
  let state = from
  return {
    map,
    get state() {
      return state
    },
    events,
    pick: (k) => chance.pick(k),
    tell(event) {
      events.push(event)
      state = evolve(map, state, event, 0)
    },
  }
}

/** A die: 1 + a pick among six. */
export function rollDice({ pick }: Pick<Telling, 'pick'>, count: number): number[] {
  const dice: number[] = []
  for (let die = 0; die < count; die++) dice.push(1 + pick(6))
  return dice
}
