/** Resigning, by order or by missing too often (R24). V7 will decide here what becomes of the seat. */

import type { Seat } from '../../game-rules.ts'
import { livingSeats, seatToAct } from '../state.ts'
import type { Telling } from '../telling.ts'
import { standsAlone, tellGameOver } from './ending.ts'
import { tellLeastOccupation } from './occupy.ts'
import { tellStepOver } from './setup.ts'
import { tellNextTurn } from './turn.ts'

/** The resigner's pending occupation is settled; his turn or step passes on; or the game ends, the winner's occupation settled. */
export function tellResignation(telling: Telling, seat: Seat, missed: boolean): void {
  const ownTurn = seatToAct(telling.state) === seat
  if (ownTurn) tellLeastOccupation(telling)
  const { phase } = telling.state.situation
  telling.tell({ type: 'commanderResigned', seat, missed })
  if (standsAlone(telling.state, livingSeats(telling.state)[0]!)) {
    if (!ownTurn) tellLeastOccupation(telling)
    tellGameOver(telling, 'resignation')
  } else if (ownTurn) {
    if (phase === 'claim' || phase === 'place') tellStepOver(telling, seat)
    else tellNextTurn(telling, seat)
  }
}
