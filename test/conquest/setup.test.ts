import { describe, expect, test } from 'vitest'
import type { ConquestEvent } from '../../shared/conquest/events.ts'
import type { ConquestState } from '../../shared/conquest/state.ts'
import { board, rules } from '../support/conquest-boards.ts'
import { claim, deploy, dice, endTurn, given, scripted } from '../support/conquest-given.ts'

/** Opens a game and begins it with these picks, all of them. */
function begin(options: Record<string, unknown>, seats: number, picks: readonly number[]) {
  const start = rules.initial(rules.schemas.options.parse(options), seats)
  const chance = scripted(picks)
  const events = rules.begin(start, chance)
  expect(chance.left).toBe(0)
  const state = events.reduce((before: ConquestState, event) => rules.evolve(before, event, 0), start)
  return { events, state }
}

const told = <T extends ConquestEvent['type']>(events: readonly ConquestEvent[], type: T) =>
  events.find((event): event is Extract<ConquestEvent, { type: T }> => event.type === type)

describe('R6 the first place', () => {
  test('highest goes first, then clockwise, wrapping', () => {
    const { state } = begin({ map: 'isles', setup: 'claim' }, 4, dice(2, 1, 6, 5))
    expect(state.order).toEqual([3, 4, 1, 2])
  })
  test('only those tied for highest roll again, until one is highest; every roll is in the log', () => {
    const { events, state } = begin({ map: 'isles', setup: 'claim' }, 4, dice(5, 1, 5, 5, 2, 4, 4, 3, 3, 1, 2))
    expect(told(events, 'turnOrderRolled')!.rolls).toEqual([
      [
        { seat: 1, die: 5 },
        { seat: 2, die: 1 },
        { seat: 3, die: 5 },
        { seat: 4, die: 5 },
      ],
      [
        { seat: 1, die: 2 },
        { seat: 3, die: 4 },
        { seat: 4, die: 4 },
      ],
      [
        { seat: 3, die: 3 },
        { seat: 4, die: 3 },
      ],
      [
        { seat: 3, die: 1 },
        { seat: 4, die: 2 },
      ],
    ])
    expect(state.order).toEqual([4, 1, 2, 3])
  })
})

describe('R7 starting armies', () => {
  const world = (seats: number) =>
    begin({ setup: 'claim', handicap: 'none' }, seats, [
      ...dice(6, ...Array.from({ length: seats - 1 }, () => 1)),
      ...(seats === 2 ? Array.from({ length: 12 }, () => 0) : []),
    ])
  test.each([
    [2, 40],
    [3, 35],
    [4, 30],
    [5, 25],
    [6, 20],
  ])('%i commanders have %i each', (seats, armies) => {
    expect(told(world(seats).events, 'boardLaid')!.armies).toBe(armies)
    expect(world(seats).state.situation).toMatchObject({ reserves: Array.from({ length: seats }, () => armies) })
  })
  test('a map says for how many commanders it serves', () => {
    expect(rules.seats(rules.schemas.options.parse({ map: 'ring3' }))).toEqual({ least: 2, most: 3 })
    expect(rules.seats(rules.schemas.options.parse({}))).toEqual({ least: 2, most: 6 })
    expect(() => begin({ map: 'ring3' }, 4, [])).toThrow('does not serve')
  })
})

