import { describe, expect, test } from 'vitest'
import type { ConquestEvent } from '../../shared/conquest/events.ts'
import { UNKNOWN } from '../../shared/game-rules.ts'
import { board, rules } from '../support/conquest-boards.ts'

const LINE =
  'isles red/blue/green red draft+3 a:red:5 b:red:1 c:blue:2 d:blue:3 e:green:1 f:green:1 g:green:1 hands=red:a+wild-1,blue:b discards=c+d+e face-down=f dial=1 since=1000'
const seen = (seat: number | null, open = false) => rules.view(board(LINE), { seat, open })

describe('a hand is known to its commander alone, its size to all', () => {
  test.each([
    [1, [['a', 'wild-1'], UNKNOWN, UNKNOWN]],
    [2, [UNKNOWN, ['b'], UNKNOWN]],
    [3, [UNKNOWN, UNKNOWN, []]],
    [null, [UNKNOWN, UNKNOWN, UNKNOWN]],
  ])('to seat %j', (seat, hands) => {
    expect(seen(seat).commanders.map(({ hand }) => hand)).toEqual(hands)
    expect(seen(seat).commanders.map(({ cards }) => cards)).toEqual([2, 1, 0])
  })
  test('what lies face down is unknown, also to who laid it; its count and the deck’s are not', () => {
    for (const seat of [1, 2, 3, null]) {
      expect(seen(seat).discards).toEqual({ faceUp: ['c', 'd', 'e'], faceDown: 1 })
      expect(seen(seat).revealed).toBe(UNKNOWN)
      expect(seen(seat).deck).toBe(2)
    }
  })
  test('after the end everything is public', () => {
    expect(seen(null, true).commanders.map(({ hand }) => hand)).toEqual([['a', 'wild-1'], ['b'], []])
    expect(seen(null, true).revealed).toEqual(['f'])
  })
})

test('what a turn shows', () => {
  expect(seen(null)).toMatchObject({
    map: 'isles',
    mapVersion: 1,
    phase: 'draft',
    seat: 1,
    task: 'turn-1',
    since: 1000,
    until: 259_201_000,
    turn: 1,
    round: 1,
    pool: 3,
    conquered: false,
    occupation: null,
    territories: { a: { owner: 1, armies: 5 }, g: { owner: 3, armies: 1 } },
    turnOrder: [1, 2, 3],
    dial: { traded: 1, pays: { 'any set': 6 } },
    ranking: null,
  })
})

test('a pending occupation shows its range', () => {
  const line = 'ring3 red/blue red occupy:a>b:2 a:red:5 b:red:0 c:blue:1 conquered'
  expect(rules.view(board(line), { seat: null, open: false }).occupation).toEqual({
    origin: 'a',
    target: 'b',
    least: 2,
    most: 4,
  })
})

describe('events', () => {
  const drawn: ConquestEvent = { type: 'cardDrawn', seat: 1, card: 'a' }
  const taken: ConquestEvent = { type: 'handTaken', seat: 1, rival: 2, cards: ['b', 'c'], count: 2 }
  const as = (event: ConquestEvent, seat: number | null, open = false) => rules.redactEvent(event, { seat, open })

  test('a card drawn is known to who drew it', () => {
    expect(as(drawn, 1)).toBe(drawn)
    for (const seat of [2, 3, null]) expect(as(drawn, seat)).toEqual({ ...drawn, card: UNKNOWN })
  })
  test('a hand taken is known to taker and loser; others learn its size', () => {
    expect(as(taken, 1)).toBe(taken)
    expect(as(taken, 2)).toBe(taken)
    for (const seat of [3, null]) expect(as(taken, seat)).toEqual({ ...taken, cards: UNKNOWN })
  })
  test('after the end all is open', () => {
    expect(as(drawn, null, true)).toBe(drawn)
    expect(as(taken, 3, true)).toBe(taken)
  })
  test('their types are salted; no command hides anything', () => {
    expect(rules.hidden).toEqual({ commands: [], events: ['cardDrawn', 'handTaken'] })
    const trade = { type: 'trade', cards: ['a', 'b', 'c'] } as const
    expect(rules.redactCommand({ ...trade, cards: [...trade.cards] }, 1, { seat: 2, open: false })).toEqual(trade)
  })
  test('a redacted event is well-formed', () => {
    for (const event of [as(drawn, 2), as(taken, null)]) expect(rules.schemas.event.parse(event)).toEqual(event)
  })
})
