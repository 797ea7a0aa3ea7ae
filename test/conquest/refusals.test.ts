import { describe, expect, test } from 'vitest'
import type { Order } from '../../shared/conquest/commands.ts'
import { rules } from '../support/conquest-boards.ts'
import {
  assault,
  attack,
  claim,
  deploy,
  endTurn,
  fortify,
  given,
  occupy,
  resign,
  trade,
} from '../support/conquest-given.ts'

const LAND = 'a:red:5 b:red:1 c:blue:2 d:blue:3 e:green:1 f:green:1 g:green:1'
const ORDERS: readonly Order[] = [
  claim('x'),
  deploy({ x: 1 }),
  trade('x', 'x', 'x'),
  attack('x', 'x', 9),
  assault('x', 'x', { stopAt: 9 }),
  occupy(9),
  fortify('x', 'x', 9),
  endTurn,
]

describe('of several reasons the first in this order is named', () => {
  test.each(ORDERS)('game not running: $type', (order) => {
    for (const line of [
      'isles 3 - opening a:free b:free c:free d:free e:free f:free g:free reserves=0,0,0',
      `isles red/blue/green - over:conquest:red/blue/green ${LAND}`,
    ])
      for (const by of [1, 2, 9, 'server'] as const) given(line).when(order, [], by).refused('game-not-running')
  })
  test.each([...ORDERS, resign])('not a living commander: $type', (order) => {
    for (const by of [2, 4, 0, -1, 1.5, 'server'] as const)
      given(`isles red/blue/green red draft+3 ${LAND} fallen=blue`)
        .when(order, [], by)
        .refused('not-a-living-commander')
  })
  test.each(ORDERS)('not your turn: $type', (order) => {
    for (const phase of ['draft+3', 'attack', 'trade+3', 'deploy+3', 'occupy:a>c:2', 'claim', 'place'])
      given(`isles red/blue/green red ${phase} ${LAND}`).when(order, [], 2).refused('not-your-turn')
  })
  test.each(ORDERS)('a pending duty: $type', (order) => {
    const board = (phase: string) => given(`isles red/blue/green red ${phase} ${LAND} hands=red:a+b+c+d+e+f`)
    if (order.type !== 'occupy') board('occupy:a>c:2').when(order).refused('must-occupy')
    if (order.type !== 'trade') {
      board('trade+3').when(order).refused('must-trade')
      board('draft+3').when(order).refused('must-trade')
    }
    if (order.type !== 'deploy') board('deploy+3').when(order).refused('must-place')
    if (order.type !== 'deploy' && order.type !== 'trade')
      given(`isles red/blue/green red draft+3 ${LAND}`).when(order).refused('must-place')
  })
  test.each(ORDERS)('wrong phase: $type', (order) => {
    const board = (phase: string) => given(`isles red/blue/green red ${phase} ${LAND} reserves=6,6,6`)
    if (order.type !== 'claim') board('claim').when(order).refused('wrong-phase')
    if (order.type !== 'deploy') board('place').when(order).refused('wrong-phase')
    if (['claim', 'occupy'].includes(order.type)) board('draft').when(order).refused('wrong-phase')
    if (['claim', 'occupy', 'deploy', 'trade'].includes(order.type)) board('attack').when(order).refused('wrong-phase')
  })
})

test('every refusal has a sentence', () => {
  for (const [word, sentence] of Object.entries(rules.refusals)) {
    expect(word).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(sentence).toMatch(/^[A-Z].*\.$/)
  }
})

describe('malformed commands never reach the rules', () => {
  const { command, serverCommand } = rules.schemas
  test.each([
    ['an unknown type', { type: 'surrender' }],
    ['a surplus field', { type: 'endTurn', really: true }],
    ['a surplus field in a placement', { type: 'deploy', placements: [{ territory: 'a', armies: 1, dice: 1 }] }],
    ['dice results', { type: 'attack', origin: 'a', target: 'b', dice: 1, attack: [6] }],
    ['a seat', { type: 'resign', seat: 1 }],
    ['no number of dice', { type: 'attack', origin: 'a', target: 'b' }],
    ['a fraction', { type: 'occupy', armies: 1.5 }],
    ['NaN', { type: 'occupy', armies: Number.NaN }],
    ['infinity', { type: 'occupy', armies: Number.POSITIVE_INFINITY }],
    ['a string', { type: 'occupy', armies: '1' }],
    ['a negative number', { type: 'occupy', armies: -1 }],
    ['zero', { type: 'deploy', placements: [{ territory: 'a', armies: 0 }] }],
    ['a huge number', { type: 'occupy', armies: 1_000_001 }],
    ['two cards', { type: 'trade', cards: ['a', 'b'] }],
    ['four cards', { type: 'trade', cards: ['a', 'b', 'c', 'd'] }],
    ['a card that is a number', { type: 'trade', cards: [1, 2, 3] }],
    ['a long name', { type: 'claim', territory: 'a'.repeat(65) }],
    ['an unknown wish', { type: 'assault', origin: 'a', target: 'b', occupy: 'all' }],
    ['no object', 'endTurn'],
    ['the server’s order', { type: 'expire', task: 'turn-1' }],
  ])('%s', (_, given_) => expect(command.safeParse(given_).success).toBe(false))
  test.each(ORDERS)('well-formed, if illegal: $type', (order) => expect(command.parse(order)).toEqual(order))
  test('the server gives expiries alone', () => {
    expect(serverCommand.safeParse(endTurn).success).toBe(false)
  })
})

describe('options', () => {
  const { options } = rules.schemas
  test('have defaults', () => {
    expect(options.parse({})).toEqual({
      map: 'world',
      setup: 'deal',
      handicap: 'none',
      bastions: true,
      cards: 'escalating',
      turnSeconds: 259_200,
      missesToResign: 2,
      roundLimit: 500,
      vacated: 'garrison',
    })
  })
  test.each([
    { map: '__proto__' },
    { map: 'ring4' },
    { setup: 'draw' },
    { handicap: 'big' },
    { bastions: 1 },
    { cards: 'none' },
    { turnSeconds: 59 },
    { turnSeconds: 2_592_001 },
    { turnSeconds: 60.5 },
    { missesToResign: 0 },
    { missesToResign: 11 },
    { roundLimit: 0 },
    { vacated: 'bot' },
    { colour: 'red' },
  ])('refuse %j', (choice) => expect(options.safeParse(choice).success).toBe(false))
  test.each([{ turnSeconds: null }, { turnSeconds: 60 }, { turnSeconds: 2_592_000 }, { missesToResign: 10 }])(
    'accept %j',
    (choice) => expect(options.safeParse(choice).success).toBe(true),
  )
})
