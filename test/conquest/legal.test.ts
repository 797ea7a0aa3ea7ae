import { describe, expect, test } from 'vitest'
import { board, rules } from '../support/conquest-boards.ts'

const legal = (line: string, seat = 1) => rules.legal(board(line), seat)
const LAND = 'a:red:4 b:red:1 c:blue:2 d:blue:3 e:green:1 f:green:1 g:red:1'

describe('legal orders', () => {
  test('nobody has any before the start or after the end', () => {
    expect(legal('ring3 2 - opening a:free b:free c:free reserves=0,0')).toEqual([])
    expect(legal('ring3 red/blue - over:conquest:red/blue a:red:2 b:red:1 c:red:3 fallen=blue')).toEqual([])
  })
  test('out of turn one may resign, fallen not even that', () => {
    expect(legal(`isles red/blue/green red draft+3 ${LAND}`, 2)).toEqual([{ type: 'resign' }])
    expect(legal(`isles red/blue/green red draft+3 ${LAND} fallen=blue`, 2)).toEqual([])
    expect(legal(`isles red/blue/green red draft+3 ${LAND}`, 7)).toEqual([])
  })
  test('claims', () => {
    expect(legal('ring3 red/blue red claim a:blue:1 b:free c:free reserves=3,2')).toEqual([
      { type: 'claim', territories: ['b', 'c'] },
      { type: 'resign' },
    ])
  })
  test('placements of the setup', () => {
    expect(legal('ring3 red/blue red place a:blue:1 b:red:1 c:grey:2 reserves=7,2')).toEqual([
      {
        type: 'deploy',
        pool: 7,
        territories: ['b'],
        perTerritory: { least: 1, most: 5 },
        total: { least: 5, most: 5 },
      },
      { type: 'resign' },
    ])
  })
  test('the draft', () => {
    expect(legal(`isles red/blue/green red draft+3 ${LAND} hands=red:a+b+c`)).toEqual([
      { type: 'trade', required: false, sets: [{ cards: ['a', 'b', 'c'], armies: 4 }] },
      {
        type: 'deploy',
        pool: 3,
        territories: ['a', 'b', 'g'],
        perTerritory: { least: 1, most: 3 },
        total: { least: 1, most: 3 },
      },
      { type: 'resign' },
    ])
  })
  test('a trade that is required', () => {
    expect(legal(`isles red/blue/green red draft+3 ${LAND} hands=red:a+b+d+e+wild-1 dial=1`)).toMatchObject([
      { type: 'trade', required: true, sets: [{ cards: ['a', 'b', 'wild-1'], armies: 6 }, {}, {}, {}, {}, {}] },
      { type: 'resign' },
    ])
  })
  test('attacks, assaults, fortifications and the end of the turn, with exact odds', () => {
    const orders = legal(`isles red/blue/green red attack ${LAND}`)
    expect(orders).toMatchObject([
      {
        type: 'attack',
        origin: 'a',
        target: 'c',
        dice: { least: 1, most: 3 },
        occupy: { least: 'dice', most: 3, words: ['least', 'most'] },
        odds: [{ dice: 1 }, { dice: 2 }, { dice: 3, losses: [{ ways: 2890, total: 7776 }, {}, { ways: 2275 }] }],
      },
      {
        type: 'assault',
        origin: 'a',
        target: 'c',
        stopAt: { least: 1, most: 3 },
        maxRolls: { least: 1, most: 500 },
        occupy: { least: 1, most: 3, words: ['least', 'most'] },
      },
      { type: 'fortify', origin: 'a', destination: 'b', armies: { least: 1, most: 3 } },
      { type: 'fortify', origin: 'a', destination: 'g', armies: { least: 1, most: 3 } },
      { type: 'endTurn' },
      { type: 'resign' },
    ])
  })
  test('the odds know the Bastion', () => {
    const conquest = (line: string) => {
      const assault = legal(line).find((order) => order.type === 'assault' && order.target === 'b')
      return assault?.type === 'assault' ? assault.odds?.conquest : null
    }
    const fort = 'fort3 red/blue red attack a:red:4 b:blue:3 c:blue:1'
    expect(conquest(fort)).toBeCloseTo(0.3265, 4)
    expect(conquest(`${fort} bastions=off`)).toBeGreaterThan(0.4)
    expect(conquest('ring3 red/blue red attack a:red:1001 b:blue:3 c:blue:1')).toBeUndefined()
  })
  test('an occupation', () => {
    expect(legal('ring3 red/blue red occupy:a>b:2 a:red:5 b:red:0 c:blue:1 conquered')).toEqual([
      { type: 'occupy', origin: 'a', target: 'b', armies: { least: 2, most: 4 } },
      { type: 'resign' },
    ])
  })
  test('it is JSON', () => {
    const orders = legal(`isles red/blue/green red attack ${LAND}`)
    expect(JSON.parse(JSON.stringify(orders))).toEqual(orders)
  })
})

