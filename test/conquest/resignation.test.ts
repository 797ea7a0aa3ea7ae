import { describe, expect, test } from 'vitest'
import { rules } from '../support/conquest-boards.ts'
import { attack, dice, endTurn, given, resign } from '../support/conquest-given.ts'

const LAND = 'a:red:5 b:red:1 c:blue:2 d:blue:3 e:green:1 f:green:1 g:green:1'
const GREY = 'a:grey:5 b:grey:1 c:blue:2 d:blue:3 e:green:1 f:green:1 g:green:1'
const BOARD = `isles red/blue/green red attack ${LAND}`

describe('R24 resigning', () => {
  test('on the own turn: land and armies become the garrison’s, the hand goes face down, no card is drawn, it passes on', () => {
    given(`${BOARD} conquered hands=red:a+b,blue:c`)
      .when(resign)
      .tells('commanderResigned', 'turnBegan')
      .becomes(`isles red/blue/green blue draft+3 ${GREY} turn=2 hands=blue:c face-down=a+b fallen=red!`)
  })
  test('unplaced armies are lost', () => {
    given(BOARD.replace('attack', 'draft+5'))
      .when(resign)
      .becomes(`isles red/blue/green blue draft+3 ${GREY} turn=2 fallen=red!`)
  })
  test('while a trade is due', () => {
    given(`${BOARD.replace('attack', 'trade')} hands=red:a+b+c+d+e+f`)
      .when(resign)
      .becomes(`isles red/blue/green blue draft+3 ${GREY} turn=2 face-down=a+b+c+d+e+f fallen=red!`)
  })
  test('a pending occupation is first settled with the least', () => {
    given(
      'isles red/blue/green red occupy:a>c:2 a:red:5 b:red:1 c:red:0 d:blue:3 e:green:1 f:green:1 g:green:1 conquered conquests=1,0,0',
    )
      .when(resign)
      .tells('territoryOccupied', 'commanderResigned', 'turnBegan')
      .becomes(
        'isles red/blue/green blue draft+3 a:grey:3 b:grey:1 c:grey:2 d:blue:3 e:green:1 f:green:1 g:green:1 turn=2 conquests=1,0,0 fallen=red!',
      )
  })
  test('out of turn: the turn goes on', () => {
    given(`${BOARD} hands=green:a`)
      .when(resign, [], 3)
      .tells('commanderResigned')
      .becomes(`isles red/blue/green red attack ${LAND.replaceAll('green', 'grey')} face-down=a fallen=green!`)
  })
  test('out of turn, another’s pending occupation stays pending', () => {
    const pending =
      'isles red/blue/green red occupy:a>c:2 a:red:5 b:red:1 c:red:0 d:blue:3 e:green:1 f:green:1 g:green:1 conquered'
    given(pending)
      .when(resign, [], 2)
      .becomes(`${pending.replace('blue:3', 'grey:3')} fallen=blue!`)
  })
  test('taking the last of that land later eliminates nobody and yields no cards', () => {
    given(
      `isles red/blue/green red attack ${LAND.replace('c:blue', 'c:grey').replace('d:blue', 'd:green')} face-down=a fallen=blue!`,
    )
      .when(attack('a', 'c', 3), dice(6, 6, 6, 1, 1))
      .tells('battleFought', 'territoryConquered')
  })
  test('who has fallen, or was never there, cannot resign', () => {
    given(`${BOARD} fallen=blue!`).when(resign, [], 2).refused('not-a-living-commander')
    given(BOARD).when(resign, [], 4).refused('not-a-living-commander')
    given(BOARD).when(resign, [], 'server').refused('not-a-living-commander')
  })
  test('the last resignation ends the game', () => {
    given(`isles red/blue red attack ${LAND.replaceAll('green', 'grey')} hands=red:a`)
      .when(resign)
      .tells('commanderResigned', 'gameOver')
      .becomes(`isles red/blue - over:resignation:blue/red ${GREY.replaceAll('green', 'grey')} face-down=a fallen=red!`)
  })
  test('it settles the winner’s pending occupation with the least; due trades lapse; game over is the last event', () => {
    given(
      'isles red/blue red occupy:a>c:2 a:red:5 b:red:1 c:red:0 d:blue:3 e:grey:1 f:grey:1 g:grey:1 conquered hands=red:a+b+c+d+e+f',
    )
      .when(resign, [], 2)
      .tells('commanderResigned', 'territoryOccupied', 'gameOver')
      .becomes(
        'isles red/blue - over:resignation:red/blue a:red:3 b:red:1 c:red:2 d:grey:3 e:grey:1 f:grey:1 g:grey:1 hands=red:a+b+c+d+e+f fallen=blue!',
      )
  })
  test('unplaced armies of the winner lapse', () => {
    given('ring3 red/blue red draft+5 a:red:1 b:blue:1 c:grey:1')
      .when(resign, [], 2)
      .becomes('ring3 red/blue - over:resignation:red/blue a:red:1 b:grey:1 c:grey:1 fallen=blue!')
  })
  test('before the start and after the end it is refused', () => {
    given('ring3 2 - opening a:free b:free c:free reserves=0,0').when(resign).refused('game-not-running')
  })
  test('it alone may be decided again on a newer board', () => {
    expect(rules.mayRetry(resign)).toBe(true)
    expect(rules.mayRetry(endTurn)).toBe(false)
    expect(rules.mayRetry(attack('a', 'b', 1))).toBe(false)
  })
})

