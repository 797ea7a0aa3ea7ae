/** The one text of a value that digests are made of: RFC 8785, over values where nothing is left to interpretation. */

import canonicalize from 'canonicalize'
import type { Json } from '../game-rules.ts'

/** The value has no canonical text here; the message names the place by its path from `$`. */
export class NotCanonical extends Error {
  override readonly name = 'NotCanonical'
}

const MOST_DEPTH = 32

/**
 * Canonical JSON. Throws NotCanonical for all but safe integers, ASCII strings, booleans, null, lists and plain records of them,
 * nested at most 32 deep; a key `__proto__` is refused, for code that copies records would lose it.
 */
export function canonicalJson(value: unknown): string {
  assertCanonical(value, '$', 0)
  return canonicalize(value) as string
}

/** What `canonicalJson` throws, without making the text. */
export function assertCanonical(value: unknown, path = '$', depth = 0): asserts value is Json {
  switch (typeof value) {
    case 'boolean':
      return
    case 'number':
      if (!Number.isSafeInteger(value)) throw new NotCanonical(`${path}: ${value} is not a safe integer`)
      return
    case 'string':
      assertAscii(value, path)
      return
    case 'object':
      if (value === null) return
      if (depth === MOST_DEPTH) throw new NotCanonical(`${path}: deeper than ${MOST_DEPTH}`)
      if (Array.isArray(value)) {
        for (let index = 0; index < value.length; index += 1) {
          assertCanonical(value[index], `${path}[${index}]`, depth + 1)
        }
        return
      }
      assertPlain(value, path)
      for (const key of Object.keys(value)) {
        assertAscii(key, `${path}, a key`)
        if (key === '__proto__') throw new NotCanonical(`${path}: a key __proto__`)
        assertCanonical((value as Record<string, unknown>)[key], `${path}.${key}`, depth + 1)
      }
      return
    default:
      throw new NotCanonical(`${path}: ${typeof value} is not JSON`)
  }
}

function assertAscii(text: string, path: string): void {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 127) throw new NotCanonical(`${path}: not ASCII at character ${index}`)
  }
}

function assertPlain(value: object, path: string): void {
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) throw new NotCanonical(`${path}: not a plain record`)
}
