// Exact odds against published values, an independent evaluation in fractions, and the mistakes the rules warn of.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type BattleOdds,
  type BattleQuery,
  battleOdds,
  conquestOdds,
  conquestProbability,
  createOdds,
  MOST_ARMIES_FOR_ODDS,
  MOST_ROLLS,
  rollOdds,
} from '../../shared/conquest/odds'
import reference from '../reference/odds-small.json'

const GOOD = 1e-12

function expectNear(actual: number | null, exact: number, scale = 1) {
  expect(actual).not.toBeNull()
  expect(Math.abs(actual! - exact)).toBeLessThanOrEqual(GOOD * scale)
}

function parseFraction(fraction: string): number {
  const [numerator, denominator] = fraction.split('/')
  return Number(numerator) / Number(denominator)
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0)
const range = (least: number, most: number) => Array.from({ length: most - least + 1 }, (_, i) => least + i)
const both = [false, true]

describe('one roll (R12–R14)', () => {
  // In the reference 1v3 is one attack die against the three dice of a Bastion.
  it.each(Object.entries(reference.singleRoll))('%s counts every showing as the reference does', (name, roll) => {
    const [dice, defenceDice] = name.split('v').map(Number)
    const odds = rollOdds({ dice: dice!, defenders: defenceDice!, bastion: defenceDice === 3 })
    const ways = Object.fromEntries(
      odds.losses.map((pair) => [`A-${pair.attackersLost},D-${pair.defendersLost}`, pair]),
    )
    expect(Object.keys(ways).sort()).toEqual(Object.keys(roll.ways).sort())
    for (const [pair, count] of Object.entries(roll.ways)) {
      expect(ways[pair]!.ways).toBe(count)
      expect(ways[pair]!.total).toBe(roll.total)
      expectNear(ways[pair]!.probability, parseFraction(roll.prob[pair as keyof typeof roll.prob]!))
    }
    expectNear(odds.attackersLost, parseFraction(roll.expAttLoss))
    expectNear(odds.defendersLost, parseFraction(roll.expDefLoss))
  })

  it('covers every kind of roll there is', () => {
    expect(Object.keys(reference.singleRoll)).toHaveLength(9)
  })

  it('lists the pairs from fewest attackers lost', () => {
    const { losses } = rollOdds({ dice: 3, defenders: 7, bastion: true })
    expect(losses.map((pair) => [pair.attackersLost, pair.defendersLost])).toEqual([
      [0, 2],
      [1, 1],
      [2, 0],
    ])
  })

  it('lets a Bastion roll three dice from three armies on, and any other territory two at most', () => {
    const total = (defenders: number, bastion: boolean) => rollOdds({ dice: 3, defenders, bastion }).losses[0]!.total
    expect([1, 2, 3, 4, 5000].map((defenders) => total(defenders, true))).toEqual([
      6 ** 4,
      6 ** 5,
      6 ** 6,
      6 ** 6,
      6 ** 6,
    ])
    expect([1, 2, 3, 4, 5000].map((defenders) => total(defenders, false))).toEqual([6 ** 4, ...Array(4).fill(6 ** 5)])
  })

  it('does not limit defence dice by attack dice: one die against two wins 55 of 216', () => {
    const [won] = rollOdds({ dice: 1, defenders: 2, bastion: false }).losses
    expect(won).toEqual({ attackersLost: 0, defendersLost: 1, ways: 55, total: 216, probability: 55 / 216 })
  })

  it('gives ties to the defender and compares two pairs at most', () => {
    expect(rollOdds({ dice: 1, defenders: 1, bastion: false }).losses.map((pair) => pair.ways)).toEqual([15, 21])
    for (const pair of rollOdds({ dice: 3, defenders: 3, bastion: true }).losses)
      expect(pair.attackersLost + pair.defendersLost).toBe(2)
  })

  it.each([
    [{ dice: 0, defenders: 1 }, 'dice must be an integer from 1 to 3'],
    [{ dice: 4, defenders: 1 }, 'dice must be an integer from 1 to 3'],
    [{ dice: 1.5, defenders: 1 }, 'dice must be an integer from 1 to 3'],
    [{ dice: 1, defenders: 0 }, /^defenders must be an integer from 1 to/],
    [{ dice: 1, defenders: Number.NaN }, /^defenders must be an integer from 1 to/],
    [{ dice: 1, defenders: Number.POSITIVE_INFINITY }, /^defenders must be an integer from 1 to/],
  ])('refuses %j', (query, message) => {
    expect(() => rollOdds({ ...query, bastion: false })).toThrow(RangeError)
    expect(() => rollOdds({ ...query, bastion: false })).toThrow(message)
  })
})

