/** Where strings from outside become ids: the only makers of the brands. Each gives null for a string that is none. */

import type { CommandId, GameId, Hash, MemberId } from './commit.ts'

export function parseGameId(text: string): GameId | null {
  return /^[a-z2-7]{20}$/.test(text) ? (text as GameId) : null
}

export function parseMemberId(text: string): MemberId | null {
  return /^[0-9a-f]{32}$/.test(text) ? (text as MemberId) : null
}

/** 8 to 64 letters, digits, hyphens and underscores, in either case; lower-cased. A UUID is one. */
export function parseCommandId(text: string): CommandId | null {
  return /^[0-9a-z_-]{8,64}$/i.test(text) ? (text.toLowerCase() as CommandId) : null
}

export function parseHash(text: string): Hash | null {
  return /^[0-9a-f]{64}$/.test(text) ? (text as Hash) : null
}
