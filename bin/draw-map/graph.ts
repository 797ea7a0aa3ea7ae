/** What is measured on the graph of a map: distances, bridges, articulation, parts, betweenness. */

export type Neighbours = readonly (readonly number[])[]

/** Neighbour lists of `count` nodes from pairs. */
export function neighboursFrom(count: number, pairs: readonly (readonly [number, number])[]): number[][] {
  const lists: number[][] = Array.from({ length: count }, () => [])
  for (const [a, b] of pairs) {
    lists[a]!.push(b)
    lists[b]!.push(a)
  }
  return lists
}

/** Steps from one node to all; Infinity where there is no way. */
export function stepsFrom(neighbours: Neighbours, start: number): number[] {
  const steps = neighbours.map(() => Infinity)
  steps[start] = 0
  const queue = [start]
  for (let at = 0; at < queue.length; at++) {
    for (const next of neighbours[queue[at]!]!) {
      if (steps[next] !== Infinity) continue
      steps[next] = steps[queue[at]!]! + 1
      queue.push(next)
    }
  }
  return steps
}

/** The greatest distance between two nodes. */
export function diameter(neighbours: Neighbours): number {
  return Math.max(...neighbours.flatMap((_, start) => stepsFrom(neighbours, start)))
}

/** How many connected parts there are. */
export function partCount(neighbours: Neighbours): number {
  const seen = new Set<number>()
  let parts = 0
  for (const start of neighbours.keys()) {
    if (seen.has(start)) continue
    parts++
    for (const [node, steps] of stepsFrom(neighbours, start).entries()) if (steps < Infinity) seen.add(node)
  }
  return parts
}

/** Bridges and articulation nodes, by Tarjan's low points. */
export function weakPoints(neighbours: Neighbours): { bridges: number; articulations: number } {
  const order = neighbours.map(() => 0)
  const low = neighbours.map(() => 0)
  const cuts = new Set<number>()
  let clock = 0
  let bridges = 0
  const visit = (node: number, parent: number) => {
    clock++
    order[node] = clock
    low[node] = clock
    let children = 0
    for (const next of neighbours[node]!) {
      if (next === parent) continue
      if (order[next]) {
        low[node] = Math.min(low[node]!, order[next]!)
        continue
      }
      children++
      visit(next, node)
      low[node] = Math.min(low[node]!, low[next]!)
      if (low[next]! > order[node]!) bridges++
      if (parent >= 0 && low[next]! >= order[node]!) cuts.add(node)
    }
    if (parent < 0 && children > 1) cuts.add(node)
  }
  for (const node of neighbours.keys()) if (!order[node]) visit(node, -1)
  return { bridges, articulations: cuts.size }
}

/** Betweenness over all shortest paths, ends excluded (Brandes). */
export function betweenness(neighbours: Neighbours): number[] {
  const total = neighbours.map(() => 0)
  for (const start of neighbours.keys()) {
    const steps = stepsFrom(neighbours, start)
    const outward = [...neighbours.keys()].filter((n) => steps[n]! < Infinity).sort((a, b) => steps[a]! - steps[b]!)
    const paths = neighbours.map(() => 0)
    const share = neighbours.map(() => 0)
    paths[start] = 1
    for (const node of outward) {
      for (const next of neighbours[node]!) if (steps[next] === steps[node]! + 1) paths[next]! += paths[node]!
    }
    for (const node of outward.reverse()) {
      for (const next of neighbours[node]!) {
        if (steps[next] === steps[node]! + 1) share[node]! += (paths[node]! / paths[next]!) * (1 + share[next]!)
      }
      if (node !== start) total[node]! += share[node]! / 2
    }
  }
  return total
}