describe('fighting on, against the reference', () => {
  const battles = both.flatMap((bastion) =>
    Object.entries(reference.battle[bastion ? 'bastion' : 'normal']).map(([name, exact]) => ({ name, bastion, exact })),
  )

  it('has all 56 battles of 2–8 against 1–8, with and without a Bastion', () => {
    expect(battles).toHaveLength(112)
  })

  it.each(battles)('$name, Bastion $bastion', ({ name, bastion, exact }) => {
    const [attackers, defenders] = name.split('v').map(Number) as [number, number]
    const odds = battleOdds({ attackers, defenders, bastion })
    expectNear(odds.conquest, parseFraction(exact.win))
    expectNear(odds.attackersLeftIfConquered, parseFraction(exact.attLeftOnWin))
    expectNear(odds.defendersLeftIfHeld, parseFraction(exact.defLeftOnLoss))
    expectNear(odds.attackersLost, parseFraction(exact.attLost))
    expectNear(odds.defendersLost, parseFraction(exact.defLost))
    expectNear(odds.stopped, 1 - parseFraction(exact.win))
    expect(odds.undecided).toBe(0)
    const toTheEnd = conquestOdds(attackers, defenders, bastion)
    expectNear(toTheEnd.conquest, parseFraction(exact.win))
    expectNear(toTheEnd.attackersLost, parseFraction(exact.attLost))
    expectNear(toTheEnd.defendersLost, parseFraction(exact.defLost))
    expect(conquestProbability(attackers, defenders, bastion)).toBe(toTheEnd.conquest)
  })

  it.each(Object.entries(reference.distributions))('%s ends as the reference says', (name, exact) => {
    const [, attackers, defenders, bastion] = /^(\d+)v(\d+)(b?)$/.exec(name)!
    const { outcomes } = battleOdds({
      attackers: Number(attackers),
      defenders: Number(defenders),
      bastion: bastion === 'b',
    })
    expect(outcomes.map((outcome) => `a${outcome.attackers}d${outcome.defenders}`).sort()).toEqual(
      Object.keys(exact).sort(),
    )
    for (const outcome of outcomes)
      expectNear(
        outcome.probability,
        parseFraction((exact as Record<string, string>)[`a${outcome.attackers}d${outcome.defenders}`]!),
      )
  })

  it.each([
    [false, 460.298436029858],
    [true, 279.871743167554],
  ])('sums over 2..30 against 1..30, Bastion %s', (bastion, exact) => {
    const pairs = range(2, 30).flatMap((attackers) => range(1, 30).map((defenders) => ({ attackers, defenders })))
    expectNear(sum(pairs.map((pair) => conquestProbability(pair.attackers, pair.defenders, bastion))), exact)
    expectNear(sum(pairs.map((pair) => battleOdds({ ...pair, bastion }).conquest)), exact)
  })

  it('takes the Bastion anew at each roll: 4 armies against 3 conquer with .3265, not .1943', () => {
    expect(battleOdds({ attackers: 4, defenders: 3, bastion: true }).conquest.toFixed(4)).toBe('0.3265')
  })
})

// An evaluation that shares nothing with the one under test: all dice shown and sorted, fractions of big integers, recursion.
type Fraction = readonly [bigint, bigint]

