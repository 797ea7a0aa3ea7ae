/** What each phase allows, and the pending duties that come before everything else (R10, R11, R16, R23). */

import type { Order } from '../commands.ts'
import type { Refusal } from '../refusals.ts'
import type { ConquestState } from '../state.ts'
import { owesDraftTrade } from './cards.ts'

/** Whether a set must be traded now: in the draft with a full hand (R10), or after an elimination (R23). */
export function isTradeDue({ situation, hands }: ConquestState): boolean {
  if (situation.phase === 'draft') return owesDraftTrade(hands[situation.seat - 1]!.length)
  return situation.phase === 'trade'
}

/** Why an order of this type comes at the wrong time for the commander whose turn it is, or null. */
export function refuseByDuty(state: ConquestState, type: Exclude<Order['type'], 'resign'>): Refusal | null {
  const { situation } = state
  switch (situation.phase) {
    case 'opening':
    case 'over':
      return 'game-not-running'
    case 'claim':
      return type === 'claim' ? null : 'wrong-phase'
    case 'place':
      return type === 'deploy' ? null : 'wrong-phase'
    case 'draft':
      if (isTradeDue(state)) return type === 'trade' ? null : 'must-trade'
      if (type === 'deploy' || type === 'trade') return null
      if (situation.pool > 0) return 'must-place'
      return endsDraft(type) ? null : 'wrong-phase'
    case 'attack':
      return endsDraft(type) ? null : 'wrong-phase'
    case 'occupy':
      return type === 'occupy' ? null : 'must-occupy'
    case 'trade':
      return type === 'trade' ? null : 'must-trade'
    case 'deploy':
      return type === 'deploy' ? null : 'must-place'
  }
}

/** The draft lasts until the first of these (R11). */
function endsDraft(type: Order['type']): boolean {
  return type === 'attack' || type === 'assault' || type === 'fortify' || type === 'endTurn'
}
