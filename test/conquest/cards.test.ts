import { describe, expect, test } from 'vitest'
import { type CardSet, cardById, cardId, deck, payout, setKind, setsIn } from '../../shared/conquest/rules/cards.ts'
import { board, rules, TEST_MAPS } from '../support/conquest-boards.ts'
import { deploy, endTurn, expire, fortify, given, trade } from '../support/conquest-given.ts'

const { isles } = TEST_MAPS
// Infantry a d g, cavalry b e, artillery c f.
const set = (...ids: string[]) => ids.map((id) => cardById(isles, id)!) as unknown as CardSet

const BOARD = 'isles red/blue/green red draft a:red:1 b:red:2 c:red:3 d:blue:1 e:green:1 f:green:1 g:green:1'
const with_ = (hand: string, more = '') => `${BOARD} hands=red:${hand}${more}`

describe('R20 sets', () => {
  test.each([
    ['three alike', ['a', 'd', 'g'], 'infantry'],
    ['one of each', ['a', 'b', 'c'], 'one of each'],
    ['two alike and a wild', ['b', 'e', 'wild-1'], 'cavalry'],
    ['two alike and the other wild', ['c', 'f', 'wild-2'], 'artillery'],
    ['two unlike and a wild', ['a', 'b', 'wild-2'], 'one of each'],
    ['two wilds and one', ['c', 'wild-1', 'wild-2'], 'one of each'],
    ['two alike and one other', ['a', 'd', 'b'], null],
    ['two of one, one of another', ['c', 'f', 'a'], null],
  ] as const)('%s: %j', (_, ids, kind) => expect(setKind(isles, set(...ids))).toBe(kind))

  test('any five cards hold a set', () => {
    const cards = [...isles.cards.keys()]
    const choose = (count: number, from: readonly number[]): number[][] =>
      count === 0
        ? [[]]
        : from.flatMap((card, i) => choose(count - 1, from.slice(i + 1)).map((rest) => [card, ...rest]))
    for (const hand of choose(5, cards)) expect(setsIn(isles, hand).length).toBeGreaterThan(0)
  })

  test.each([
    ['unknown-card', trade('a', 'b', 'wild-3')],
    ['unknown-card', trade('a', '__proto__', 'c')],
    ['not-in-hand', trade('a', 'g', 'c')],
    ['card-twice', trade('a', 'a', 'b')],
    ['no-set', trade('a', 'd', 'b')],
  ] as const)('%s: %j', (refusal, order) => given(with_('a+b+c+d')).when(order).refused(refusal))
  test('the fields are judged in order', () => {
    given(with_('a+b+c+d'))
      .when(trade('g', 'x', 'a'))
      .refused('not-in-hand')
    given(with_('a+b+c+d'))
      .when(trade('a', 'a', 'x'))
      .refused('card-twice')
  })
  test('in any order of naming', () => {
    given(with_('a+b+c'))
      .when(trade('c', 'a', 'b'))
      .becomes(`${BOARD.replace('draft', 'draft+4')} discards=c+a+b dial=1`)
  })
})

describe('V5 escalating, R5 one dial for the whole game', () => {
  const options = rules.schemas.options.parse({})
  test('4, 6, 8, 10, 12, 15, then five more each', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 20].map((dial) => payout(options, dial, 'infantry'))).toEqual([
      4, 6, 8, 10, 12, 15, 20, 25, 30, 90,
    ])
  })
  test('moved by every trade of anyone', () => {
    given(with_('a+b+c', ' dial=6'))
      .when(trade('a', 'b', 'c'))
      .becomes(`${BOARD.replace('draft', 'draft+20')} discards=a+b+c dial=7`)
  })
  test('R10 two sets in one draft pay successive values', () => {
    const first = given(with_('a+b+c+d+g+wild-1')).when(trade('a', 'b', 'c'))
    given(first.after)
      .when(trade('d', 'g', 'wild-1'))
      .becomes(`${BOARD.replace('draft', 'draft+10')} discards=a+b+c+d+g+wild-1 dial=2`)
  })
})