function reduced(numerator: bigint, denominator: bigint): Fraction {
  let [a, b] = [numerator, denominator]
  while (b > 0n) [a, b] = [b, a % b]
  return [numerator / a, denominator / a]
}

const plus = ([a, b]: Fraction, [c, d]: Fraction) => reduced(a * d + c * b, b * d)
const times = ([a, b]: Fraction, [c, d]: Fraction) => reduced(a * c, b * d)
const toDouble = ([a, b]: Fraction) => Number((a * 10n ** 30n) / b) / 1e30

function showings(dice: number): number[][] {
  return dice === 0 ? [[]] : showings(dice - 1).flatMap((faces) => range(1, 6).map((face) => [...faces, face]))
}

const countedRolls = new Map<string, Map<number, bigint>>()

function countedRoll(dice: number, defenceDice: number): Map<number, bigint> {
  const key = `${dice} ${defenceDice}`
  const known = countedRolls.get(key)
  if (known) return known
  const best = (faces: number[]) => [...faces].sort((a, b) => b - a).slice(0, 2)
  const counted = new Map<number, bigint>()
  const defences = showings(defenceDice).map(best)
  for (const attack of showings(dice).map(best))
    for (const defence of defences) {
      const pairs = Math.min(attack.length, defence.length)
      const lost = attack.slice(0, pairs).filter((face, i) => face <= defence[i]!).length
      counted.set(lost, (counted.get(lost) ?? 0n) + 1n)
    }
  countedRolls.set(key, counted)
  return counted
}

interface Limits {
  readonly bastion: boolean
  readonly stopAt: number
}

const foughtOut = new Map<string, ReadonlyMap<string, Fraction>>()

function fightOut(attackers: number, defenders: number, rolls: number, limits: Limits): ReadonlyMap<string, Fraction> {
  if (defenders === 0 || attackers <= limits.stopAt || rolls === 0)
    return new Map([[`${attackers} ${defenders}`, [1n, 1n] as const]])
  const key = JSON.stringify([attackers, defenders, rolls, limits])
  const known = foughtOut.get(key)
  if (known) return known
  const dice = attackers > 3 ? 3 : attackers - 1
  const defenceDice = limits.bastion && defenders >= 3 ? 3 : defenders >= 2 ? 2 : 1
  const fallen = Math.min(dice, defenceDice, 2)
  const ends = new Map<string, Fraction>()
  for (const [lost, ways] of countedRoll(dice, defenceDice))
    for (const [end, chance] of fightOut(attackers - lost, defenders - (fallen - lost), rolls - 1, limits)) {
      const share = times(chance, reduced(ways, 6n ** BigInt(dice + defenceDice)))
      ends.set(end, plus(ends.get(end) ?? [0n, 1n], share))
    }
  foughtOut.set(key, ends)
  return ends
}

function expectAgreement(query: BattleQuery) {
  const { attackers, defenders, bastion, stopAt = 1, maxRolls = MOST_ROLLS } = query
  const odds = battleOdds(query)
  const exact = fightOut(attackers, defenders, maxRolls, { bastion, stopAt })
  expect(new Set(odds.outcomes.map((end) => `${end.attackers} ${end.defenders}`))).toEqual(new Set(exact.keys()))
  for (const end of odds.outcomes)
    expectNear(end.probability, toDouble(exact.get(`${end.attackers} ${end.defenders}`)!))

  const expected = (measure: (left: number, garrison: number) => number) =>
    sum(
      [...exact].map(
        ([end, chance]) => toDouble(chance) * measure(...(end.split(' ').map(Number) as [number, number])),
      ),
    )
  expectNear(
    odds.conquest,
    expected((_, garrison) => (garrison === 0 ? 1 : 0)),
  )
  expectNear(
    odds.stopped,
    expected((left, garrison) => (garrison > 0 && left <= stopAt ? 1 : 0)),
  )
  expectNear(
    odds.undecided,
    expected((left, garrison) => (garrison > 0 && left > stopAt ? 1 : 0)),
  )
  expectNear(
    odds.attackersLost,
    expected((left) => attackers - left),
  )
  expectNear(
    odds.defendersLost,
    expected((_, garrison) => defenders - garrison),
  )
}

