/** Dice and draws of a commit, fixed by a key before play begins; see docs/fair-dice.md for what that proves. */

import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { Hash } from '../event-store/commit.ts'
import type { Chance } from '../game-rules.ts'
import { keyedHash, keyedHasher } from './keyed-hash.ts'

export interface CountedChance extends Chance {
  /** How many picks have been made. */
  readonly picked: number
}

/** The key of all dice of a game (of an epoch): from its secret and the hash of the commit before the start, when all have joined. */
export function chanceKey(secret: Uint8Array, hashBeforeStart: Hash): Uint8Array {
  return keyedHash(secret, 'key', hashBeforeStart)
}

/**
 * The chance of commit n, for ever: its bytes are the blocks keyedHash(key, 'chance', n, c) for c = 0, 1, 2 …, one after the other.
 * A pick among k takes the next byte below k·⌊256/k⌋ (bytes not below are passed over) and is that byte mod k; so a pick
 * among 1 takes a byte too.
 */
export function chanceOf(key: Uint8Array, n: number): CountedChance {
  let blockOf: ReturnType<typeof keyedHasher> | null = null
  let block: Uint8Array = new Uint8Array(0)
  let blocks = 0
  let next = 0
  let picked = 0
  return {
    get picked() {
      return picked
    },
    pick(k) {
      if (!Number.isInteger(k) || k < 1 || k > 256) throw new RangeError(`a pick is among 1 to 256, not ${k}`)
      const fair = 256 - (256 % k)
      for (;;) {
        if (next === block.length) {
          blockOf ??= keyedHasher(key)
          block = blockOf('chance', n, blocks++)
          next = 0
        }
        const byte = block[next++]!
        if (byte < fair) {
          picked += 1
          return byte % k
        }
      }
    },
  }
}

/** One endless stream for simulations and bots: the chance of commit 0 under the key SHA-256(seed). */
export function seededChance(seed: string): CountedChance {
  return chanceOf(sha256(utf8ToBytes(seed)), 0)
}

/** A bot's own stream for its order after commit n: never the game's dice. */
export function botChance(secret: Uint8Array, n: number): CountedChance {
  return chanceOf(keyedHash(secret, 'bot', n), n)
}