describe('V6 fixed', () => {
  test.each([
    ['three infantry', 'a+d+g', 4],
    ['two cavalry and a wild', 'b+e+wild-1', 6],
    ['two artillery and a wild', 'c+f+wild-2', 8],
    ['one of each', 'a+b+c', 10],
    ['two unlike and a wild', 'a+c+wild-1', 10],
    ['two wilds', 'b+wild-1+wild-2', 10],
  ])('%s pay %s %i', (_, hand, armies) => {
    const [first, second, third] = hand.split('+')
    given(with_(hand, ' cards=fixed dial=9'))
      .when(trade(first!, second!, third!))
      .becomes(`${BOARD.replace('draft', `draft+${armies}`)} cards=fixed discards=${hand} dial=10`)
  })
})

describe('R10 five or more cards at the start of the draft', () => {
  test.each(['a+b+c+d+e', 'a+b+c+d+e+f'])('a set must be traded before any army is placed: %s', (hand) => {
    const full = with_(hand).replace('draft', 'draft+3')
    given(full)
      .when(deploy({ a: 1 }))
      .refused('must-trade')
    given(full).when(endTurn).refused('must-trade')
    given(full)
      .when(fortify('c', 'b', 1))
      .refused('must-trade')
    const traded = given(full).when(trade('a', 'b', 'c'))
    expect(given(traded.after).when(deploy({ a: 7 })).events).toHaveLength(1)
  })
  test('with four it is optional', () => {
    given(with_('a+b+c+d')).when(endTurn).tells('turnEnded', 'turnBegan')
  })
  test('an impossible trade is judged by its fields, not by the duty', () => {
    given(with_('a+b+c+d+e'))
      .when(trade('a', 'd', 'b'))
      .refused('no-set')
  })
})

describe('R21 traded cards', () => {
  test('go to the discards face up, and owning the territory pays nothing extra', () => {
    expect(given(with_('a+b+c')).when(trade('a', 'b', 'c')).events).toEqual([
      { type: 'setTraded', seat: 1, cards: ['a', 'b', 'c'], armies: 4, set: 1 },
    ])
  })
})

describe('R19 the card at the end of a turn', () => {
  const conquered = `${BOARD.replace('draft', 'attack')} conquered`
  test('none without a conquest', () => {
    given(BOARD).when(endTurn).tells('turnEnded', 'turnBegan')
  })
  test('one with a conquest, picked from the deck in card order', () => {
    given(`${conquered} hands=blue:a+b`)
      .when(endTurn, [1])
      .becomes(`${BOARD.replace('red draft', 'blue draft+3')} turn=2 hands=red:d,blue:a+b`)
      .tells('cardDrawn', 'turnEnded', 'turnBegan')
    given(conquered)
      .when(endTurn, [8])
      .becomes(`${BOARD.replace('red draft', 'blue draft+3')} turn=2 hands=red:wild-2`)
  })
  test('after the fortify', () => {
    given(conquered)
      .when(fortify('c', 'a', 1), [0])
      .tells('armiesFortified', 'cardDrawn', 'turnEnded', 'turnBegan')
  })
  test('also when the time runs out (R25)', () => {
    given(conquered).when(expire('turn-1'), [0], 'server').tells('turnMissed', 'cardDrawn', 'turnEnded', 'turnBegan')
  })
  test('deck empty: the discards, face up and face down, become the deck', () => {
    const line = `${conquered} hands=blue:a+b+c,green:e+f discards=d+g face-down=wild-1+wild-2`
    given(line)
      .when(endTurn, [3])
      .becomes(`${BOARD.replace('red draft', 'blue draft+3')} turn=2 hands=red:wild-2,blue:a+b+c,green:e+f`)
      .tells('discardsReshuffled', 'cardDrawn', 'turnEnded', 'turnBegan')
    expect(deck(isles, given(line).when(endTurn, [3]).after).map((card) => cardId(isles, card))).toEqual([
      'd',
      'g',
      'wild-1',
    ])
  })
  test('both empty: no card', () => {
    given(`${conquered} hands=red:a+b+c,blue:d+e+f,green:g+wild-1+wild-2`).when(endTurn).tells('turnEnded', 'turnBegan')
  })
})

test('R4 card ids: the territory of each, and two wilds', () => {
  expect([...isles.cards.keys()].map((card) => cardId(isles, card))).toEqual([...'abcdefg', 'wild-1', 'wild-2'])
  expect(deck(isles, board(BOARD))).toHaveLength(9)
})
