/** How a game ends, and the ranking (R26, R27). */

import type { Ranking, Seat } from '../../game-rules.ts'
import type { Ending } from '../events.ts'
import { armiesHeld, isLiving, livingSeats, type Table, territoriesHeld } from '../state.ts'
import type { Telling } from '../telling.ts'

/** Whether every rival has fallen. Who holds all territories stands alone too, for a rival falls with the last of his (R26). */
export function standsAlone(table: Table, seat: Seat): boolean {
  return table.fallen.length === table.seats - 1 && isLiving(table, seat)
}

/** Those who live by what each holds, territories and then armies, equals sharing a place; then the fallen, the last first (R27). */
export function ranking(table: Table): Ranking {
  const holdings = livingSeats(table).map((seat) => ({
    seat,
    territories: territoriesHeld(table, seat),
    armies: armiesHeld(table, seat),
  }))
  holdings.sort((a, b) => b.territories - a.territories || b.armies - a.armies || a.seat - b.seat)
  const places: Seat[][] = []
  for (const [i, { seat, territories, armies }] of holdings.entries()) {
    const before = holdings[i - 1]
    if (before?.territories === territories && before.armies === armies) places.at(-1)!.push(seat)
    else places.push([seat])
  }
  for (const { seat } of table.fallen.toReversed()) places.push([seat])
  return places
}

export function tellGameOver(telling: Telling, ending: Ending): void {
  telling.tell({ type: 'gameOver', ranking: ranking(telling.state).map((place) => [...place]), ending })
}

/** The last round that the options allow is over. */
export function tellRoundLimit(telling: Telling): void {
  tellGameOver(telling, 'round-limit')
}