describe('V1 deal', () => {
  test('evenly, by place, from the territories left in map order; the odd ones to the last places; then army by army', () => {
    // Seat 2 is first. Seven territories, two each, the odd one to the last place, seat 1. Eight armies each.
    const { events, state } = begin({ map: 'isles' }, 3, [
      ...dice(1, 3, 2),
      ...[6, 0, 0, 0, 0, 0, 0],
      ...[0, 0, 0, 0, 0, 1],
      ...[1, 1, 1, 1, 1, 1],
      ...[2, 2, 2, 2, 1],
    ])
    expect(told(events, 'territoriesDealt')!.hands).toEqual([
      { seat: 2, territories: ['c', 'g'] },
      { seat: 3, territories: ['a', 'd'] },
      { seat: 1, territories: ['b', 'e', 'f'] },
    ])
    expect(rules.position(state)).toBe(
      'isles blue/green/red blue draft+3 a:green:1 b:red:1 c:blue:6 d:green:7 e:red:2 f:red:5 g:blue:2',
    )
    expect(events.map(({ type }) => type)).toEqual([
      'boardLaid',
      'turnOrderRolled',
      'territoriesDealt',
      'armiesDealt',
      'turnBegan',
    ])
  })
  test('two odd territories go to the last two places', () => {
    const { events } = begin({ map: 'isles' }, 5, [
      ...dice(6, 1, 1, 1, 1),
      ...[0, 0, 0, 0, 0, 0, 0],
      ...Array(18).fill(0),
    ])
    expect(told(events, 'territoriesDealt')!.hands.map(({ territories }) => territories.length)).toEqual([
      1, 1, 1, 2, 2,
    ])
  })
  test('a region dealt whole pays from the first turn; never dealt again', () => {
    const { events } = begin({ map: 'isles' }, 3, [...dice(6, 1, 1), 3, 0, 3, 2, 0, 0, 0, ...Array(17).fill(0)])
    expect(told(events, 'turnBegan')).toMatchObject({ seat: 1, regions: ['south'], armies: 3 + 1 })
  })
})

describe('R8 two commanders', () => {
  test('14 each of 40, the garrison 12 with two armies each, drawn before the deal', () => {
    const { events, state } = begin({}, 2, [
      ...dice(6, 1),
      ...Array(12).fill(0),
      ...Array(28).fill(0),
      ...Array(52).fill(0),
    ])
    expect(told(events, 'garrisonPlaced')!.territories).toHaveLength(12)
    expect(told(events, 'garrisonPlaced')!.armies).toBe(2)
    expect(events.map(({ type }) => type)).toEqual([
      'boardLaid',
      'turnOrderRolled',
      'garrisonPlaced',
      'territoriesDealt',
      'armiesDealt',
      'turnBegan',
    ])
    const held = [0, 1, 2].map((owner) => state.owners.filter((each) => each === owner).length)
    expect(held).toEqual([12, 14, 14])
    const standing = (owner: number) =>
      state.armies.reduce((sum, armies, i) => sum + (state.owners[i] === owner ? armies : 0), 0)
    expect([standing(0), standing(1), standing(2)]).toEqual([24, 40, 40])
  })
  test('⌊7T/20⌋ of another map: of seven two each, the garrison three, also before the first claim', () => {
    const { state } = begin({ map: 'isles', setup: 'claim' }, 2, [...dice(1, 6), 6, 0, 1])
    expect(rules.position(state)).toBe(
      'isles blue/red blue claim a:grey:2 b:free c:grey:2 d:free e:free f:free g:grey:2 setup=claim reserves=10,10',
    )
  })
})

describe('V3 handicap', () => {
  const granted = (seats: number) => {
    const picks = [...dice(6, ...Array.from({ length: seats - 1 }, () => 1)), ...(seats === 2 ? Array(12).fill(0) : [])]
    return told(begin({ setup: 'claim', handicap: 'balanced' }, seats, picks).events, 'handicapGranted')!.grants
  }
  test.each([
    [2, [0, 3]],
    [3, [0, 2, 4]],
    [4, [0, 0, 0, 0]],
    [5, [0, 0, 0, 0, 0]],
    [6, [0, 0, 0, 0, 0, 1]],
  ])('%i commanders, by place: %j', (seats, armies) =>
    expect(granted(seats).map((grant) => grant.armies)).toEqual(armies),
  )
  test('by place in turn order, not by seat, and they stand on the board', () => {
    const { state } = begin({ map: 'ring3', handicap: 'balanced' }, 3, [
      ...dice(1, 6, 2),
      ...[0, 0, 0],
      ...Array(1 + 3 + 5).fill(0),
    ])
    expect(rules.position(state)).toBe('ring3 blue/green/red blue draft+3 a:blue:2 b:green:4 c:red:6 handicap=balanced')
  })
  test('none by default', () => {
    expect(told(begin({ map: 'isles', setup: 'claim' }, 3, dice(6, 1, 1)).events, 'handicapGranted')).toBeUndefined()
  })
})

