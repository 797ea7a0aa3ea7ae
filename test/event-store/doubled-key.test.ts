import fc from 'fast-check'
import { expect, test } from 'vitest'
import { doubledKey } from '../../shared/event-store/doubled-key.ts'

test.each([
  ['{"a":1,"a":1}', 'a'],
  ['{"n":7,"b":{"c":[{"d":1},{"d":2,"d":3}]}}', 'd'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"a" :1, "b":2,\t"a"\n:3}', 'a'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"a":{"a":{"a":1}}}', null],
  ['[{"a":1},{"a":2}]', null],
  ['{"a":"\\"a\\":1,","b":"a"}', null],
  ['["a","a",{"a":["a","a"]}]', null],
  ['"a"', null],
])('%s', (text, key) => {
  expect(doubledKey(text)).toBe(key)
})

test('no value that was written from objects has one', () => {
  fc.assert(fc.property(fc.json(), (text) => doubledKey(JSON.stringify(JSON.parse(text))) === null))
})