describe('fighting on, against fractions', () => {
  it('agrees for every small battle fought to the end', () => {
    for (const bastion of both)
      for (const attackers of range(2, 9))
        for (const defenders of range(1, 7)) expectAgreement({ attackers, defenders, bastion })
  })

  it('agrees for every stopAt and every limit of rolls that can bind in 6 against 4', () => {
    for (const bastion of both)
      for (const stopAt of range(1, 5))
        for (const maxRolls of range(1, 9)) expectAgreement({ attackers: 6, defenders: 4, bastion, stopAt, maxRolls })
  })

  it('agrees for any battle, stopAt and limit of rolls', () => {
    const query = fc
      .record({ attackers: fc.integer({ min: 2, max: 12 }), defenders: fc.integer({ min: 1, max: 10 }) })
      .chain(({ attackers, defenders }) =>
        fc.record({
          attackers: fc.constant(attackers),
          defenders: fc.constant(defenders),
          bastion: fc.boolean(),
          stopAt: fc.integer({ min: 1, max: attackers - 1 }),
          maxRolls: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(MOST_ROLLS)),
        }),
      )
    fc.assert(fc.property(query, expectAgreement), { numRuns: 150 })
  })
})

function expectSound({ attackers, defenders }: BattleQuery, odds: BattleOdds) {
  const over = (measure: (end: BattleOdds['outcomes'][number]) => number) =>
    sum(odds.outcomes.map((end) => end.probability * measure(end)))
  expectNear(
    over(() => 1),
    1,
  )
  expectNear(odds.conquest + odds.stopped + odds.undecided, 1)
  expectNear(
    over((end) => attackers - end.attackers),
    odds.attackersLost,
    attackers,
  )
  expectNear(
    over((end) => defenders - end.defenders),
    odds.defendersLost,
    defenders,
  )
  const survivors = odds.conquest * (odds.attackersLeftIfConquered ?? 0)
  expectNear(
    survivors,
    over((end) => (end.defenders === 0 ? end.attackers : 0)),
    attackers,
  )
  const garrison = (odds.stopped + odds.undecided) * (odds.defendersLeftIfHeld ?? 0)
  expectNear(
    garrison,
    over((end) => end.defenders),
    defenders,
  )
}

