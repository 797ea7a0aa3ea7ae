/** One move between two adjacent own territories; it ends the turn (R18). */

import type { Seat } from '../../game-rules.ts'
import type { OrderOf } from '../commands.ts'
import type { ConquestMap } from '../maps.ts'
import type { Refusal } from '../refusals.ts'
import type { ConquestState } from '../state.ts'
import type { Telling } from '../telling.ts'
import { LEAST_ON_ORIGIN } from './attack.ts'
import { tellTurnEnded } from './turn.ts'

/** Why the armies cannot move so, or null. */
export function refuseFortify(
  map: ConquestMap,
  state: ConquestState,
  seat: Seat,
  order: OrderOf<'fortify'>,
): Refusal | null {
  const origin = map.index.get(order.origin)
  if (origin === undefined) return 'unknown-territory'
  if (state.owners[origin] !== seat) return 'not-your-territory'
  if (state.armies[origin]! < LEAST_ON_ORIGIN) return 'too-few-armies'
  const destination = map.index.get(order.destination)
  if (destination === undefined) return 'unknown-territory'
  if (state.owners[destination] !== seat) return 'not-your-territory'
  if (!map.neighbours[origin]!.includes(destination)) return 'not-adjacent'
  return order.armies > state.armies[origin]! - 1 ? 'armies-out-of-range' : null
}

/** The armies move and the turn ends. */
export function tellFortify(telling: Telling, seat: Seat, order: OrderOf<'fortify'>): void {
  const { origin, destination, armies } = order
  telling.tell({ type: 'armiesFortified', seat, origin, destination, armies })
  tellTurnEnded(telling, seat)
}
