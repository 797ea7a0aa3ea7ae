/** The master keys: one is current, none is ever taken away, for a game names the key it was opened with. */

import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'

export interface MasterKey {
  readonly name: string
  readonly key: Uint8Array
}

export interface KeyRing {
  /** The name of the key for games opened from now on. */
  readonly current: string
  /** Oldest first: k1, k2, k3 … */
  readonly keys: readonly MasterKey[]
}

/** A ring's text is not one that `formatKeyRing` writes. The message holds no part of a key. */
export class MalformedKeyRing extends Error {
  override readonly name = 'MalformedKeyRing'
}

const KEY_BYTES = 32

/**
 * Reads `{"current":"k2","k1":"<64 hex digits>","k2":"<64 hex digits>"}`: flat, so that a secrets service can generate the first
 * key itself; numbered without gaps, so that a key taken away is noticed. Throws MalformedKeyRing.
 */
export function parseKeyRing(text: string): KeyRing {
  const { current, ...named } = recordIn(text)
  const count = Object.keys(named).length
  if (count === 0) throw new MalformedKeyRing('a key ring holds at least k1')
  const keys = Array.from({ length: count }, (_, index): MasterKey => {
    const name = keyName(index)
    const hex = Object.hasOwn(named, name) ? named[name] : undefined
    if (hex === undefined) throw new MalformedKeyRing(`the keys are numbered from k1 without gaps: ${name} is missing`)
    if (typeof hex !== 'string' || !/^[0-9a-f]{64}$/.test(hex)) {
      throw new MalformedKeyRing(`${name} is not 64 lower-case hex digits`)
    }
    return { name, key: hexToBytes(hex) }
  })
  if (typeof current !== 'string' || !keys.some(({ name }) => name === current)) {
    throw new MalformedKeyRing('current does not name a key of the ring')
  }
  return { current, keys }
}

/** The text that `parseKeyRing` reads. It is secret. */
export function formatKeyRing(ring: KeyRing): string {
  return JSON.stringify({
    current: ring.current,
    ...Object.fromEntries(ring.keys.map(({ name, key }) => [name, bytesToHex(key)])),
  })
}

/** The ring with one key more, which becomes the current one; `null` for the first. `key`: 32 random bytes, else RangeError. */
export function withNewKey(ring: KeyRing | null, key: Uint8Array): KeyRing {
  if (key.length !== KEY_BYTES) throw new RangeError(`a master key has ${KEY_BYTES} bytes, not ${key.length}`)
  const older = ring?.keys ?? []
  const name = keyName(older.length)
  return { current: name, keys: [...older, { name, key: key.slice() }] }
}

/** The key for games opened from now on. */
export function currentKey(ring: KeyRing): MasterKey {
  return keyNamed(ring, ring.current)
}

/** The key that never changes as the ring grows: ids of games derive from it, so that opening stays idempotent. */
export function oldestKey(ring: KeyRing): MasterKey {
  const oldest = ring.keys[0]
  if (!oldest) throw new MalformedKeyRing('a key ring holds at least k1')
  return oldest
}

/** The key a game names. Throws MalformedKeyRing if the ring has none of that name: a key has been lost. */
export function keyNamed(ring: KeyRing, name: string): MasterKey {
  const found = ring.keys.find((each) => each.name === name)
  if (!found) throw new MalformedKeyRing(`the ring has no key ${name}`)
  return found
}

function keyName(index: number): string {
  return `k${index + 1}`
}

function recordIn(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new MalformedKeyRing('a key ring is a JSON object')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MalformedKeyRing('a key ring is a JSON object')
  }
  return value as Record<string, unknown>
}
