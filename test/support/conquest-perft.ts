/** Counts lines of play: every legal order times every way the dice and cards may fall, to a depth. */

import type { Order, Placement } from '../../shared/conquest/commands.ts'
import type { LegalOrder, Range } from '../../shared/conquest/legal.ts'
import { type ConquestState, seatToAct } from '../../shared/conquest/state.ts'
import { rules } from './conquest-boards.ts'

const numbers = ({ least, most }: Range) => Array.from({ length: most - least + 1 }, (_, i) => least + i)

/** Every order within a legal one, wishes and assaults left out: they add no line that single orders do not make. */
function ordersWithin(legal: LegalOrder): readonly Order[] {
  switch (legal.type) {
    case 'claim':
      return legal.territories.map((territory) => ({ type: 'claim', territory }))
    case 'deploy':
      return splits(legal.territories, legal.total.most)
        .filter((placements) => placements.reduce((sum, { armies }) => sum + armies, 0) >= legal.total.least)
        .map((placements) => ({ type: 'deploy', placements }))
    case 'trade':
      return legal.sets.map(({ cards: [a, b, c] }) => ({ type: 'trade', cards: [a!, b!, c!] }))
    case 'attack':
      return numbers(legal.dice).map((dice) => ({ type: 'attack', origin: legal.origin, target: legal.target, dice }))
    case 'assault':
      return []
    case 'occupy':
      return numbers(legal.armies).map((armies) => ({ type: 'occupy', armies }))
    case 'fortify': {
      const { origin, destination } = legal
      return numbers(legal.armies).map((armies) => ({ type: 'fortify', origin, destination, armies }))
    }
    case 'endTurn':
    case 'resign':
      return [{ type: legal.type }]
  }
}

/** Every way to put at most so many armies on these territories. */
function splits(territories: readonly string[], most: number): Placement[][] {
  const [territory, ...others] = territories
  if (territory === undefined) return [[]]
  return numbers({ least: 0, most }).flatMap((armies) =>
    splits(others, most - armies).map((rest) => (armies === 0 ? rest : [{ territory, armies }, ...rest])),
  )
}

/** The states after an order, one for each way chance may fall. */
function outcomes(state: ConquestState, order: Order, seat: number): readonly ConquestState[] {
  const states: ConquestState[] = []
  // Like an odometer: each run says what it was asked, and the last pick that can go up does.
  let picks: { value: number; of: number }[] = []
  for (;;) {
    let asked = 0
    const decision = rules.decide(state, order, seat, {
      pick(k) {
        picks[asked] ??= { value: 0, of: k }
        return picks[asked++]!.value
      },
    })
    if ('refusal' in decision) throw new Error(`${JSON.stringify(order)}: ${decision.refusal}`)
    states.push(decision.events.reduce((before, event) => rules.evolve(before, event, 0), state))
    while (picks.length > 0 && picks.at(-1)!.value === picks.at(-1)!.of - 1) picks.pop()
    if (picks.length === 0) return states
    picks = picks.with(-1, { ...picks.at(-1)!, value: picks.at(-1)!.value + 1 })
  }
}

/** How many lines of `depth` orders there are, of the commander awaited each time. */
export function countLines(state: ConquestState, depth: number, known = new Map<string, number>()): number {
  if (depth === 0) return 1
  const seat = seatToAct(state)
  if (seat === null) return 0
  const key = `${depth} ${rules.position(state)}`
  const counted = known.get(key)
  if (counted !== undefined) return counted
  let lines = 0
  for (const order of rules.legal(state, seat).flatMap(ordersWithin))
    for (const after of outcomes(state, order, seat)) lines += countLines(after, depth - 1, known)
  known.set(key, lines)
  return lines
}
