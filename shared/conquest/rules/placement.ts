/** Placing armies: the draft, what forced trades paid, and the rounds of V2 (R11, R23, V2). */

import type { Seat } from '../../game-rules.ts'
import type { OrderOf, Placement } from '../commands.ts'
import type { ConquestMap } from '../maps.ts'
import type { Refusal } from '../refusals.ts'
import type { ConquestState } from '../state.ts'
import type { Telling } from '../telling.ts'
import { placementDue, tellStepOver } from './setup.ts'

/** How many armies one command may place, and must at least; null when none may be placed. */
export function placementRange(state: ConquestState): { readonly least: number; readonly most: number } | null {
  const { situation } = state
  switch (situation.phase) {
    case 'place': {
      const due = placementDue(state, situation.seat)
      return { least: due, most: due }
    }
    case 'draft':
    case 'deploy':
      return situation.pool > 0 ? { least: 1, most: situation.pool } : null
    case 'opening':
    case 'claim':
    case 'attack':
    case 'occupy':
    case 'trade':
    case 'over':
      return null
  }
}

/** Why the armies cannot be placed so, or null (R11, V2). */
export function refuseDeploy(
  map: ConquestMap,
  state: ConquestState,
  seat: Seat,
  { placements }: OrderOf<'deploy'>,
): Refusal | null {
  const { least, most } = placementRange(state) ?? { least: 0, most: 0 }
  const named = new Set<number>()
  let total = 0
  for (const { territory, armies } of placements) {
    const post = map.index.get(territory)
    if (post === undefined) return 'unknown-territory'
    if (state.owners[post] !== seat) return 'not-your-territory'
    if (named.has(post)) return 'territory-twice'
    total += armies
    if (total > most) return 'more-than-due'
    named.add(post)
  }
  if (placements.length === 0) return 'no-placements'
  return total < least ? 'less-than-due' : null
}

/** Armies are placed; in the setup the next step begins (V2). */
export function tellDeploy(telling: Telling, seat: Seat, placements: readonly Placement[]): void {
  telling.tell({ type: 'armiesDeployed', seat, placements: [...placements] })
  if (telling.state.situation.phase === 'place') tellStepOver(telling, seat)
}
