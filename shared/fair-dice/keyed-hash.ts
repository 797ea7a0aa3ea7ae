/** The one keyed hash from which ids, salts, seals and dice are made. */

import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

export type Field = string | number | Uint8Array

/**
 * HMAC-SHA256 of the label and the fields, 32 bytes. Each is framed as its length (4 bytes, big-endian) and its bytes,
 * so that no two lists of fields run together; strings as UTF-8, numbers as decimal digits. Throws RangeError unless numbers are safe integers.
 */
export function keyedHash(key: Uint8Array, label: string, ...fields: readonly Field[]): Uint8Array {
  return keyedHasher(key)(label, ...fields)
}

/** `keyedHash` of one key for many calls, at half the work. */
export function keyedHasher(key: Uint8Array): (label: string, ...fields: readonly Field[]) => Uint8Array {
  const keyed = hmac.create(sha256, key)
  return (label, ...fields) =>
    keyed
      .clone()
      .update(framed([label, ...fields]))
      .digest()
}

function framed(fields: readonly Field[]): Uint8Array {
  const parts = fields.map(bytesOf)
  const frames = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0))
  const view = new DataView(frames.buffer)
  let offset = 0
  for (const part of parts) {
    view.setUint32(offset, part.length)
    frames.set(part, offset + 4)
    offset += 4 + part.length
  }
  return frames
}

function bytesOf(field: Field): Uint8Array {
  if (typeof field === 'string') return utf8ToBytes(field)
  if (typeof field !== 'number') return field
  if (!Number.isSafeInteger(field)) throw new RangeError(`${field} is not a safe integer`)
  return utf8ToBytes(String(field))
}
