import { describe, expect, it } from 'vitest'
import {
  currentKey,
  formatKeyRing,
  keyNamed,
  MalformedKeyRing,
  oldestKey,
  parseKeyRing,
  withNewKey,
} from '../../shared/fair-dice/key-ring.ts'

const bytes = (fill: number) => new Uint8Array(32).fill(fill)
const hex = (fill: number) => Buffer.from(bytes(fill)).toString('hex')

describe('the key ring', () => {
  it('grows by a key, keeps the older ones and survives its text', () => {
    const ring = withNewKey(withNewKey(withNewKey(null, bytes(1)), bytes(2)), bytes(3))
    expect(ring.keys.map(({ name }) => name)).toEqual(['k1', 'k2', 'k3'])
    expect(currentKey(ring)).toEqual({ name: 'k3', key: bytes(3) })
    expect(oldestKey(ring)).toEqual({ name: 'k1', key: bytes(1) })
    expect(keyNamed(ring, 'k2').key).toEqual(bytes(2))
    expect(() => keyNamed(ring, 'k4')).toThrow(MalformedKeyRing)
    expect(parseKeyRing(formatKeyRing(ring))).toEqual(ring)
  })

  it('keeps its own copy of the bytes, and takes only 32', () => {
    const handedIn = bytes(1)
    const ring = withNewKey(null, handedIn)
    handedIn.fill(9)
    expect(currentKey(ring).key).toEqual(bytes(1))
    expect(() => withNewKey(null, new Uint8Array(31))).toThrow(RangeError)
  })

  it('reads what a secrets service can generate', () => {
    expect(currentKey(parseKeyRing(`{"current":"k1","k1":"${hex(5)}"}`)).key).toEqual(bytes(5))
  })

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['no keys', '{"current":"k1"}'],
    ['another current', `{"current":"k2","k1":"${hex(1)}"}`],
    ['no current', `{"k1":"${hex(1)}"}`],
    ['a gap', `{"current":"k1","k1":"${hex(1)}","k3":"${hex(3)}"}`],
    ['a key taken away', `{"current":"k2","k2":"${hex(2)}"}`],
    ['a short key', `{"current":"k1","k1":"${hex(1).slice(2)}"}`],
    ['upper case', `{"current":"k1","k1":"${hex(0xab).toUpperCase()}"}`],
    ['something else', `{"current":"k1","k1":"${hex(1)}","note":"x"}`],
    ['a prototype', `{"current":"k1","k1":"${hex(1)}","__proto__":"x"}`],
  ])('refuses %s without quoting a key', (_, text) => {
    let message = ''
    try {
      parseKeyRing(text)
    } catch (error) {
      expect(error).toBeInstanceOf(MalformedKeyRing)
      message = (error as Error).message
    }
    expect(message).not.toBe('')
    expect(message).not.toMatch(/[0-9a-f]{16}/i)
  })
})
