import { describe, expect, test } from 'vitest'
import { assault, attack, dice, endTurn, given, occupy } from '../support/conquest-given.ts'

const BOARD = 'isles red/blue/green red attack a:red:4 b:red:1 c:blue:2 d:blue:1 e:green:1 f:green:1 g:green:1'

describe('R12 attack', () => {
  test('from an own territory with two armies or more against an adjacent one of another owner', () => {
    given(BOARD)
      .when(attack('a', 'c', 2), dice(6, 1, 5, 1))
      .becomes(BOARD.replace('a:red:4', 'a:red:3').replace('c:blue:2', 'c:blue:1'))
  })
  test('a sea route counts like a land border (R2)', () => {
    given(BOARD)
      .when(attack('a', 'g', 1), dice(1, 6))
      .becomes(BOARD.replace('a:red:4', 'a:red:3'))
  })
  test.each([
    ['unknown-territory', attack('x', 'c', 1)],
    ['unknown-territory', attack('__proto__', 'c', 1)],
    ['unknown-territory', attack('a', 'constructor', 1)],
    ['not-your-territory', attack('c', 'a', 1)],
    ['too-few-armies', attack('b', 'c', 1)],
    ['own-territory', attack('a', 'b', 1)],
    ['own-territory', attack('a', 'a', 1)],
    ['not-adjacent', attack('a', 'd', 1)],
    ['too-many-dice', attack('a', 'c', 4)],
    ['too-many-dice', attack('a', 'c', 1_000_000)],
    ['occupy-out-of-range', attack('a', 'c', 3, 2)],
    ['occupy-out-of-range', attack('a', 'c', 1, 4)],
  ] as const)('%s: %j', (refusal, order) => given(BOARD).when(order).refused(refusal))
  test('no more dice than armies less one', () => {
    given(BOARD.replace('a:red:4', 'a:red:3'))
      .when(attack('a', 'c', 3))
      .refused('too-many-dice')
    given(BOARD.replace('a:red:4', 'a:red:2'))
      .when(attack('a', 'c', 2))
      .refused('too-many-dice')
  })
  test('the fields are judged in the order of the command', () => {
    given(BOARD)
      .when(attack('x', 'y', 9, 99))
      .refused('unknown-territory')
    given(BOARD)
      .when(attack('b', 'b', 9, 99))
      .refused('too-few-armies')
    given(BOARD)
      .when(attack('a', 'd', 9, 99))
      .refused('not-adjacent')
    given(BOARD)
      .when(attack('a', 'c', 9, 99))
      .refused('too-many-dice')
  })
  test('an attack with all armies placed ends the draft (R11)', () => {
    given(BOARD.replace('attack', 'draft'))
      .when(attack('a', 'c', 1), dice(1, 6, 6))
      .becomes(BOARD.replace('a:red:4', 'a:red:3'))
  })
})

describe('R15 as many attacks as wanted', () => {
  test('also from a territory taken this turn', () => {
    const taken = BOARD.replace('c:blue:2', 'c:red:2').replace('d:blue:1', 'd:blue:2')
    given(taken)
      .when(attack('c', 'd', 1), dice(1, 1, 1))
      .becomes(taken.replace('c:red:2', 'c:red:1'))
  })
  test('also none', () => {
    given(BOARD).when(endTurn).tells('turnEnded', 'turnBegan')
  })
})

