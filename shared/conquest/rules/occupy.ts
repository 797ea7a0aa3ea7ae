/** Moving into a territory just conquered (R16). */

import type { OrderOf, Wish } from '../commands.ts'
import type { Refusal } from '../refusals.ts'
import type { ConquestState } from '../state.ts'
import type { Telling } from '../telling.ts'

export interface Occupation {
  readonly seat: number
  readonly origin: number
  readonly target: number
  readonly least: number
  readonly most: number
}

/** The occupation that is pending, or null: at least as many as dice of the winning roll, and one stays (R16). */
export function pendingOccupation({ situation, armies }: ConquestState): Occupation | null {
  if (situation.phase !== 'occupy') return null
  const { seat, origin, target, dice } = situation
  return { seat, origin, target, least: dice, most: armies[origin]! - 1 }
}

/** Why so many cannot move in, or null. */
export function refuseOccupy(state: ConquestState, { armies }: OrderOf<'occupy'>): Refusal | null {
  const { least, most } = pendingOccupation(state)!
  return armies < least || armies > most ? 'armies-out-of-range' : null
}

/** So many move in. */
export function tellOccupy(telling: Telling, armies: number): void {
  const { seat, origin, target } = pendingOccupation(telling.state)!
  telling.tell({
    type: 'territoryOccupied',
    seat,
    origin: telling.map.territories[origin]!.id,
    territory: telling.map.territories[target]!.id,
    armies,
  })
}

/** The least moves in, where an occupation is pending (R22, R24, R25). */
export function tellLeastOccupation(telling: Telling): void {
  const pending = pendingOccupation(telling.state)
  if (pending !== null) tellOccupy(telling, pending.least)
}

/** Where one number alone is legal it moves; else a legal wish does; else the occupation stays pending (R16). */
export function tellWishedOccupation(telling: Telling, wish: Wish | undefined): void {
  const { least, most } = pendingOccupation(telling.state)!
  if (least === most || wish === 'least') tellOccupy(telling, least)
  else if (wish === 'most') tellOccupy(telling, most)
  else if (wish !== undefined && wish >= least && wish <= most) tellOccupy(telling, wish)
}
