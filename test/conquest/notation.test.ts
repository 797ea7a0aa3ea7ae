import { describe, expect, test } from 'vitest'
import { board, rules } from '../support/conquest-boards.ts'

const LAND = 'a:red:3 b:blue:1 c:grey:2'

test('what is usual is left out', () => {
  const line = `ring3 red/blue red attack ${LAND}`
  expect(rules.position(board(line))).toBe(line)
  expect(board(line)).toMatchObject({
    seats: 2,
    order: [1, 2],
    owners: [1, 2, 0],
    armies: [3, 1, 2],
    hands: [[], []],
    dial: 0,
    situation: { phase: 'attack', seat: 1, turn: 1, round: 1, conquered: false, since: 0 },
  })
})

describe('each word goes there and back', () => {
  test.each([
    'ring3 2 - opening a:free b:free c:free reserves=3,3',
    'ring3 blue/red red claim a:free b:blue:1 c:grey:2 setup=claim reserves=2,3 step=2',
    `ring3 blue/red blue place ${LAND} setup=claim reserves=0,5 step=12 since=1764553200000`,
    `ring3 red/blue red draft ${LAND} turn=3 round=2`,
    `ring3 red/blue red draft+12 ${LAND}`,
    `ring3 red/blue red occupy:a>b:2 ${LAND} conquered`,
    `ring3 red/blue red trade+4 ${LAND} conquered hands=red:a+b+c+wild-1+wild-2`,
    `ring3 red/blue red deploy+4 ${LAND}`,
    `ring3 red/blue/green - over:round-limit:red+blue/green ${LAND} rounds=9 turn=27 round=9 fallen=green!`,
    `ring3 red/blue/green red attack ${LAND} handicap=balanced bastions=off cards=fixed seconds=none misses-to-resign=3`,
    `ring3 red/blue/green red attack ${LAND} seconds=60 hands=red:a+?,green:?+? discards=c face-down=? dial=4`,
    `ring3 red/blue/green red attack ${LAND} misses=0,1,0 conquests=1,2,3 eliminations=0,0,1 fallen=blue,green!`,
  ])('%s', (line) => expect(rules.position(board(line))).toBe(line))
})

describe('what is no position', () => {
  test.each([
    ['no map', 'ring4 red/blue red attack a:red:1 b:red:1 c:red:1'],
    ['no map', '__proto__ red/blue red attack a:red:1 b:red:1 c:red:1'],
    ['no commander', `ring3 red/pink red attack ${LAND}`],
    ['no phase', `ring3 red/blue red retreat ${LAND}`],
    ['missing', 'ring3 red/blue red attack a:red:3 b:blue:1'],
    ['belongs', 'ring3 red/blue red attack a:red:3 c:blue:1 b:grey:2'],
    ['no card', `ring3 red/blue red attack ${LAND} hands=red:z`],
    ['no ending', `ring3 red/blue - over:draw:red/blue ${LAND}`],
    ['no territory', `ring3 red/blue red occupy:a>z:2 ${LAND}`],
  ])('%s: %s', (why, line) => expect(() => board(line)).toThrow(why))
})
