import { describe, expect, test } from 'vitest'
import { board, rules } from '../support/conquest-boards.ts'
import {
  assault,
  attack,
  claim,
  deploy,
  dice,
  endTurn,
  given,
  occupy,
  resign,
  trade,
} from '../support/conquest-given.ts'

// Blue holds c alone.
const LAND = 'a:red:5 b:red:1 c:blue:1 d:green:3 e:green:1 f:green:1 g:green:1'
const TAKEN = (a: number, c: number) => `a:red:${a} b:red:1 c:red:${c} d:green:3 e:green:1 f:green:1 g:green:1`
const BOARD = `isles red/blue/green red attack ${LAND}`
const RECORD = 'conquests=1,0,0 eliminations=1,0,0 fallen=blue'

describe('R22 the order of things when a territory falls', () => {
  test('battle, conquest, elimination, the hand taken, occupation', () => {
    const won = given(`${BOARD} hands=red:a,blue:b+wild-1`).when(attack('a', 'c', 1, 2), dice(6, 1))
    won.tells('battleFought', 'territoryConquered', 'commanderEliminated', 'handTaken', 'territoryOccupied')
    won.becomes(`isles red/blue/green red attack ${TAKEN(3, 2)} conquered hands=red:a+b+wild-1 ${RECORD}`)
    expect(won.events[3]).toEqual({ type: 'handTaken', seat: 1, rival: 2, cards: ['b', 'wild-1'], count: 2 })
  })
  test('an empty hand is taken too', () => {
    expect(given(BOARD).when(attack('a', 'c', 1), dice(6, 1)).events[3]).toEqual({
      type: 'handTaken',
      seat: 1,
      rival: 2,
      cards: [],
      count: 0,
    })
  })
  test('no elimination while the rival holds another territory', () => {
    given(BOARD.replace('d:green', 'd:blue'))
      .when(attack('a', 'c', 1), dice(6, 1))
      .tells('battleFought', 'territoryConquered')
  })
  test('the occupation comes before the forced trade, and that before the placement', () => {
    const line = `${BOARD} hands=red:a+b+d+e,blue:c+f`
    const won = given(line).when(attack('a', 'c', 1), dice(6, 1))
    won.becomes(`isles red/blue/green red occupy:a>c:1 ${TAKEN(5, 0)} conquered hands=red:a+b+c+d+e+f ${RECORD}`)
    given(won.after)
      .when(trade('a', 'b', 'c'))
      .refused('must-occupy')
    const moved = given(won.after).when(occupy(4))
    moved.becomes(`isles red/blue/green red trade ${TAKEN(1, 4)} conquered hands=red:a+b+c+d+e+f ${RECORD}`)
    const traded = given(moved.after).when(trade('a', 'b', 'c'))
    traded.becomes(
      `isles red/blue/green red deploy+4 ${TAKEN(1, 4)} conquered hands=red:d+e+f discards=a+b+c dial=1 ${RECORD}`,
    )
    given(traded.after)
      .when(deploy({ b: 4 }))
      .becomes(
        `isles red/blue/green red attack ${TAKEN(1, 4).replace('b:red:1', 'b:red:5')} conquered hands=red:d+e+f discards=a+b+c dial=1 ${RECORD}`,
      )
  })
  test('a winning conquest ends with the occupation of the least, any wish ignored, and game over', () => {
    const last = 'isles red/blue red attack a:red:5 b:red:1 c:blue:1 d:red:3 e:red:1 f:red:1 g:red:1'
    for (const order of [attack('a', 'c', 3, 'most'), attack('a', 'c', 3), assault('a', 'c', { occupy: 4 })]) {
      const won = given(`${last} hands=red:a+b+d+e+g,blue:c+f`).when(order, dice(6, 1, 1, 1))
      won.tells(
        'battleFought',
        'territoryConquered',
        'commanderEliminated',
        'handTaken',
        'territoryOccupied',
        'gameOver',
      )
      won.becomes(
        'isles red/blue - over:conquest:red/blue a:red:2 b:red:1 c:red:3 d:red:3 e:red:1 f:red:1 g:red:1 hands=red:a+b+c+d+e+f+g conquests=1,0 eliminations=1,0 fallen=blue',
      )
    }
  })
  test('R26 the garrison need not be beaten, nor is it eliminated', () => {
    given('isles red/blue red attack a:red:5 b:red:1 c:blue:1 d:grey:3 e:grey:1 f:red:1 g:red:1')
      .when(attack('a', 'c', 1), dice(6, 1))
      .tells('battleFought', 'territoryConquered', 'commanderEliminated', 'handTaken', 'territoryOccupied', 'gameOver')
    given('isles red/blue red attack a:red:5 b:red:1 c:grey:1 d:blue:3 e:blue:1 f:red:1 g:red:1')
      .when(attack('a', 'c', 1), dice(6, 1))
      .tells('battleFought', 'territoryConquered')
  })
  test('R26 nothing is accepted afterwards', () => {
    const over =
      'isles red/blue - over:conquest:red/blue a:red:2 b:red:1 c:red:3 d:red:3 e:red:1 f:red:1 g:red:1 fallen=blue'
    for (const by of [1, 2, 3, 'server'] as const)
      for (const order of [endTurn, resign, attack('a', 'b', 1), claim('x')])
        given(over).when(order, [], by).refused('game-not-running')
  })
})