describe('V2 claim', () => {
  const CLAIM =
    'isles blue/green/red blue claim a:free b:free c:red:1 d:free e:free f:green:1 g:free setup=claim reserves=7,8,7 step=4'
  test('one free territory each, in turn order, one army on each', () => {
    given(CLAIM)
      .when(claim('d'))
      .tells('territoryClaimed', 'claimAwaited')
      .becomes(
        'isles blue/green/red green claim a:free b:free c:red:1 d:blue:1 e:free f:green:1 g:free setup=claim reserves=7,7,7 step=5',
      )
  })
  test.each([
    ['unknown-territory', claim('x')],
    ['unknown-territory', claim('__proto__')],
    ['not-free', claim('c')],
    ['wrong-phase', deploy({ a: 1 })],
    ['wrong-phase', endTurn],
  ] as const)('%s: %j', (refusal, order) => given(CLAIM).when(order).refused(refusal))
  test('no claim in another’s step, of the garrison’s land, or when the map is full', () => {
    given(CLAIM).when(claim('a'), [], 3).refused('not-your-turn')
    given(CLAIM.replace('c:red', 'c:grey')).when(claim('c')).refused('not-free')
    given(PLACE).when(claim('c')).refused('wrong-phase')
  })
  test('the full map opens the rounds of placement, with the first in turn order', () => {
    given(
      'isles blue/green/red green claim a:blue:1 b:free c:red:1 d:blue:1 e:green:1 f:green:1 g:red:1 setup=claim reserves=6,6,6 step=7',
    )
      .when(claim('b'))
      .tells('territoryClaimed', 'placementAwaited')
      .becomes(
        'isles blue/green/red blue place a:blue:1 b:green:1 c:red:1 d:blue:1 e:green:1 f:green:1 g:red:1 setup=claim reserves=6,6,5 step=8',
      )
  })

  const LAND = 'a:blue:1 b:green:1 c:red:1 d:blue:1 e:green:1 f:green:1 g:red:1'
  const PLACE = `isles blue/green/red blue place ${LAND} setup=claim reserves=6,6,5 step=8`
  test('exactly five per command while so many are left', () => {
    given(PLACE)
      .when(deploy({ a: 2, d: 3 }))
      .tells('armiesDeployed', 'placementAwaited')
      .becomes(
        `isles blue/green/red green place ${LAND.replace('a:blue:1', 'a:blue:3').replace('d:blue:1', 'd:blue:4')} setup=claim reserves=6,1,5 step=9`,
      )
  })
  test.each([
    ['less-than-due', deploy({ a: 4 })],
    ['more-than-due', deploy({ a: 6 })],
    ['more-than-due', deploy({ a: 3, d: 3 })],
    ['no-placements', deploy({})],
    ['not-your-territory', deploy({ b: 5 })],
    ['unknown-territory', deploy({ x: 5 })],
    ['wrong-phase', claim('a')],
    ['wrong-phase', endTurn],
  ] as const)('%s: %j', (refusal, order) => given(PLACE).when(order).refused(refusal))
  test('then exactly what is left, and those with none left are skipped', () => {
    const line = (who: string, reserves: string, step: number, a = 1) =>
      `isles blue/green/red ${who} place ${LAND.replace('a:blue:1', `a:blue:${a}`)} setup=claim reserves=${reserves} step=${step}`
    given(line('blue', '6,2,0', 8))
      .when(deploy({ a: 3 }))
      .refused('more-than-due')
    given(line('blue', '6,2,0', 8))
      .when(deploy({ a: 2 }))
      .becomes(line('red', '6,0,0', 9, 3))
  })
  test('the last placement opens play with the first in turn order', () => {
    given(`isles blue/green/red red place ${LAND} setup=claim reserves=2,0,0 step=14`)
      .when(deploy({ c: 2 }))
      .tells('armiesDeployed', 'turnBegan')
      .becomes(`isles blue/green/red blue draft+3 ${LAND.replace('c:red:1', 'c:red:3')} setup=claim`)
  })
  test('with nothing left to place play begins with the last claim', () => {
    given('ring3 red/blue/green green claim a:red:1 b:blue:1 c:free setup=claim reserves=0,0,1 step=3')
      .when(claim('c'))
      .tells('territoryClaimed', 'turnBegan')
  })
  test('whom the game waits for', () => {
    expect(rules.waitingFor(board(CLAIM))).toEqual([{ seat: 2, task: 'claim-4', since: 0, until: 259_200_000 }])
    expect(rules.waitingFor(board(PLACE))).toEqual([{ seat: 2, task: 'place-8', since: 0, until: 259_200_000 }])
  })
})
