/** The code that lets somebody into a private game. It never enters the log: only its mark does. */

import type { GameId } from '../event-store/commit.ts'
import { type KeyRing, keyNamed } from '../fair-dice/key-ring.ts'
import { invitationCode, invitationMark } from '../fair-dice/secret.ts'
import type { Opening } from './game-state.ts'

/** The whole code as a guest types it: the game's id, then the part that must be right. */
export function invitationTo(masterKey: Uint8Array, game: GameId): string {
  return `${game}-${invitationCode(masterKey, game)}`
}

/** The game an invitation speaks of, or null if it has not the form of one. */
export function gameOfInvitation(invitation: string): GameId | null {
  const parts = /^([a-z2-7]{20})-[a-z2-7]{20}$/.exec(invitation)
  return parts === null ? null : (parts[1] as GameId)
}

/** What enters the log of a private game. */
export function markOf(masterKey: Uint8Array, invitation: string): string {
  return invitationMark(masterKey, invitation)
}

/** Whether the invitation opens this game. */
export function isInvited(ring: KeyRing, opening: Opening, game: GameId, invitation: string | undefined): boolean {
  if (invitation === undefined || opening.invitation === null || gameOfInvitation(invitation) !== game) return false
  return markOf(keyNamed(ring, opening.key).key, invitation) === opening.invitation
}