describe('R23 forced trades', () => {
  const eight = `isles red/blue/green red trade ${TAKEN(3, 2)} conquered hands=red:a+b+c+d+e+f+g+wild-1 ${RECORD}`
  test('8 → 5 → 2: a five reached by trading goes on', () => {
    const five = given(eight).when(trade('a', 'b', 'c'))
    five.becomes(
      `isles red/blue/green red trade+4 ${TAKEN(3, 2)} conquered hands=red:d+e+f+g+wild-1 discards=a+b+c dial=1 ${RECORD}`,
    )
    given(five.after)
      .when(trade('d', 'e', 'f'))
      .becomes(
        `isles red/blue/green red deploy+10 ${TAKEN(3, 2)} conquered hands=red:g+wild-1 discards=a+b+c+d+e+f dial=2 ${RECORD}`,
      )
  })
  test.each([attack('a', 'd', 1), deploy({ a: 1 }), endTurn, occupy(1), claim('a')])(
    'every other order is refused, placing too: %j',
    (order) => given(eight).when(order).refused('must-trade'),
  )
  test('resigning is not', () => {
    given(eight).when(resign).tells('commanderResigned', 'gameOver')
  })
  const due = `isles red/blue/green red deploy+10 ${TAKEN(3, 2)} conquered hands=red:a+d+g ${RECORD}`
  test('at four or fewer trading stops until the next draft', () => {
    given(due)
      .when(trade('a', 'd', 'g'))
      .refused('must-place')
  })
  test('then all armies are placed before anything else', () => {
    for (const order of [attack('a', 'd', 1), endTurn, occupy(1)]) given(due).when(order).refused('must-place')
    given(due)
      .when(deploy({ a: 4, c: 5 }))
      .becomes(`isles red/blue/green red deploy+1 ${TAKEN(7, 7)} conquered hands=red:a+d+g ${RECORD}`)
    given(due)
      .when(deploy({ d: 1 }))
      .refused('not-your-territory')
    given(due)
      .when(deploy({ a: 11 }))
      .refused('more-than-due')
  })
  test('a hand of exactly five after taking trades nothing now', () => {
    const line = `${BOARD} hands=red:a+b+d,blue:c+f`
    given(line)
      .when(attack('a', 'c', 1, 1), dice(6, 1))
      .becomes(`isles red/blue/green red attack ${TAKEN(4, 1)} conquered hands=red:a+b+c+d+f ${RECORD}`)
  })
  test('so six can stand at the start of the next draft, where one set suffices (R10)', () => {
    const six = `isles red/blue/green red draft+3 ${TAKEN(4, 1)} hands=red:a+b+c+d+f+g ${RECORD}`
    given(given(six).when(trade('a', 'b', 'c')).after)
      .when(deploy({ a: 7 }))
      .tells('armiesDeployed')
  })
  test('a second elimination in the same turn can demand it again', () => {
    const second =
      'isles red/blue/green/yellow red attack a:red:5 b:red:1 c:red:1 d:green:3 e:green:1 f:green:1 g:yellow:1 conquered hands=red:a+b+c+d,yellow:e+f conquests=1,0,0,0 eliminations=1,0,0,0 fallen=blue'
    given(second)
      .when(attack('a', 'g', 1, 'least'), dice(6, 1))
      .becomes(
        'isles red/blue/green/yellow red trade a:red:4 b:red:1 c:red:1 d:green:3 e:green:1 f:green:1 g:red:1 conquered hands=red:a+b+c+d+e+f conquests=2,0,0,0 eliminations=2,0,0,0 fallen=blue,yellow',
      )
  })
})

