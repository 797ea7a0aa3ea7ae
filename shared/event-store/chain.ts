/** How commits hang together: digests of what they hold, the hash over them, the link to the one before. No game's word in it. */

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { saltFor } from '../fair-dice/secret.ts'
import type { GameRules } from '../game-rules.ts'
import { canonicalJson } from './canonical-json.ts'
import { COMMIT_FORMAT, type Commit, type ExportedCommit, type Fact, type Hash, type Head, NO_HASH } from './commit.ts'

/** The types of commands and events whose digests are salted: a game's own list. */
export type Hidden = GameRules['hidden']

/** A commit before it has a hash. */
export type Draft = Omit<Commit, 'hash'>

/** What the next commit is checked against; every commit is one. */
export type Link = Pick<Commit, 'game' | 'n' | 'at' | 'hash'>

/** What can be wrong with a commit in its place, in the order of checking. */
export const CHAIN_FAULTS = [
  'format-unknown',
  'other-game',
  'number-not-next',
  'previous-differs',
  'time-backwards',
  'content-differs',
  'hash-differs',
] as const
export type ChainFault = (typeof CHAIN_FAULTS)[number]

/** The head of a game without commits. */
export const NO_HEAD: Head = { n: 0, hash: NO_HASH }

const LEAST_PREFIX = 32

interface Digests {
  readonly command: string
  readonly events: readonly string[]
}

/** SHA-256 of the salt's bytes (64 hex digits, or null for none) and the canonical JSON; 64 hex digits. Throws NotCanonical. */
export function digestOf(content: Fact, salt: string | null): string {
  const text = utf8ToBytes(canonicalJson(content))
  return bytesToHex(sha256(salt === null ? text : concatBytes(hexToBytes(salt), text)))
}

/** The draft with its hash. `secret` is the game's, from which the salts come. Throws NotCanonical. */
export function sealCommit(draft: Draft, secret: Uint8Array, hidden: Hidden): Commit {
  return { ...draft, hash: hashOf(draft, secret, hidden) }
}

/** The hash a complete commit must have. Throws NotCanonical. */
export function hashOf(commit: Draft, secret: Uint8Array, hidden: Hidden): Hash {
  return hashOver(commit, digestsOf(commit, saltsOf(commit, secret, hidden)))
}

/** The hash an exported commit must have, from its digests alone: what is redacted in it plays no part. */
export function hashOfExported(commit: ExportedCommit): Hash {
  return hashOver(commit, { command: commit.commandDigest, events: commit.eventDigests })
}

/** The first fault of a complete commit after `before` (null: it must be commit 1), or null if it stands. Throws NotCanonical. */
export function verifyLink(before: Link | null, commit: Commit, secret: Uint8Array, hidden: Hidden): ChainFault | null {
  const fault = placeFault(before, commit)
  if (fault) return fault
  return hashOf(commit, secret, hidden) === commit.hash ? null : 'hash-differs'
}

/**
 * The first fault of an exported commit after `before` (null: it must be commit 1), or null if it stands: its place, each content
 * that is shown against its digest, and the hash. What is redacted is not checked: see `redactedIn`. Throws NotCanonical.
 */
export function verifyExported(before: Link | null, commit: ExportedCommit, hidden: Hidden): ChainFault | null {
  const fault = placeFault(before, commit)
  if (fault) return fault
  const { events, eventDigests, eventSalts } = commit
  if (events.length !== eventDigests.length || events.length !== eventSalts.length) return 'content-differs'
  const redacted = redactedIn(commit, hidden)
  const salts = [commit.commandSalt, ...eventSalts]
  const digests = [commit.commandDigest, ...eventDigests]
  for (const [index, fact] of [commit.command, ...events].entries()) {
    if (!redacted.includes(index) && digestOf(fact, salts[index]!) !== digests[index]) return 'content-differs'
  }
  return hashOfExported(commit) === commit.hash ? null : 'hash-differs'
}