describe('R17 assault', () => {
  test('rolls the most dice until the target falls; each roll is in the log; the last one counts for R16', () => {
    const won = given(BOARD).when(assault('a', 'c'), dice(6, 5, 4, 6, 4, 6, 5, 1))
    won.tells('battleFought', 'battleFought', 'territoryConquered', 'territoryOccupied')
    won.becomes(
      'isles red/blue/green red attack a:red:1 b:red:1 c:red:2 d:blue:1 e:green:1 f:green:1 g:green:1 conquered conquests=1,0,0',
    )
  })
  test('dice are taken anew before each roll: three, two, one', () => {
    const lost = given(BOARD).when(assault('a', 'c'), dice(3, 1, 1, 2, 2, 1, 1, 6, 1, 6))
    expect(lost.events.map((event) => event.type === 'battleFought' && event.attack.length)).toEqual([3, 2, 1])
    lost.becomes(BOARD.replace('a:red:4', 'a:red:1').replace('c:blue:2', 'c:blue:1'))
  })
  test('the Bastion is taken anew before each roll', () => {
    const fort = 'fort3 red/blue red attack a:red:6 b:blue:3 c:blue:1'
    const won = given(fort).when(assault('a', 'b'), dice(6, 6, 6, 1, 2, 6, 6, 6, 6, 5, 4))
    expect(won.events.map((event) => event.type === 'battleFought' && event.defence.length)).toEqual([3, 2, false])
    won.becomes('fort3 red/blue red occupy:a>b:3 a:red:5 b:red:0 c:blue:1 conquered conquests=1,0')
  })
  test('stops when the origin holds stopAt armies or fewer; a roll may overshoot by one', () => {
    const five = BOARD.replace('a:red:4', 'a:red:5').replace('c:blue:2', 'c:blue:9')
    given(five)
      .when(assault('a', 'c', { stopAt: 4 }), dice(1, 1, 1, 6, 6))
      .becomes(five.replace('a:red:5', 'a:red:3'))
    given(five)
      .when(assault('a', 'c', { stopAt: 4 }), dice(6, 1, 1, 5, 5))
      .becomes(five.replace('a:red:5', 'a:red:4').replace('c:blue:9', 'c:blue:8'))
      .tells('battleFought')
  })
  test('stops after maxRolls', () => {
    const wide = BOARD.replace('c:blue:2', 'c:blue:9')
    given(wide)
      .when(assault('a', 'c', { maxRolls: 2 }), dice(6, 6, 1, 5, 5, 6, 6, 1, 5, 5))
      .becomes(wide.replace('c:blue:9', 'c:blue:5'))
      .tells('battleFought', 'battleFought')
  })
  test.each([
    ['unknown-territory', assault('x', 'c')],
    ['not-your-territory', assault('c', 'd')],
    ['too-few-armies', assault('b', 'c')],
    ['unknown-territory', assault('a', 'toString')],
    ['own-territory', assault('a', 'b')],
    ['not-adjacent', assault('a', 'e')],
    ['stop-at-out-of-range', assault('a', 'c', { stopAt: 4, maxRolls: 501, occupy: 9 })],
    ['max-rolls-out-of-range', assault('a', 'c', { maxRolls: 501, occupy: 9 })],
    ['occupy-out-of-range', assault('a', 'c', { occupy: 4 })],
  ] as const)('%s: %j', (refusal, order) => given(BOARD).when(order).refused(refusal))
  test('it equals giving the single attacks', () => {
    const rolls = [dice(6, 5, 4, 6, 4), dice(6, 5, 1)] as const
    const single = given(given(BOARD).when(attack('a', 'c', 3), rolls[0]).after).when(attack('a', 'c', 2), rolls[1])
    expect(given(BOARD).when(assault('a', 'c'), rolls.flat()).after).toEqual(single.after)
  })
})

describe('R16 wishes', () => {
  const six = BOARD.replace('a:red:4', 'a:red:6').replace('c:blue:2', 'c:blue:1')
  const standing = (a: number, c: number) =>
    `isles red/blue/green red attack a:red:${a} b:red:1 c:red:${c} d:blue:1 e:green:1 f:green:1 g:green:1 conquered conquests=1,0,0`
  const pending = standing(6, 0).replace('attack', 'occupy:a>c:2')

  test.each([
    ['least', 4, 2],
    ['most', 1, 5],
    [2, 4, 2],
    [4, 2, 4],
    [5, 1, 5],
  ] as const)('an attack that wishes %s', (wish, a, c) => {
    given(six)
      .when(attack('a', 'c', 2, wish), dice(6, 6, 1))
      .tells('battleFought', 'territoryConquered', 'territoryOccupied')
      .becomes(standing(a, c))
  })
  test('without a wish the occupation is pending', () => {
    given(six)
      .when(attack('a', 'c', 2), dice(6, 6, 1))
      .becomes(pending)
    given(pending).when(occupy(3)).becomes(standing(3, 3))
  })
  test('a wish does nothing when the target holds', () => {
    given(six)
      .when(attack('a', 'c', 2, 'most'), dice(1, 1, 1))
      .becomes(six.replace('a:red:6', 'a:red:5'))
  })
  test('where one number alone is legal it moves, whatever an assault wished', () => {
    const three = six.replace('a:red:6', 'a:red:3')
    for (const limits of [{}, { occupy: 1 }, { occupy: 'most' as const }])
      given(three)
        .when(assault('a', 'c', limits), dice(6, 6, 1))
        .becomes(standing(1, 2))
  })
  test('a number that is illegal once an assault has won leaves the occupation pending', () => {
    given(six)
      .when(assault('a', 'c', { occupy: 2 }), dice(6, 6, 6, 1))
      .becomes(pending.replace(':2 a', ':3 a'))
    given(six.replace('c:blue:1', 'c:blue:2'))
      .when(assault('a', 'c', { occupy: 5 }), dice(6, 1, 1, 5, 1, 6, 6, 6, 1))
      .becomes(pending.replace('a:red:6', 'a:red:5').replace(':2 a', ':3 a'))
  })
  test('a number that is legal once an assault has won moves in', () => {
    given(six)
      .when(assault('a', 'c', { occupy: 3 }), dice(6, 6, 6, 1))
      .becomes(standing(3, 3))
  })
  test('outside dice to armies less one it is refused before rolling; an assault takes 1 too', () => {
    given(six)
      .when(attack('a', 'c', 3, 2))
      .refused('occupy-out-of-range')
    given(six)
      .when(attack('a', 'c', 3, 6))
      .refused('occupy-out-of-range')
    given(six)
      .when(assault('a', 'c', { occupy: 6 }))
      .refused('occupy-out-of-range')
    given(six)
      .when(assault('a', 'c', { occupy: 1 }), dice(1, 1, 1, 6, 6, 6, 6, 1))
      .tells('battleFought', 'battleFought', 'territoryConquered')
  })
})