describe('R16, R3 while an occupation is pending', () => {
  const pending = `isles red/blue/green red occupy:a>c:2 ${TAKEN(5, 0).replace('d:green', 'd:blue')} conquered conquests=1,0,0`
  test.each([attack('b', 'c', 1), deploy({ a: 1 }), trade('a', 'b', 'c'), endTurn, claim('a'), assault('a', 'd')])(
    'no other order is legal: %j',
    (order) => given(pending).when(order).refused('must-occupy'),
  )
  test('what was just conquered counts as its conqueror’s already', () => {
    expect(rules.view(board(pending), { seat: 2, open: false }).commanders[0]!.territories).toBe(3)
  })
  test('out of phase', () => {
    given(BOARD).when(occupy(1)).refused('wrong-phase')
    given(BOARD.replace('attack', 'draft')).when(occupy(1)).refused('wrong-phase')
  })
})

describe('R27 ranking, R28 turn order', () => {
  test('the winner, then the others in reverse order of falling', () => {
    const won = given(
      'isles red/blue/green/yellow red attack a:red:5 b:red:1 c:blue:1 d:grey:1 e:red:1 f:red:1 g:red:1 fallen=green!,yellow',
    ).when(attack('a', 'c', 1), dice(6, 1))
    expect(rules.isOver(won.after)).toEqual([[1], [2], [4], [3]])
    expect(rules.record(won.after)).toEqual([
      { seat: 1, start: 1, place: 1, counts: { conquests: 1, eliminations: 1 } },
      { seat: 2, start: 2, place: 2, counts: { conquests: 0, eliminations: 0 } },
      { seat: 4, start: 4, place: 3, counts: { conquests: 0, eliminations: 0 } },
      { seat: 3, start: 3, place: 4, counts: { conquests: 0, eliminations: 0 } },
    ])
  })
  test('the turn skips the fallen, however many in a row, and wraps', () => {
    const line = (who: string, more = '') =>
      `isles green/yellow/red/blue ${who} a:green:1 b:red:1 c:grey:1 d:grey:1 e:red:1 f:red:1 g:green:1${more} fallen=blue!,yellow`
    given(line('green attack')).when(endTurn).becomes(line('red draft+3', ' turn=2'))
    given(line('red attack', ' turn=2')).when(endTurn).becomes(line('green draft+3', ' turn=3 round=2'))
  })
})

describe('the round limit', () => {
  test('ends the game when a round more would begin, ranked by territories, then armies, equals sharing a place', () => {
    const ended = given(
      'isles red/blue/green/yellow yellow attack a:red:2 b:red:1 c:blue:3 d:green:2 e:green:1 f:yellow:9 g:grey:1 rounds=7 turn=28 round=7',
    ).when(endTurn)
    ended.tells('turnEnded', 'gameOver')
    expect(rules.isOver(ended.after)).toEqual([[1, 3], [4], [2]])
    expect(rules.record(ended.after).map(({ seat, place }) => [seat, place])).toEqual([
      [1, 1],
      [3, 1],
      [4, 3],
      [2, 4],
    ])
  })
  test('the fallen come after those who live', () => {
    const ended = given(
      'isles red/blue/green green attack a:grey:2 b:green:1 c:blue:3 d:blue:2 e:green:1 f:green:9 g:grey:1 rounds=1 fallen=red!',
    ).when(endTurn)
    expect(rules.isOver(ended.after)).toEqual([[3], [2], [1]])
  })
})