describe('fighting on (R17)', () => {
  it('gives outcomes that sum to 1 and carry the expected losses, at any size', () => {
    const query = fc
      .record({ attackers: fc.integer({ min: 2, max: 200 }), defenders: fc.integer({ min: 1, max: 200 }) })
      .chain(({ attackers, defenders }) =>
        fc.record(
          {
            attackers: fc.constant(attackers),
            defenders: fc.constant(defenders),
            bastion: fc.boolean(),
            stopAt: fc.integer({ min: 1, max: attackers - 1 }),
            maxRolls: fc.integer({ min: 1, max: MOST_ROLLS }),
          },
          { requiredKeys: ['attackers', 'defenders', 'bastion'] },
        ),
      )
    fc.assert(fc.property(query, (asked) => expectSound(asked, battleOdds(asked))))
  })

  it('orders the outcomes: conquests first, then fewest defenders, most attackers first', () => {
    const { outcomes } = battleOdds({ attackers: 4, defenders: 3, bastion: true })
    expect(outcomes.map((end) => [end.attackers, end.defenders])).toEqual([
      [4, 0],
      [3, 0],
      [2, 0],
      [1, 1],
      [1, 2],
      [1, 3],
    ])
  })

  it('may overshoot stopAt by one, as dice are not held back', () => {
    const { outcomes, stopped } = battleOdds({ attackers: 5, defenders: 6, bastion: false, stopAt: 4 })
    expect(outcomes.map((end) => [end.attackers, end.defenders])).toEqual([
      [5, 0],
      [4, 1],
      [3, 2],
      [4, 3],
      [3, 4],
      [4, 5],
      [3, 6],
    ])
    expect(outcomes.find((end) => end.attackers === 3 && end.defenders === 6)!.probability).toBe(2275 / 7776)
    expectNear(stopped, 1 - (2890 / 7776) ** 3)
  })

  it('goes below stopAt by two in no battle', () => {
    for (const bastion of both)
      for (const stopAt of range(1, 11))
        for (const end of battleOdds({ attackers: 12, defenders: 9, bastion, stopAt }).outcomes)
          expect(end.attackers).toBeGreaterThanOrEqual(Math.max(1, stopAt - 1))
  })

  it('ends when the rolls run out: one roll leaves what one roll may leave', () => {
    const odds = battleOdds({ attackers: 6, defenders: 5, bastion: true, maxRolls: 1 })
    expect(odds.outcomes).toEqual([
      { attackers: 6, defenders: 3, probability: 10767 / 46656 },
      { attackers: 5, defenders: 4, probability: 13671 / 46656 },
      { attackers: 4, defenders: 5, probability: 22218 / 46656 },
    ])
    expectNear(odds.undecided, 1)
    expect(odds).toMatchObject({ conquest: 0, stopped: 0, attackersLeftIfConquered: null })
  })

  it('names its defaults: down to one army, 500 rolls', () => {
    const battle = { attackers: 9, defenders: 6, bastion: true }
    expect(battleOdds({ ...battle, stopAt: 1, maxRolls: 500 })).toEqual(battleOdds(battle))
    expect(battleOdds({ ...battle, stopAt: undefined, maxRolls: undefined })).toEqual(battleOdds(battle))
    expect(MOST_ROLLS).toBe(500)
  })

  it('is likelier to conquer with an army more and less likely against an army more', () => {
    for (const bastion of both)
      for (const attackers of range(2, 80))
        for (const defenders of range(1, 80)) {
          const conquest = conquestProbability(attackers, defenders, bastion)
          const more = conquestProbability(attackers + 1, defenders, bastion)
          const against = conquestProbability(attackers, defenders + 1, bastion)
          // Next to certainty a double cannot tell neighbours apart.
          if (conquest < 1 - GOOD) {
            expect(more).toBeGreaterThan(conquest)
            expect(against).toBeLessThan(conquest)
          } else {
            expect(more).toBeGreaterThanOrEqual(conquest - GOOD)
            expect(against).toBeLessThanOrEqual(conquest + GOOD)
          }
        }
  })

  it('is never likelier against a Bastion, and the same while fewer than three defend it', () => {
    for (const attackers of range(2, 40))
      for (const defenders of range(1, 40)) {
        const normal = conquestProbability(attackers, defenders, false)
        const bastion = conquestProbability(attackers, defenders, true)
        if (defenders < 3) expect(bastion).toBe(normal)
        else expect(bastion).toBeLessThan(normal)
      }
  })
})

