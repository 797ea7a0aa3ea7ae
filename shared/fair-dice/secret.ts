/** What is derived from a master key for one game, and from a game's secret for one commit. */

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { CommandId, GameId, MemberId } from '../event-store/commit.ts'
import { type KeyRing, oldestKey } from './key-ring.ts'
import { keyedHash } from './keyed-hash.ts'

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** The secret of a game, 32 bytes; `masterKey` is the one the game names. `epoch` rises by one with each restored history. */
export function gameSecret(masterKey: Uint8Array, game: GameId, epoch = 0): Uint8Array {
  return epoch === 0 ? keyedHash(masterKey, 'secret', game) : keyedHash(masterKey, 'secret', game, epoch)
}

/** What the first commit publishes of the secret: SHA-256, 64 hex digits. */
export function commitment(secret: Uint8Array): string {
  return bytesToHex(sha256(secret))
}

/** The id of the game that this owner opens by this command: the same at every repetition, whatever keys have joined the ring. */
export function gameIdFor(ring: KeyRing, owner: string, commandId: string): GameId {
  return base32(keyedHash(oldestKey(ring).key, 'game-id', owner, commandId.toLowerCase())) as GameId
}

/** The id of a person within one game alone; `subject` is who signed in. */
export function memberIdFor(masterKey: Uint8Array, game: GameId, subject: string): MemberId {
  return bytesToHex(keyedHash(masterKey, 'member', game, subject)).slice(0, 32) as MemberId
}

/** The code that admits to a private game: 100 bits. It never enters a commit. */
export function invitationCode(masterKey: Uint8Array, game: GameId): string {
  return base32(keyedHash(masterKey, 'invitation', game))
}

/** What may enter a commit of an invitation code, 64 hex digits. */
export function invitationMark(masterKey: Uint8Array, code: string): string {
  return bytesToHex(keyedHash(masterKey, 'invitation-mark', code))
}

/** The id of an order the server gives: the same for the same circumstances, so that it cannot be given twice. */
export function serverCommandId(secret: Uint8Array, ...circumstances: readonly (string | number)[]): CommandId {
  return bytesToHex(keyedHash(secret, 'server-command', ...circumstances)).slice(0, 32) as CommandId
}

/** The salt of a digest, 64 hex digits: index 0 is the command of commit n, 1 … its events. */
export function saltFor(secret: Uint8Array, n: number, index: number): string {
  return bytesToHex(keyedHash(secret, 'salt', n, index))
}

/** The seal of the complete position after commit n, 64 hex digits. Keyed, for a plain hash would let hidden cards be guessed. */
export function sealFor(secret: Uint8Array, n: number, position: string): string {
  return bytesToHex(keyedHash(secret, 'seal', n, position))
}

/** The first 100 bits in 20 characters. */
function base32(bytes: Uint8Array): string {
  let text = ''
  for (let bit = 0; bit < 100; bit += 5) {
    const pair = (bytes[bit >> 3]! << 8) | bytes[(bit >> 3) + 1]!
    text += BASE32[(pair >> (11 - (bit & 7))) & 31]
  }
  return text
}
