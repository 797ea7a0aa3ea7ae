import { describe, expect, test } from 'vitest'
import { compareDice, defenceDice, mostAttackDice } from '../../shared/conquest/rules/battle.ts'
import { attack, dice, given } from '../support/conquest-given.ts'

describe('R12 dice', () => {
  test('one to three attack dice, and more armies than dice', () => {
    expect([2, 3, 4, 5, 100].map(mostAttackDice)).toEqual([1, 2, 3, 3, 3])
  })
  test('the defender rolls two, or one with one army', () => {
    expect([1, 2, 3, 100].map((armies) => defenceDice(armies, false))).toEqual([1, 2, 2, 2])
  })
  test('fewer attack dice do not limit the defence: two dice against one', () => {
    given('ring3 red/blue red attack a:red:5 b:blue:2 c:blue:1')
      .when(attack('a', 'b', 1), dice(6, 5, 5))
      .becomes('ring3 red/blue red attack a:red:5 b:blue:1 c:blue:1')
  })
})

describe('R13 comparison', () => {
  test.each([
    [[6, 4, 2], [5, 3], 0, 2],
    [[2, 4, 6], [3, 5], 0, 2],
    [[5, 5, 5], [5, 5], 2, 0],
    [[6, 5, 1], [6, 4], 1, 1],
    [[6], [5, 5], 0, 1],
    [[5], [5, 1], 1, 0],
    [[6, 6, 6], [5], 0, 1],
    [[1, 1, 1], [1], 1, 0],
  ])('%j against %j: %i attackers and %i defenders fall', (roll, against, attackersLost, defendersLost) => {
    expect(compareDice(roll, against)).toEqual({ attackersLost, defendersLost })
  })

  test('the example: 5 armies attack 2, 6 4 2 against 5 3, both fall; 3 or 4 may move in; moving 3 leaves 2', () => {
    const won = given('ring3 red/blue red attack a:red:5 b:blue:2 c:blue:1').when(
      attack('a', 'b', 3),
      dice(6, 4, 2, 5, 3),
    )
    won
      .tells('battleFought', 'territoryConquered')
      .becomes('ring3 red/blue red occupy:a>b:3 a:red:5 b:red:0 c:blue:1 conquered conquests=1,0')
    for (const [armies, left] of [
      [3, 2],
      [4, 1],
    ])
      given(won.after)
        .when({ type: 'occupy', armies: armies! })
        .becomes(`ring3 red/blue red attack a:red:${left} b:red:${armies} c:blue:1 conquered conquests=1,0`)
    given(won.after).when({ type: 'occupy', armies: 2 }).refused('armies-out-of-range')
    given(won.after).when({ type: 'occupy', armies: 5 }).refused('armies-out-of-range')
  })

  test('dice stand in the log as they fell', () => {
    expect(
      given('ring3 red/blue red attack a:red:4 b:blue:2 c:grey:1').when(attack('a', 'b', 3), dice(1, 6, 2, 3, 6))
        .events,
    ).toEqual([
      {
        type: 'battleFought',
        seat: 1,
        origin: 'a',
        target: 'b',
        rival: 2,
        attack: [1, 6, 2],
        defence: [3, 6],
        attackersLost: 2,
        defendersLost: 0,
      },
    ])
  })
})

describe('R14 Bastion', () => {
  test('with three or more armies it rolls three dice and keeps the best two', () => {
    expect([1, 2, 3, 4, 50].map((armies) => defenceDice(armies, true))).toEqual([1, 2, 3, 3, 3])
    given('fort3 red/blue red attack a:red:5 b:blue:3 c:blue:1')
      .when(attack('a', 'b', 3), dice(5, 4, 4, 1, 6, 4))
      .becomes('fort3 red/blue red attack a:red:3 b:blue:3 c:blue:1')
  })
  test('below three it defends normally', () => {
    given('fort3 red/blue red attack a:red:5 b:blue:2 c:blue:1')
      .when(attack('a', 'b', 1), dice(2, 1, 1))
      .becomes('fort3 red/blue red attack a:red:5 b:blue:1 c:blue:1')
  })
  test('at most two armies fall', () => {
    given('fort3 red/blue red attack a:red:5 b:blue:3 c:blue:1')
      .when(attack('a', 'b', 3), dice(6, 6, 6, 1, 1, 1))
      .becomes('fort3 red/blue red attack a:red:5 b:blue:1 c:blue:1')
  })
  test('it holds for the neutral garrison', () => {
    given('fort3 red/blue red attack a:red:5 b:grey:3 c:blue:1')
      .when(attack('a', 'b', 1), dice(6, 6, 6, 6))
      .becomes('fort3 red/blue red attack a:red:4 b:grey:3 c:blue:1')
  })
  test('it never helps an attacker', () => {
    given('fort3 red/blue red attack a:blue:2 b:red:5 c:blue:1')
      .when(attack('b', 'a', 3), dice(6, 6, 6, 5, 5))
      .tells('battleFought', 'territoryConquered')
  })
  test('V4 switches it off', () => {
    given('fort3 red/blue red attack a:red:5 b:blue:3 c:blue:1 bastions=off')
      .when(attack('a', 'b', 1), dice(2, 1, 1))
      .becomes('fort3 red/blue red attack a:red:5 b:blue:2 c:blue:1 bastions=off')
  })
})
