/** The policy that looks one order ahead: it strengthens its best attack, fights what it is likely to win, and guards its border. */

import type { Chance, Seat } from '../../game-rules.ts'
import type { ConquestCommand } from '../commands.ts'
import type { ConquestLegal, LegalAssault, LegalOrder } from '../legal.ts'
import type { ConquestMap } from '../maps.ts'
import { conquestProbability, MOST_ARMIES_FOR_ODDS } from '../odds.ts'
import { GARRISON } from '../state.ts'
import type { ConquestView } from '../view.ts'

/** Below this chance of conquest it leaves a neighbour alone. */
const LEAST_CHANCE = 0.55

/** The map as the seat sees it, by index. */
interface Sight {
  readonly map: ConquestMap
  readonly seat: Seat
  readonly owners: readonly (number | null)[]
  readonly armies: readonly number[]
  readonly bastions: boolean
  /** By region: how many of its territories the seat holds. */
  readonly share: readonly number[]
}

/** The order the policy gives. Draws only to choose among equals. */
export function chooseGreedily(
  map: ConquestMap,
  view: ConquestView,
  legal: ConquestLegal,
  seat: Seat,
  pick: Chance['pick'],
): ConquestCommand {
  const sight = look(map, view, seat)
  const trade = legal.find((order) => order.type === 'trade')
  if (trade !== undefined) return { type: 'trade', cards: bestSet(trade) }
  const claim = legal.find((order) => order.type === 'claim')
  if (claim !== undefined) return { type: 'claim', territory: bestClaim(sight, claim.territories, pick) }
  const deploy = legal.find((order) => order.type === 'deploy')
  if (deploy !== undefined) {
    const armies = deploy.total.most
    return { type: 'deploy', placements: [{ territory: bestStand(sight, deploy.territories, armies, pick), armies }] }
  }
  const occupy = legal.find((order) => order.type === 'occupy')
  if (occupy !== undefined) {
    const { armies, origin, target } = occupy
    return { type: 'occupy', armies: movesOn(sight, origin, target) ? armies.most : armies.least }
  }
  return bestAssault(sight, view, legal) ?? bestFortification(sight, legal) ?? { type: 'endTurn' }
}

function look(map: ConquestMap, view: ConquestView, seat: Seat): Sight {
  const standing = map.territories.map(({ id }) => view.territories[id]!)
  const owners = standing.map(({ owner }) => owner)
  const share = map.regionMembers.map((members) => members.filter((each) => owners[each] === seat).length)
  return { map, seat, owners, armies: standing.map(({ armies }) => armies), bastions: view.options.bastions, share }
}

/** The set that pays most, and of those the one with the fewest wild cards. */
function bestSet(trade: LegalOrder & { type: 'trade' }): [string, string, string] {
  const wilds = (cards: readonly string[]) => cards.filter((card) => card.startsWith('wild-')).length
  const [best] = trade.sets.toSorted((one, other) => other.armies - one.armies || wilds(one.cards) - wilds(other.cards))
  const [first, second, third] = best!.cards
  return [first!, second!, third!]
}

/** A free territory where the seat already has the largest part of a small region. */
function bestClaim(sight: Sight, free: readonly string[], pick: Chance['pick']): string {
  return best(free, pick, (id) => {
    const region = sight.map.regionOf[sight.map.index.get(id)!]!
    return (sight.share[region]! + 1) / sight.map.regionMembers[region]!.length
  })
}

/** The own territory from which the armies promise most: the best attack with them, else the most threatened. */
function bestStand(sight: Sight, own: readonly string[], more: number, pick: Chance['pick']): string {
  return best(own, pick, (id) => {
    const from = sight.map.index.get(id)!
    const promises = rivalsOf(sight, from).map(
      (target) => chanceOf(sight, sight.armies[from]! + more, target) * worth(sight, target),
    )
    return promises.length === 0 ? -1 : Math.max(...promises)
  })
}

function rivalsOf({ map, owners, seat }: Sight, territory: number): readonly number[] {
  return map.neighbours[territory]!.filter((each) => owners[each] !== seat && owners[each] !== null)
}

