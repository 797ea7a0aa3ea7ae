/** Graph measures for tests, each by its definition rather than by the clever way the drawing uses. */

export type Neighbours = readonly (readonly number[])[]
export type Pair = readonly [number, number]

/** Neighbour lists of `count` nodes from pairs. */
export function graphOf(count: number, pairs: readonly Pair[]): number[][] {
  const lists: number[][] = Array.from({ length: count }, () => [])
  for (const [a, b] of pairs) {
    lists[a]!.push(b)
    lists[b]!.push(a)
  }
  return lists
}

/** All distances, by breadth-first search from every node. */
export function distances(graph: Neighbours): number[][] {
  return graph.map((_, start) => {
    const steps = graph.map(() => Infinity)
    steps[start] = 0
    const queue = [start]
    for (const at of queue) {
      for (const next of graph[at]!) {
        if (steps[next]! < Infinity) continue
        steps[next] = steps[at]! + 1
        queue.push(next)
      }
    }
    return steps
  })
}

/** The greatest distance. */
export function diameterOf(graph: Neighbours): number {
  return Math.max(...distances(graph).flat())
}

/** The connected parts among `nodes`, ways through other nodes not counted. */
export function partsAmong(graph: Neighbours, nodes: readonly number[]): number {
  const left = new Set(nodes)
  let parts = 0
  for (const start of nodes) {
    if (!left.delete(start)) continue
    parts++
    const queue = [start]
    for (const at of queue) for (const next of graph[at]!) if (left.delete(next)) queue.push(next)
  }
  return parts
}

const all = (graph: Neighbours) => [...graph.keys()]

/** Pairs without which the graph has more parts. */
export function bridgesOf(count: number, pairs: readonly Pair[]): Pair[] {
  const whole = graphOf(count, pairs)
  const parts = partsAmong(whole, all(whole))
  return pairs.filter((pair) => {
    const without = graphOf(
      count,
      pairs.filter((other) => other !== pair),
    )
    return partsAmong(without, all(without)) > parts
  })
}

/** Nodes without which the others fall into more parts. */
export function articulationsOf(graph: Neighbours): number[] {
  const parts = partsAmong(graph, all(graph))
  return all(graph).filter(
    (node) =>
      partsAmong(
        graph,
        all(graph).filter((other) => other !== node),
      ) > parts,
  )
}

/** Betweenness over all shortest paths, ends excluded: for each pair the share of its shortest paths through a node. */
export function betweennessOf(graph: Neighbours): number[] {
  const steps = distances(graph)
  const paths = graph.map((_, start) => {
    const count = graph.map(() => 0)
    count[start] = 1
    const outward = all(graph).sort((a, b) => steps[start]![a]! - steps[start]![b]!)
    for (const node of outward) {
      for (const next of graph[node]!)
        if (steps[start]![next] === steps[start]![node]! + 1) count[next]! += count[node]!
    }
    return count
  })
  return graph.map((_, node) => {
    let sum = 0
    for (const s of graph.keys()) {
      for (let t = s + 1; t < graph.length; t++) {
        if (s === node || t === node || steps[s]![node]! + steps[node]![t]! !== steps[s]![t]) continue
        sum += (paths[s]![node]! * paths[node]![t]!) / paths[s]![t]!
      }
    }
    return sum
  })
}
