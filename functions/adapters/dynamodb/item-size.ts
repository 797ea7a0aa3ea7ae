/** The size of an item as DynamoDB counts it, which is what limits and prices go by. */

import type { AttributeValue } from '@aws-sdk/client-dynamodb'

export type Item = Record<string, AttributeValue>

/** Bytes of all names and values, for the kinds of values that our tables hold: S, N, B, BOOL, NULL, L and M. */
export function itemBytes(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0)
}

function valueBytes(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S)
  if (value.N !== undefined) return numberBytes(value.N)
  if (value.B !== undefined) return value.B.length
  if (value.BOOL !== undefined || value.NULL !== undefined) return 1
  if (value.L !== undefined) return 3 + value.L.reduce((sum, each) => sum + 1 + valueBytes(each), 0)
  if (value.M !== undefined) return 3 + Object.keys(value.M).length + itemBytes(value.M)
  throw new Error(`no size for an attribute value ${Object.keys(value)}`)
}

/** One byte, one for every pair of digits of a whole number between its outer zeros, and one more below zero. */
function numberBytes(text: string): number {
  const digits = text.replace(/^-?0*/, '')
  const pairs = digits.padStart(digits.length + (digits.length % 2), '0').replace(/(00)+$/, '')
  return 1 + pairs.length / 2 + (text.startsWith('-') ? 1 : 0)
}