/** Which contents of an exported commit cannot be checked yet, for they can be hidden and came without salt: 0 the command, 1 … the events. */
export function redactedIn(commit: ExportedCommit, hidden: Hidden): readonly number[] {
  const redacted = commit.events.flatMap((event, index) =>
    (commit.eventSalts[index] ?? null) === null && hidden.events.includes(event.type) ? [index + 1] : [],
  )
  return commit.commandSalt === null && hidden.commands.includes(commit.command.type) ? [0, ...redacted] : redacted
}

/**
 * The commit as a reader may see it. `redact` gives the very same object for what is shown; the salt goes with it. Throws Error
 * if a type is redacted that is not listed as hidden (its unsalted digest could be guessed), or changed into another type.
 */
export function exportCommit(
  commit: Commit,
  secret: Uint8Array,
  hidden: Hidden,
  redact: { readonly command: (command: Fact) => Fact; readonly event: (event: Fact) => Fact },
): ExportedCommit {
  const salts = saltsOf(commit, secret, hidden)
  const digests = digestsOf(commit, salts)
  const command = redact.command(commit.command)
  const events = commit.events.map((event) => redact.event(event))
  assertRedaction(commit.command, command, hidden.commands)
  for (const [index, event] of events.entries()) assertRedaction(commit.events[index]!, event, hidden.events)
  return {
    ...commit,
    command,
    events,
    commandDigest: digests.command,
    commandSalt: command === commit.command ? salts[0]! : null,
    eventDigests: digests.events,
    eventSalts: events.map((event, index) => (event === commit.events[index] ? salts[index + 1]! : null)),
  }
}

/** The head that a commit makes; of none, NO_HEAD. */
export function headOf(commit: Commit | undefined): Head {
  return commit ? { n: commit.n, hash: commit.hash } : NO_HEAD
}

/** Whether what a client has seen (the number, and 32 or more hex digits of the hash) is this head. */
export function sameHead(head: Head, seen: { readonly n: number; readonly hash: string }): boolean {
  return head.n === seen.n && seen.hash.length >= LEAST_PREFIX && head.hash.startsWith(seen.hash.toLowerCase())
}

function placeFault(before: Link | null, commit: Commit): ChainFault | null {
  if (commit.format !== COMMIT_FORMAT) return 'format-unknown'
  if (before && commit.game !== before.game) return 'other-game'
  if (commit.n !== (before?.n ?? 0) + 1) return 'number-not-next'
  if (commit.previous !== (before?.hash ?? NO_HASH)) return 'previous-differs'
  if (before && commit.at < before.at) return 'time-backwards'
  return null
}

/** One salt, or null where the type is never hidden, for the command and each event. */
function saltsOf(commit: Draft, secret: Uint8Array, hidden: Hidden): readonly (string | null)[] {
  const salt = (fact: Fact, index: number, types: readonly string[]) =>
    types.includes(fact.type) ? saltFor(secret, commit.n, index) : null
  return [
    salt(commit.command, 0, hidden.commands),
    ...commit.events.map((event, index) => salt(event, index + 1, hidden.events)),
  ]
}

function digestsOf(commit: Draft, salts: readonly (string | null)[]): Digests {
  return {
    command: digestOf(commit.command, salts[0]!),
    events: commit.events.map((event, index) => digestOf(event, salts[index + 1]!)),
  }
}

function hashOver(commit: Draft, digests: Digests): Hash {
  const { format, schema, game, n, at, by, commandId, previous, seal, secret } = commit
  const { command, events } = digests
  const sealed = { format, schema, game, n, at, by, commandId, command, events, previous, seal, secret }
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(sealed)))) as Hash
}

function assertRedaction(whole: Fact, shown: Fact, hidden: readonly string[]): void {
  if (shown === whole) return
  if (!hidden.includes(whole.type)) throw new Error(`${whole.type} is redacted but not listed as hidden`)
  if (shown.type !== whole.type) throw new Error(`the redaction of ${whole.type} changes its type`)
}
