/** What follows when a territory falls, in the order of R22. */

import type { Seat } from '../../game-rules.ts'
import type { Wish } from '../commands.ts'
import { GARRISON, territoriesHeld } from '../state.ts'
import type { Telling } from '../telling.ts'
import { cardId } from './cards.ts'
import { standsAlone, tellGameOver } from './ending.ts'
import { tellLeastOccupation, tellWishedOccupation } from './occupy.ts'

/** Conquest, elimination if it was the rival's last, the hand taken, occupation; or the end (R22, R26). */
export function tellConquest(
  telling: Telling,
  seat: Seat,
  origin: number,
  target: number,
  dice: number,
  wish: Wish | undefined,
): void {
  const { map } = telling
  const rival = telling.state.owners[target]!
  telling.tell({
    type: 'territoryConquered',
    seat,
    origin: map.territories[origin]!.id,
    territory: map.territories[target]!.id,
    rival,
    dice,
  })
  // The garrison's last territory is no elimination (R8, R24).
  if (rival !== GARRISON && territoriesHeld(telling.state, rival) === 0) tellElimination(telling, rival, seat)
  if (standsAlone(telling.state, seat)) {
    tellLeastOccupation(telling)
    tellGameOver(telling, 'conquest')
  } else tellWishedOccupation(telling, wish)
}

function tellElimination(telling: Telling, seat: Seat, by: Seat): void {
  const { map } = telling
  telling.tell({ type: 'commanderEliminated', seat, by })
  const cards = telling.state.hands[seat - 1]!.map((card) => cardId(map, Number(card)))
  telling.tell({ type: 'handTaken', seat: by, rival: seat, cards, count: cards.length })
}
