/** The policy that gives any legal order but resigning: the kind drawn first, then what it needs. */

import type { Chance } from '../../game-rules.ts'
import type { ConquestCommand, Placement } from '../commands.ts'
import type { ConquestLegal, LegalOrder, Range } from '../legal.ts'

/** One of the legal orders. The list holds one besides resigning whenever the seat is awaited. */
export function chooseAtRandom(legal: ConquestLegal, pick: Chance['pick']): ConquestCommand {
  const kinds = [...new Set(legal.map(({ type }) => type))].filter((type) => type !== 'resign')
  const kind = oneOf(kinds, pick)
  return fill(
    oneOf(
      legal.filter(({ type }) => type === kind),
      pick,
    ),
    pick,
  )
}

function fill(order: LegalOrder, pick: Chance['pick']): ConquestCommand {
  switch (order.type) {
    case 'claim':
      return { type: 'claim', territory: oneOf(order.territories, pick) }
    case 'deploy':
      return { type: 'deploy', placements: scatter(order, pick) }
    case 'trade': {
      const [first, second, third] = oneOf(order.sets, pick).cards
      return { type: 'trade', cards: [first!, second!, third!] }
    }
    case 'attack': {
      const dice = within(order.dice, pick)
      return { type: 'attack', origin: order.origin, target: order.target, dice }
    }
    case 'assault': {
      const stopAt = within(order.stopAt, pick)
      return { type: 'assault', origin: order.origin, target: order.target, stopAt }
    }
    case 'occupy':
      return { type: 'occupy', armies: within(order.armies, pick) }
    case 'fortify':
      return {
        type: 'fortify',
        origin: order.origin,
        destination: order.destination,
        armies: within(order.armies, pick),
      }
    case 'endTurn':
      return { type: 'endTurn' }
    case 'resign':
      return { type: 'resign' }
  }
}

/** The least that must be placed, or more, over up to three territories. */
function scatter(order: LegalOrder & { type: 'deploy' }, pick: Chance['pick']): Placement[] {
  let left = within(order.total, pick)
  const open = [...order.territories]
  const placements: Placement[] = []
  while (left > 0) {
    const [territory] = open.splice(pick(Math.min(open.length, 256)), 1)
    const last = placements.length === 2 || open.length === 0
    const armies = last ? left : within({ least: 1, most: left }, pick)
    placements.push({ territory: territory!, armies })
    left -= armies
  }
  return placements
}

function within({ least, most }: Range, pick: Chance['pick']): number {
  return least + pick(Math.min(most - least + 1, 256))
}

/** A uniform choice from up to 256. */
export function oneOf<T>(choices: readonly T[], pick: Chance['pick']): T {
  return choices[pick(Math.min(choices.length, 256))]!
}
