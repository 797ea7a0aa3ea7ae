/** One command and the events it caused: the unit of the log. Its order is `n` alone, without gaps from 1. */

import type { Json } from '../game-rules.ts'

declare const brand: unique symbol
type Brand<T, Name extends string> = T & { readonly [brand]: Name }

/** 20 characters of lower-case base32. */
export type GameId = Brand<string, 'GameId'>
/** A commander within one game: 32 hex digits made for that game alone, so that no personal data enters the log. */
export type MemberId = Brand<string, 'MemberId'>
/** Lower-case; chosen by the sender, or derived for an order of the server. */
export type CommandId = Brand<string, 'CommandId'>
/** 64 hex digits of SHA-256. */
export type Hash = Brand<string, 'Hash'>

export const COMMIT_FORMAT = 1
/** The `previous` of commit 1. */
export const NO_HASH = '0'.repeat(64) as Hash

/** Number and hash of the newest commit: what a client has seen. */
export interface Head {
  readonly n: number
  readonly hash: Hash
}

export type Fact = { readonly type: string } & { readonly [name: string]: Json }

export interface Commit {
  readonly format: typeof COMMIT_FORMAT
  /** Version of the game's command and event shapes. */
  readonly schema: number
  readonly game: GameId
  readonly n: number
  /** ms since 1970; never goes backwards along the log. */
  readonly at: number
  readonly by: MemberId | 'server'
  readonly commandId: CommandId
  readonly command: Fact
  readonly events: readonly Fact[]
  readonly previous: Hash
  /** HMAC of the complete position after this commit. */
  readonly seal: string
  /** The game's secret in hex, revealed by the commit that ends the game; else null. */
  readonly secret: string | null
  readonly hash: Hash
}

/** A state kept beside a commit to spare replaying from 1; `stateVersion` tells which code it is for. */
export interface Snapshot {
  readonly stateVersion: number
  readonly state: Json
}

export interface StoredCommit {
  readonly commit: Commit
  readonly snapshot: Snapshot | null
  /** Whether the commit changes who is awaited, the seats or the end: what passes the stream's filter. */
  readonly changesAwaited: boolean
}

/** A commit as a reader may see it: hidden content redacted, salts only for what is shown; it verifies all the same. */
export interface ExportedCommit extends Commit {
  readonly commandDigest: string
  readonly commandSalt: string | null
  readonly eventDigests: readonly string[]
  readonly eventSalts: readonly (string | null)[]
}
