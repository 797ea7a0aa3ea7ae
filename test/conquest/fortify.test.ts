import { describe, test } from 'vitest'
import { endTurn, fortify, given } from '../support/conquest-given.ts'

const BOARD = 'isles red/blue/green red attack a:red:4 b:red:1 c:blue:2 d:red:2 e:green:1 f:green:1 g:red:1'

describe('R18 fortify', () => {
  test('moves between adjacent own territories, one stays, and the turn ends', () => {
    given(BOARD)
      .when(fortify('a', 'b', 3))
      .tells('armiesFortified', 'turnEnded', 'turnBegan')
      .becomes('isles red/blue/green blue draft+3 a:red:1 b:red:4 c:blue:2 d:red:2 e:green:1 f:green:1 g:red:1 turn=2')
  })
  test('over a sea route too (R2), and straight from the draft', () => {
    given(BOARD.replace('attack', 'draft'))
      .when(fortify('a', 'g', 1))
      .tells('armiesFortified', 'turnEnded', 'turnBegan')
  })
  test('a turn may also end without it', () => {
    given(BOARD).when(endTurn).tells('turnEnded', 'turnBegan')
  })
  test.each([
    ['unknown-territory', fortify('x', 'b', 1)],
    ['not-your-territory', fortify('c', 'b', 1)],
    ['too-few-armies', fortify('b', 'a', 1)],
    ['unknown-territory', fortify('a', '__proto__', 1)],
    ['not-your-territory', fortify('a', 'c', 1)],
    ['not-adjacent', fortify('a', 'd', 1)],
    ['not-adjacent', fortify('a', 'a', 1)],
    ['armies-out-of-range', fortify('a', 'b', 4)],
  ] as const)('%s: %j', (refusal, order) => given(BOARD).when(order).refused(refusal))
})
