import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, NotCanonical } from '../../shared/event-store/canonical-json.ts'
import { jsonValue } from '../support/json-value.ts'

describe('canonical JSON', () => {
  it('is one text whatever the order of keys, and reads back as the value', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(reversed(value))).toBe(text)
        expect(text).toBe(canonicalize(value))
      }),
    )
  })

  it.each<[string, unknown, string]>([
    ['a fraction', { a: [1, 0.5] }, '$.a[1]: 0.5'],
    ['an unsafe integer', { a: 2 ** 53 }, '$.a: 9007199254740992'],
    ['NaN', [Number.NaN], '$[0]: NaN'],
    ['infinity', { a: Number.POSITIVE_INFINITY }, '$.a: Infinity'],
    ['undefined', { a: undefined }, '$.a: undefined'],
    ['undefined in a list', [1, undefined], '$[1]: undefined'],
    ['a hole in a list', new Array(2), '$[0]: undefined'],
    ['a bigint', { a: 1n }, '$.a: bigint'],
    ['a function', { toJSON: () => 1 }, '$.toJSON: function'],
    ['a symbol', [Symbol('x')], '$[0]: symbol'],
    ['a letter beyond ASCII', { a: { b: 'Zürich' } }, '$.a.b: not ASCII at character 1'],
    ['a lone surrogate', { a: 'x\ud800' }, '$.a: not ASCII at character 1'],
    ['a key beyond ASCII', { a: { ключ: 1 } }, '$.a, a key: not ASCII'],
    ['a key that is a lone surrogate', { '\udc00': 1 }, '$, a key: not ASCII'],
    ['a date', { a: new Date(0) }, '$.a: not a plain record'],
    ['bytes', { a: new Uint8Array(1) }, '$.a: not a plain record'],
    ['a map', { a: new Map() }, '$.a: not a plain record'],
    ['a key __proto__', JSON.parse('{"a":{"__proto__":{"b":1}}}'), '$.a: a key __proto__'],
  ])('refuses %s and names the place', (_, value, message) => {
    expect(() => canonicalJson(value)).toThrow(NotCanonical)
    expect(() => canonicalJson(value)).toThrow(message)
  })

  it('refuses values nested too deep, however deep, without running out of stack', () => {
    const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown
    expect(canonicalJson(nested(32))).toBe('['.repeat(32) + ']'.repeat(32))
    expect(() => canonicalJson(nested(33))).toThrow('deeper than 32')
    let bottomless: unknown = 1
    for (let depth = 0; depth < 100_000; depth += 1) bottomless = { a: bottomless }
    expect(() => canonicalJson(bottomless)).toThrow(NotCanonical)
    const circle: unknown[] = []
    circle.push(circle)
    expect(() => canonicalJson(circle)).toThrow('deeper than 32')
  })

  it('takes the record that JSON.parse or no prototype makes', () => {
    expect(canonicalJson(Object.assign(Object.create(null), { b: 1, a: 2 }))).toBe('{"a":2,"b":1}')
    expect(canonicalJson(JSON.parse('{"constructor":1,"toString":2}'))).toBe('{"constructor":1,"toString":2}')
  })
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, each]) => [key, reversed(each)]),
  )
}