function chanceOf({ map, armies, bastions }: Sight, attackers: number, target: number): number {
  const defenders = armies[target]!
  if (attackers < 2) return 0
  if (defenders === 0 || Math.max(attackers, defenders) > MOST_ARMIES_FOR_ODDS) return attackers > defenders ? 1 : 0
  return conquestProbability(attackers, defenders, bastions && map.bastions[target]!)
}

/** What a conquest is worth: more if it completes a region, breaks a rival's, or takes a rival's last land. */
function worth({ map, owners, share }: Sight, target: number): number {
  const region = map.regionOf[target]!
  const members = map.regionMembers[region]!
  const rival = owners[target]!
  const { bonus } = map.regions[region]!
  const completes = share[region] === members.length - 1 ? bonus : 0
  const breaks = rival !== GARRISON && members.every((each) => owners[each] === rival) ? bonus : 0
  const last = rival !== GARRISON && owners.filter((owner) => owner === rival).length === 1 ? 4 : 0
  return 1 + share[region]! / members.length + completes + breaks + last
}

function bestAssault(sight: Sight, view: ConquestView, legal: ConquestLegal): ConquestCommand | null {
  let chosen: LegalAssault | null = null
  let most = 0
  for (const order of legal) {
    if (order.type !== 'assault') continue
    const target = sight.map.index.get(order.target)!
    const chance = chanceOf(sight, sight.armies[sight.map.index.get(order.origin)!]!, target)
    const promise = chance * worth(sight, target)
    if (chance >= (view.conquered ? LEAST_CHANCE : 0.45) && promise > most) {
      chosen = order
      most = promise
    }
  }
  if (chosen === null) return null
  const { origin, target } = chosen
  return { type: 'assault', origin, target, occupy: movesOn(sight, origin, target) ? 'most' : 'least' }
}

/** Whether the armies are of more use on the conquered territory than where they came from. */
function movesOn(sight: Sight, origin: string, target: string): boolean {
  const from = sight.map.index.get(origin)!
  const to = sight.map.index.get(target)!
  const threats = (territory: number) => rivalsOf(sight, territory).filter((each) => each !== to).length
  return threats(to) >= threats(from)
}

/** The largest army that stands where nothing threatens moves one step towards the nearest rival. */
function bestFortification(sight: Sight, legal: ConquestLegal): ConquestCommand | null {
  const distance = distancesToRivals(sight)
  let chosen: ConquestCommand | null = null
  let most = 0
  for (const order of legal) {
    if (order.type !== 'fortify') continue
    const { origin, destination, armies } = order
    const nearer = distance[sight.map.index.get(destination)!]! < distance[sight.map.index.get(origin)!]!
    if (nearer && armies.most > most) {
      chosen = { type: 'fortify', origin, destination, armies: armies.most }
      most = armies.most
    }
  }
  return chosen
}

/** By territory: steps over own land to one that borders a rival; 0 for those that do. */
function distancesToRivals(sight: Sight): readonly number[] {
  const { map, owners, seat } = sight
  const distance = owners.map(() => Number.POSITIVE_INFINITY)
  const queue = [...owners.keys()].filter((each) => owners[each] === seat && rivalsOf(sight, each).length > 0)
  for (const each of queue) distance[each] = 0
  for (const each of queue) {
    for (const next of map.neighbours[each]!) {
      if (owners[next] !== seat || distance[next] !== Number.POSITIVE_INFINITY) continue
      distance[next] = distance[each]! + 1
      queue.push(next)
    }
  }
  return distance
}

/** The choice of the highest score, drawn among equals. */
function best<T>(choices: readonly T[], pick: Chance['pick'], score: (choice: T) => number): T {
  let most = Number.NEGATIVE_INFINITY
  let equals: T[] = []
  for (const choice of choices) {
    const value = score(choice)
    if (value > most) {
      most = value
      equals = [choice]
    } else if (value === most) equals.push(choice)
  }
  return equals[pick(Math.min(equals.length, 256))]!
}
