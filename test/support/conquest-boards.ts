/** Small boards on which a rule of Conquest can be seen whole, and the rule book over them. */

import { createConquest } from '../../shared/conquest/conquest.ts'
import type { MapFile, UnitType } from '../../shared/conquest/map.ts'
import { chart, MAPS } from '../../shared/conquest/maps.ts'
import { parsePosition } from '../../shared/conquest/notation.ts'
import type { ConquestState } from '../../shared/conquest/state.ts'

interface Sketch {
  readonly id: string
  readonly startingArmies: Readonly<Record<string, number>>
  /** `name:bonus`, then its territories, a Bastion with a star. */
  readonly regions: Readonly<Record<string, string>>
  readonly borders: string
  readonly seaRoutes?: string
}

const UNIT_TYPES: readonly UnitType[] = ['infantry', 'cavalry', 'artillery']

const pairs = (words: string) => words.split(' ').map((pair) => pair.split('-') as [string, string])

function sketch({ id, startingArmies, regions, borders, seaRoutes }: Sketch) {
  const territories = Object.entries(regions).flatMap(([region, words]) =>
    words.split(' ').map((word) => ({ region: region.split(':')[0]!, id: word[0]!, bastion: word.endsWith('*') })),
  )
  const file = {
    id,
    version: 1,
    name: id,
    startingArmies,
    regions: Object.keys(regions).map((word) => {
      const [region = '', bonus] = word.split(':')
      return { id: region, name: region, bonus: Number(bonus) }
    }),
    territories: territories.map((each, i) => ({ ...each, name: each.id.toUpperCase(), unitType: UNIT_TYPES[i % 3]! })),
    landBorders: pairs(borders),
    seaRoutes: seaRoutes === undefined ? [] : pairs(seaRoutes),
  }
  return chart(file as unknown as MapFile)
}

/** Three territories, each beside both others; cards a infantry, b cavalry, c artillery. */
const ring3 = sketch({
  id: 'ring3',
  startingArmies: { 2: 3, 3: 2 },
  regions: { 'ring:2': 'a b c' },
  borders: 'a-b b-c a-c',
})

/** The same with a Bastion on b. */
const fort3 = sketch({
  id: 'fort3',
  startingArmies: { 2: 3, 3: 2 },
  regions: { 'ring:2': 'a b* c' },
  borders: 'a-b b-c a-c',
})

/** A ring of three, then d (a Bastion), e, f, g around back to a; a, d and g infantry, b and e cavalry, c and f artillery. */
const isles = sketch({
  id: 'isles',
  startingArmies: { 2: 10, 3: 8, 4: 6, 5: 5, 6: 4 },
  regions: { 'north:3': 'a b c', 'south:1': 'd* e', 'west:2': 'f g' },
  borders: 'a-b b-c a-c c-d d-e f-g',
  seaRoutes: 'e-f a-g',
})

export const TEST_MAPS = { ...MAPS, ring3, fort3, isles }

export const rules = createConquest(TEST_MAPS)

/** The state a position stands for. */
export function board(line: string): ConquestState {
  return parsePosition(TEST_MAPS, line)
}
