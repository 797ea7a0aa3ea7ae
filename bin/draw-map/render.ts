/** The picture of a map as SVG text, from its two files alone. */

import type { MapFile, OutlinesFile } from '../../shared/conquest/map.ts'

const INK = '#22323f'
const WATER_COLOUR = '#c9dde9'
const DEPTHS = [
  [46, '#c1d8e6'],
  [30, '#b5d0e1'],
  [15, '#a6c5d9'],
] as const

/** Draws a map; `armies` and owners belong to the page, the picture shows the bare board. */
export function renderMap(map: MapFile, outlines: OutlinesFile): string {
  const { width, height } = outlines
  const regionOf = new Map(map.territories.map((territory) => [territory.id, territory.region]))
  const nameOf = new Map(map.territories.map((territory) => [territory.id, territory.name]))
  const shape = (rings: readonly (readonly number[])[]) => rings.map((ring) => ringPath(outlines, ring)).join('')
  const everything = outlines.territories.map(({ rings }) => shape(rings)).join('')
  const arcs = outlines.arcs.map((arc) => ({ arc, beside: [] as string[] }))
  for (const { id, rings } of outlines.territories) {
    for (const signed of rings.flat()) arcs[signed < 0 ? ~signed : signed]!.beside.push(id)
  }
  const linesWhere = (wanted: (beside: readonly string[]) => boolean) =>
    arcs
      .filter(({ beside }) => wanted(beside))
      .map(({ arc }) => `M${pairs(arc).join('L')}`)
      .join('')
  const within = linesWhere(([a, b]) => b !== undefined && regionOf.get(a!) === regionOf.get(b))
  const between = linesWhere(([a, b]) => b !== undefined && regionOf.get(a!) !== regionOf.get(b))
  const coast = linesWhere(([, b]) => b === undefined)
  const parts: string[] = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="'DejaVu Sans', Verdana, sans-serif" text-anchor="middle" stroke-linejoin="round" stroke-linecap="round">`,
    `<title>${map.name}</title>`,
    `<rect width="${width}" height="${height}" fill="${WATER_COLOUR}"/>`,
    ...DEPTHS.map(
      ([reach, fill]) => `<path d="${everything}" fill="${fill}" stroke="${fill}" stroke-width="${reach * 2}"/>`,
    ),
  ]
  for (const { curves } of outlines.seaRoutes) {
    for (const { points } of curves) {
      const d = `M${pairs(points).join('L')}`
      parts.push(`<path d="${d}" fill="none" stroke="#f4f9fc" stroke-width="5" opacity=".65"/>`)
      parts.push(
        `<path d="${d}" fill="none" stroke="#274a63" stroke-width="2.4" stroke-dasharray="9 7" stroke-linecap="butt"/>`,
      )
    }
  }
  for (const region of outlines.regions) {
    const own = outlines.territories.filter(({ id }) => regionOf.get(id) === region.id)
    const d = own.map(({ rings }) => shape(rings)).join('')
    const [fill, rim] = [region.colour, shade(region.colour, 0.76)]
    parts.push(`<clipPath id="in-${region.id}"><path d="${d}"/></clipPath>`)
    parts.push(`<path d="${d}" fill="${fill}" fill-rule="evenodd"/>`)
    for (const [i, { rings }] of own.entries()) {
      const tint = [0, 0.05, 0.1, 0.025, 0.075][i % 5]!
      parts.push(`<path d="${shape(rings)}" fill="${shade(fill, 1 - tint)}" fill-rule="evenodd"/>`)
    }
    const edge = edgeOf(outlines, new Set(own.map(({ id }) => id)))
    parts.push(`<path d="${edge}" fill="none" stroke="${rim}" stroke-width="15" clip-path="url(#in-${region.id})"/>`)
  }
  parts.push(`<path d="${within}" fill="none" stroke="#fff" stroke-width="2.6" opacity=".92"/>`)
  parts.push(`<path d="${between}" fill="none" stroke="${INK}" stroke-width="4.2"/>`)
  parts.push(`<path d="${coast}" fill="none" stroke="${INK}" stroke-width="1.8"/>`)
  for (const { curves } of outlines.seaRoutes) {
    for (const { points, names } of curves) {
      const ends = names === undefined ? [points.slice(0, 2), points.slice(-2)] : [points.slice(0, 2)]
      for (const [x, y] of ends) parts.push(`<circle cx="${x}" cy="${y}" r="4" fill="#274a63"/>`)
      if (names === undefined) continue
      const west = points.at(-2)! < width / 2
      const text = west ? `← ${nameOf.get(names)}` : `${nameOf.get(names)} →`
      const anchor = west ? 'start' : 'end'
      const x = west ? 5 : width - 5
      const top = Math.min(...points.filter((_, i) => i % 2 === 1 && Math.abs(points[i - 1]! - x) < 90))
      parts.push(
        `<text x="${x}" y="${top - 8}" font-size="12" font-style="italic" text-anchor="${anchor}" fill="#1d3a50">${text}</text>`,
      )
    }
  }
  const bastions = new Set(map.territories.filter(({ bastion }) => bastion).map(({ id }) => id))
  for (const { id, anchor, label } of outlines.territories) {
    const [x, y] = anchor
    if (bastions.has(id)) parts.push(`<path d="${fort(x, y)}" fill="#fbf5e3" stroke="${INK}" stroke-width="2"/>`)
    parts.push(`<circle cx="${x}" cy="${y}" r="13" fill="#fff" stroke="${INK}" stroke-width="2"/>`)
    parts.push(
      `<text x="${label[0]}" y="${label[1]}" font-size="12" font-weight="600" fill="#131c24" stroke="#fff" stroke-opacity=".6" stroke-width="2.6" paint-order="stroke">${nameOf.get(id)}</text>`,
    )
  }
  for (const { id, colour, label } of outlines.regions) {
    const { name, bonus } = map.regions.find((region) => region.id === id)!
    const half = (name.length * 13 + 2) / 2
    const ink = shade(colour, 0.42)
    parts.push(
      `<text x="${label[0] - 20}" y="${label[1] + 6}" font-size="16" font-weight="700" letter-spacing="1.6" fill="${ink}">${name.toUpperCase()}</text>`,
      `<rect x="${label[0] + half - 6}" y="${label[1] - 11}" width="32" height="22" rx="6" fill="${colour}" stroke="${INK}" stroke-width="1.6"/>`,
      `<text x="${label[0] + half + 10}" y="${label[1] + 5}" font-size="14" font-weight="700" fill="${INK}">+${bonus}</text>`,
    )
  }
  parts.push('</svg>')
  return `${parts.join('\n')}\n`
}

function pairs(flat: readonly number[]): string[] {
  return Array.from({ length: flat.length / 2 }, (_, i) => `${flat[i * 2]} ${flat[i * 2 + 1]}`)
}

function ringPath(outlines: OutlinesFile, ring: readonly number[]): string {
  const points = ring.flatMap((signed) => {
    const line = pairs(outlines.arcs[signed < 0 ? ~signed : signed]!)
    return (signed < 0 ? line.reverse() : line).slice(0, -1)
  })
  return `M${points.join('L')}Z`
}

/** The arcs that one side only of which belongs to the territories. */
function edgeOf(outlines: OutlinesFile, ids: ReadonlySet<string>): string {
  const met = new Map<number, number>()
  for (const { id, rings } of outlines.territories) {
    if (!ids.has(id)) continue
    for (const signed of rings.flat()) {
      const arc = signed < 0 ? ~signed : signed
      met.set(arc, (met.get(arc) ?? 0) + 1)
    }
  }
  return [...met].flatMap(([arc, times]) => (times === 1 ? [`M${pairs(outlines.arcs[arc]!).join('L')}`] : [])).join('')
}

function fort(x: number, y: number): string {
  const [l, t, b] = [x - 20, y - 27, y + 18]
  return `M${l} ${b}V${t}h9v6h6.5v-6h9v6h6.5v-6h9V${b}Z`
}

function shade(hex: string, by: number): string {
  const channels = [1, 3, 5].map((at) => Math.round(Number.parseInt(hex.slice(at, at + 2), 16) * by))
  return `#${channels.map((c) => c.toString(16).padStart(2, '0')).join('')}`
}
