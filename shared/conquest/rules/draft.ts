/** The armies due at the start of a turn (R1, R9). */

import type { Seat } from '../../game-rules.ts'
import type { ConquestMap } from '../maps.ts'
import { type Table, territoriesHeld } from '../state.ts'

const LEAST_DRAFT = 3
const TERRITORIES_PER_ARMY = 3

/** The regions wholly held, by index (R1). */
export function regionsHeld(map: ConquestMap, table: Table, seat: Seat): readonly number[] {
  const held: number[] = []
  for (let region = 0; region < map.regions.length; region++)
    if (map.regionMembers[region]!.every((territory) => table.owners[territory] === seat)) held.push(region)
  return held
}

/** max(3, ⌊territories ÷ 3⌋) and the bonuses of regions wholly held (R9). */
export function armiesDue(map: ConquestMap, table: Table, seat: Seat): number {
  let due = Math.max(LEAST_DRAFT, Math.floor(territoriesHeld(table, seat) / TERRITORIES_PER_ARMY))
  for (const region of regionsHeld(map, table, seat)) due += map.regions[region]!.bonus
  return due
}
