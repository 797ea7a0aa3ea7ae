import { describe, expect, it } from 'vitest'
import { botChance, chanceOf, seededChance } from '../../shared/fair-dice/chance.ts'

describe('chance', () => {
  it('refuses what is not a whole number from 1 to 256', () => {
    const chance = seededChance('limits')
    for (const k of [0, -1, 257, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => chance.pick(k)).toThrow(RangeError)
    }
    expect(chance.picked).toBe(0)
    expect(chance.pick(1)).toBe(0)
    expect(chance.pick(256)).toBeLessThan(256)
  })

  it('takes a byte even for a pick among 1', () => {
    const with1 = seededChance('one')
    const bytes = seededChance('one')
    bytes.pick(256)
    with1.pick(1)
    expect(with1.pick(256)).toBe(bytes.pick(256))
  })

  it('differs between commits, keys and the stream of bots', () => {
    const key = new Uint8Array(32).fill(7)
    const first = (chance: { pick(k: number): number }) => Array.from({ length: 16 }, () => chance.pick(256)).join()
    const streams = [chanceOf(key, 1), chanceOf(key, 2), chanceOf(new Uint8Array(32), 1), botChance(key, 1)].map(first)
    expect(new Set(streams).size).toBe(4)
    expect(first(chanceOf(key, 1))).toBe(streams[0])
  })

  // Fixed seed, so this passes always or never: the 99.9 % points of chi-square.
  it.each([
    [6, 20.5],
    [42, 74.7],
    [129, 181.0],
  ])('is even over %i faces', (k, limit) => {
    const chance = seededChance('evenness')
    const rolls = 2_000 * k
    const counts = new Array<number>(k).fill(0)
    for (let roll = 0; roll < rolls; roll += 1) counts[chance.pick(k)]! += 1
    const expected = rolls / k
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    expect(chiSquare).toBeLessThan(limit)
  })
})
