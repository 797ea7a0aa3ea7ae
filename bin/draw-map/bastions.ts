/** Chooses the Bastions exactly: of all choices that M5 allows, the one that most shortest paths run through. */

import { betweenness, type Neighbours } from './graph.ts'

/** One Bastion a region, or as many as fit; null where M5 cannot be met. `passes` is their mean betweenness over the map's. */
export function chooseBastions(
  neighbours: Neighbours,
  regionOf: readonly number[],
  everyRegion: boolean,
): { bastions: number[]; passes: number } | null {
  const between = betweenness(neighbours)
  const mean = between.reduce((sum, n) => sum + n, 0) / between.length
  const regions = Math.max(...regionOf) + 1
  const candidates = Array.from({ length: regions }, (_, region) => {
    const border = [...regionOf.keys()].filter(
      (t) => regionOf[t] === region && neighbours[t]!.some((n) => regionOf[n] !== region),
    )
    if (!everyRegion) return border
    if (border.length < 2) return []
    return border.filter((t) => neighbours[t]!.length >= 3 && neighbours[t]!.length <= 6)
  })
  let best: number[] | null = null
  let highest = -1
  const choose = (region: number, chosen: readonly number[], sum: number) => {
    if (region === regions) {
      if (sum > highest) {
        highest = sum
        best = [...chosen]
      }
      return
    }
    if (!everyRegion) choose(region + 1, chosen, sum)
    for (const t of candidates[region]!) {
      if (chosen.every((c) => !neighbours[t]!.includes(c))) choose(region + 1, [...chosen, t], sum + between[t]!)
    }
  }
  choose(0, [], 0)
  return best && { bastions: best, passes: highest / regions / mean }
}