describe('size and memory', () => {
  it('answers the largest battle, and refuses one army more on either side', () => {
    expect(MOST_ARMIES_FOR_ODDS).toBe(1000)
    for (const bastion of both) {
      const largest = { attackers: 1000, defenders: 1000, bastion }
      expectSound(largest, battleOdds(largest))
      expectSound(largest, battleOdds({ ...largest, stopAt: 700 }))
    }
    expect(() => battleOdds({ attackers: 1001, defenders: 1000, bastion: false })).toThrow(
      new RangeError('attackers must be an integer from 2 to 1000'),
    )
    expect(() => battleOdds({ attackers: 1000, defenders: 1001, bastion: false })).toThrow(
      new RangeError('defenders must be an integer from 1 to 1000'),
    )
  })

  it('agrees by table, beyond the table, and roll by roll', () => {
    for (const [attackers, defenders] of [
      [30, 30],
      [33, 31],
      [256, 244],
      [257, 243],
      [243, 257],
      [2, 498],
      [499, 1],
    ] as const)
      for (const bastion of both) {
        const odds = battleOdds({ attackers, defenders, bastion })
        const toTheEnd = conquestOdds(attackers, defenders, bastion)
        expectNear(odds.conquest, toTheEnd.conquest)
        expectNear(odds.attackersLost, toTheEnd.attackersLost, attackers)
        expectNear(odds.defendersLost, toTheEnd.defendersLost, defenders)
        expect(conquestProbability(attackers, defenders, bastion)).toBe(toTheEnd.conquest)
      }
  })

  it('fights to the end over as many assaults as it takes', () => {
    expect(conquestProbability(1000, 1000, false)).toBeGreaterThan(0.99)
    expect(conquestProbability(1000, 1000, true)).toBeLessThan(0.01)
    expect(battleOdds({ attackers: 1000, defenders: 1000, bastion: false }).undecided).toBeGreaterThan(0.99)
  })

  it('says the same whatever was asked before', () => {
    const warm = createOdds()
    for (const size of [300, 20, 100, 3]) warm.conquestOdds(size, size, true)
    for (const size of [3, 20, 100, 300])
      expect(warm.conquestOdds(size, size, true)).toEqual(createOdds().conquestOdds(size, size, true))
  })

  it('gives the kept answer again, and forgets the one not asked for longest', () => {
    const odds = createOdds()
    const ask = (attackers: number, maxRolls: number) =>
      odds.battleOdds({ attackers, defenders: 2, bastion: false, maxRolls })
    const first = ask(5, 1)
    const second = ask(5, 2)
    for (const maxRolls of range(1, 254)) ask(6, maxRolls)
    expect(ask(5, 1)).toBe(first)
    ask(7, 1)
    expect(ask(5, 1)).toBe(first)
    expect(ask(5, 2)).not.toBe(second)
    expect(ask(5, 2)).toEqual(second)
  })

  it('gives answers that nobody can change', () => {
    const odds = battleOdds({ attackers: 5, defenders: 4, bastion: true })
    const roll = rollOdds({ dice: 2, defenders: 4, bastion: true })
    for (const answer of [odds, odds.outcomes, ...odds.outcomes, roll, roll.losses, ...roll.losses])
      expect(Object.isFrozen(answer)).toBe(true)
  })
})

describe('refusals', () => {
  const battle = { attackers: 10, defenders: 10, bastion: false }
  const wrong = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '3', null, 3n] as number[]

  it.each([
    ['attackers', 'attackers must be an integer from 2 to 1000', [1, ...wrong]],
    ['defenders', 'defenders must be an integer from 1 to 1000', wrong],
    ['stopAt', 'stopAt must be an integer from 1 to 9', [10, 11, ...wrong]],
    ['maxRolls', 'maxRolls must be an integer from 1 to 500', [501, ...wrong]],
  ])('refuses %s out of range, and never clamps', (field, message, values) => {
    for (const value of values) expect(() => battleOdds({ ...battle, [field]: value })).toThrow(new RangeError(message))
  })

  it.each([conquestOdds, conquestProbability])('refuses armies out of range on the way by table', (ask) => {
    for (const value of [1, 1001, ...wrong])
      expect(() => ask(value, 5, false)).toThrow(new RangeError('attackers must be an integer from 2 to 1000'))
    for (const value of [1001, ...wrong])
      expect(() => ask(5, value, true)).toThrow(new RangeError('defenders must be an integer from 1 to 1000'))
  })

  it('takes the edges of every range', () => {
    expect(battleOdds({ attackers: 2, defenders: 1, bastion: true, stopAt: 1, maxRolls: 1 }).conquest).toBe(15 / 36)
    expect(battleOdds({ ...battle, stopAt: 9, maxRolls: 500 }).stopped).toBeGreaterThan(0)
  })
})