describe('odds on request', () => {
  const ask = (query: Record<string, string>, line = 'fort3 red/blue red attack a:red:4 b:blue:3 c:blue:1') =>
    rules.odds(board(line), rules.schemas.oddsQuery.parse(query))
  test('of a battle on the board, the Bastion known', () => {
    expect(ask({ origin: 'a', target: 'b' })).toMatchObject({
      odds: { attackers: 4, defenders: 3, bastion: true, roll: { dice: 3 }, fightingOn: { stopAt: 1, maxRolls: 500 } },
    })
    expect(ask({ origin: 'b', target: 'a', dice: '1', stopAt: '2', maxRolls: '3' })).toMatchObject({
      odds: { attackers: 3, defenders: 4, bastion: false, roll: { dice: 1 }, fightingOn: { stopAt: 2, maxRolls: 3 } },
    })
  })
  test('of any numbers', () => {
    expect(ask({ attackers: '4', defenders: '3', bastion: 'true' })).toEqual(ask({ origin: 'a', target: 'b' }))
    expect(ask({ attackers: '4', defenders: '3' })).toMatchObject({ odds: { bastion: false } })
  })
  test.each([
    ['unknown-territory', { origin: 'x', target: 'b' }],
    ['unknown-territory', { origin: 'a', target: '__proto__' }],
    ['too-few-armies', { origin: 'c', target: 'a' }],
    ['own-territory', { origin: 'b', target: 'c' }],
    ['too-few-armies', { attackers: '1', defenders: '3' }],
    ['too-many-armies-for-odds', { attackers: '1001', defenders: '3' }],
    ['too-many-armies-for-odds', { attackers: '3', defenders: '1001' }],
    ['too-many-dice', { attackers: '3', defenders: '3', dice: '3' }],
    ['stop-at-out-of-range', { attackers: '3', defenders: '3', stopAt: '3' }],
    ['max-rolls-out-of-range', { attackers: '3', defenders: '3', maxRolls: '501' }],
  ])('%s: %j', (refusal, query) => expect(ask(query)).toEqual({ refusal }))
  test('of territories that are not adjacent, or free', () => {
    const line = 'isles red/blue red claim a:red:4 b:red:1 c:free d:blue:3 e:free f:free g:free reserves=1,1'
    expect(ask({ origin: 'a', target: 'd' }, line)).toEqual({ refusal: 'not-adjacent' })
    expect(ask({ origin: 'a', target: 'c' }, line)).toEqual({ refusal: 'nothing-to-attack' })
  })
  test.each([
    {},
    { origin: 'a' },
    { origin: 'a', target: 'b', attackers: '3' },
    { attackers: '3', defenders: '0' },
    { attackers: '3', defenders: '-1' },
    { attackers: '3', defenders: '1.5' },
    { attackers: '3', defenders: '1e3' },
    { attackers: '03', defenders: '1' },
    { attackers: '3', defenders: '1', bastion: 'yes' },
    { attackers: 3, defenders: 1 },
  ])('malformed: %j', (query) => expect(rules.schemas.oddsQuery.safeParse(query).success).toBe(false))
})