describe('R24 in the setup', () => {
  const CLAIM = 'isles blue/green/red'
  const free = 'a:free b:free c:red:1 d:free e:free f:green:1 g:free'
  const tail = 'setup=claim'
  test('on the own claim step it passes on; free territories stay claimable', () => {
    given(`${CLAIM} red claim ${free} ${tail} reserves=7,8,7 step=3`)
      .when(resign)
      .tells('commanderResigned', 'claimAwaited')
      .becomes(`${CLAIM} blue claim ${free.replace('red', 'grey')} ${tail} reserves=0,8,7 step=4 fallen=red!`)
  })
  test('out of step nothing else changes; owning nothing is no elimination', () => {
    given(`${CLAIM} red claim ${free} ${tail} reserves=7,8,7 step=3`)
      .when(resign, [], 2)
      .becomes(`${CLAIM} red claim ${free} ${tail} reserves=7,0,7 step=3 fallen=blue!`)
  })
  test('on the own placement step it passes on; the armies left are lost', () => {
    const land = 'a:blue:1 b:green:1 c:red:1 d:blue:1 e:green:1 f:green:1 g:red:1'
    given(`${CLAIM} red place ${land} ${tail} reserves=5,0,6 step=9`)
      .when(resign)
      .tells('commanderResigned', 'placementAwaited')
      .becomes(`${CLAIM} green place ${land.replaceAll('red', 'grey')} ${tail} reserves=0,0,6 step=10 fallen=red!`)
    given(`${CLAIM} red place ${land} ${tail} reserves=5,0,0 step=9`)
      .when(resign)
      .tells('commanderResigned', 'turnBegan')
      .becomes(`${CLAIM} blue draft+3 ${land.replaceAll('red', 'grey')} ${tail} fallen=red!`)
  })
  test('if the first in turn order resigned, the next who lives opens play', () => {
    const land = 'a:grey:1 b:green:1 c:red:1 d:grey:1 e:green:1 f:green:1 g:red:1'
    given(`${CLAIM} red place ${land} ${tail} reserves=1,0,0 step=9 fallen=blue!`)
      .when({ type: 'deploy', placements: [{ territory: 'c', armies: 1 }] })
      .becomes(`${CLAIM} green draft+3 ${land.replace('c:red:1', 'c:red:2')} ${tail} fallen=blue!`)
  })
  test('the last rival’s resignation ends the game', () => {
    given(`${CLAIM} red claim ${free} ${tail} reserves=7,0,7 step=3 fallen=blue!`)
      .when(resign, [], 3)
      .tells('commanderResigned', 'gameOver')
      .becomes(
        `${CLAIM} - over:resignation:red/green/blue ${free.replace('green', 'grey')} ${tail} turn=0 round=0 fallen=blue!,green!`,
      )
  })
})
