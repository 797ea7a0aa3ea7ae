import { describe, expect, test } from 'vitest'
import { armiesDue } from '../../shared/conquest/rules/draft.ts'
import { board, rules, TEST_MAPS } from '../support/conquest-boards.ts'
import { attack, claim, deploy, endTurn, fortify, given, occupy, trade } from '../support/conquest-given.ts'

const BOARD = 'isles red/blue/green red draft+5 a:red:1 b:red:2 c:red:3 d:blue:1 e:green:1 f:green:1 g:green:1'

describe('R9 armies due at the start of a turn', () => {
  const { isles, world } = TEST_MAPS
  const due = (line: string) => armiesDue(isles, board(line), 1)
  test('three at least', () => {
    expect(due('isles red/blue red draft a:red:1 b:blue:1 c:blue:1 d:blue:1 e:blue:1 f:blue:1 g:blue:1')).toBe(3)
    expect(due('isles red/blue red draft a:red:1 b:red:1 c:blue:1 d:red:1 e:blue:1 f:blue:1 g:red:1')).toBe(3)
  })
  test('and the bonus of each region wholly held', () => {
    expect(due(BOARD)).toBe(3 + 3)
    expect(due('isles red/blue red draft a:red:1 b:red:1 c:red:1 d:red:1 e:red:1 f:blue:1 g:blue:1')).toBe(3 + 3 + 1)
  })
  test('a region with one territory of the garrison pays nothing', () => {
    expect(due('isles red/blue red draft a:red:1 b:red:1 c:grey:1 d:red:1 e:blue:1 f:red:9 g:red:1')).toBe(3 + 2)
  })
  test.each([
    [11, 3],
    [12, 4],
    [14, 4],
    [15, 5],
  ])('a third of %i territories, rounded down: %i', (count, armies) => {
    const options = rules.schemas.options.parse({})
    const start = rules.initial(options, 3)
    // Every region keeps its last territory from the commander, so that none pays.
    const last = world.regionMembers.map((members) => members.at(-1)!)
    let left = count
    const owners = start.owners.map((_, territory) => (!last.includes(territory) && left-- > 0 ? 1 : 2))
    expect(armiesDue(world, { ...start, owners }, 1)).toBe(armies)
  })
  test('both counted at the start of the turn: what is taken later pays next time', () => {
    const begun = given(BOARD.replace('draft+5', 'attack')).when(endTurn)
    expect(begun.events.at(-1)).toEqual({
      type: 'turnBegan',
      seat: 2,
      turn: 2,
      round: 1,
      territories: 1,
      regions: [],
      armies: 3,
    })
  })
})

describe('R11 placement', () => {
  test('in any split over one or more commands', () => {
    given(BOARD)
      .when(deploy({ a: 2, c: 1 }))
      .becomes(BOARD.replace('draft+5', 'draft+2').replace('a:red:1', 'a:red:3').replace('c:red:3', 'c:red:4'))
    given(BOARD.replace('draft+5', 'draft+2'))
      .when(deploy({ b: 2 }))
      .becomes(BOARD.replace('draft+5', 'draft').replace('b:red:2', 'b:red:4'))
  })
  test.each([
    attack('c', 'd', 1),
    { type: 'assault', origin: 'c', target: 'd' } as const,
    fortify('c', 'b', 1),
    endTurn,
    occupy(1),
    claim('a'),
  ])('while anything is unplaced, must-place: %j', (order) => given(BOARD).when(order).refused('must-place'))
  test.each([
    ['no-placements', deploy({})],
    ['unknown-territory', deploy({ z: 1 })],
    ['unknown-territory', deploy([['__proto__', 1]])],
    ['not-your-territory', deploy({ a: 1, d: 1 })],
    ['more-than-due', deploy({ a: 6 })],
    ['more-than-due', deploy({ a: 3, b: 3 })],
    ['more-than-due', deploy({ a: 1_000_000 })],
    [
      'territory-twice',
      deploy([
        ['a', 1],
        ['a', 1],
      ]),
    ],
  ] as const)('%s: %j', (refusal, order) => given(BOARD).when(order).refused(refusal))
  test('an optional trade is legal until the first attack, also after placing, and pays into the same draft', () => {
    const placed = `${BOARD.replace('draft+5', 'draft')} hands=red:a+b+c`
    given(placed)
      .when(trade('a', 'b', 'c'))
      .becomes(`${BOARD.replace('draft+5', 'draft+4')} discards=a+b+c dial=1`)
    given(placed.replace('draft', 'attack'))
      .when(trade('a', 'b', 'c'))
      .refused('wrong-phase')
  })
  test('after the draft there is nothing to place', () => {
    given(BOARD.replace('draft+5', 'draft'))
      .when(deploy({ a: 1 }))
      .refused('more-than-due')
    given(BOARD.replace('draft+5', 'attack'))
      .when(deploy({ a: 1 }))
      .refused('wrong-phase')
  })
})
