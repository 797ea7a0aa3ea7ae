/** Commits as items of the events table. The short attribute names live here and nowhere else; every byte of an item is paid for. */

import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import {
  COMMIT_FORMAT,
  type Commit,
  type Fact,
  type GameId,
  type Hash,
  type Snapshot,
  type StoredCommit,
} from '../../../shared/event-store/commit.ts'
import { CommitTooLarge } from '../../../shared/event-store/event-store.ts'
import { parseCommandId, parseGameId, parseMemberId } from '../../../shared/event-store/ids.ts'
import type { Json } from '../../../shared/game-rules.ts'
import type { Item } from './item-size.ts'

/** An item of the events table that no release has written: its place, and what is wrong with it. */
export class DamagedCommit extends Error {
  override readonly name = 'DamagedCommit'
}

const ATTRIBUTES = {
  /** Partition key: `GAME#` and the game's id. */
  game: 'pk',
  /** Sort key: the commit's number. */
  n: 'n',
  /** Format of the commit, which says how its hash is made. */
  format: 'f',
  /** Version of the game's command and event shapes. */
  schema: 'v',
  /** When: ms since 1970. */
  at: 'a',
  /** By whom: 16 bytes of a member's id, or the string `server`. */
  by: 'u',
  /** Command id. */
  commandId: 'i',
  /** The command and its events: a JSON list, packed as the codec number says. */
  body: 'b',
  /** Codec of the body: 0 plain, 1 raw deflate. */
  codec: 'c',
  /** Hash of the commit before: 32 bytes. */
  previous: 'p',
  /** Hash of this commit: 32 bytes. */
  hash: 'h',
  /** Seal of the position: 32 bytes. */
  seal: 's',
  /** The game's secret, 32 bytes, where it is revealed. */
  secret: 'x',
  /** Present, and 1, where the commit changes who is awaited, the seats or the end: the stream's filter passes it. */
  changesAwaited: 'w',
  /** Snapshot of the state after this commit: JSON, raw deflate. */
  snapshot: 'z',
  /** State version of the snapshot. */
  stateVersion: 'y',
} as const

/** For conditions and key expressions, and for the stream's filter. */
export const PARTITION_KEY = ATTRIBUTES.game
export const SORT_KEY = ATTRIBUTES.n
export const CHANGES_AWAITED = ATTRIBUTES.changesAwaited

const PLAIN = 0
const DEFLATED = 1
/** No text of ours is longer unpacked, so an item cannot unpack into all of the memory. */
const MOST_TEXT_BYTES = 1024 * 1024

/** The partition of a game's commits. */
export function partitionOf(game: GameId): string {
  return `GAME#${game}`
}

/** The item without a snapshot. Throws CommitTooLarge if its text has more than 1 MB, RangeError if an id, hash or seal is malformed. */
export function encodeCommit({ commit, changesAwaited }: StoredCommit): Item {
  const text = Buffer.from(JSON.stringify([commit.command, ...commit.events]))
  if (text.length > MOST_TEXT_BYTES) {
    throw new CommitTooLarge(`commit ${commit.n} of ${commit.game} has more than ${MOST_TEXT_BYTES} bytes of text`)
  }
  const deflated = deflateRawSync(text, { level: 9 })
  const packed = deflated.length < text.length
  return {
    [ATTRIBUTES.game]: { S: partitionOf(commit.game) },
    [ATTRIBUTES.n]: numberOf(commit.n),
    [ATTRIBUTES.format]: numberOf(commit.format),
    [ATTRIBUTES.schema]: numberOf(commit.schema),
    [ATTRIBUTES.at]: numberOf(commit.at),
    [ATTRIBUTES.by]: commit.by === 'server' ? { S: 'server' } : bytesOf(commit.by, 16),
    [ATTRIBUTES.commandId]: { S: commit.commandId },
    [ATTRIBUTES.body]: { B: packed ? deflated : text },
    [ATTRIBUTES.codec]: numberOf(packed ? DEFLATED : PLAIN),
    [ATTRIBUTES.previous]: bytesOf(commit.previous, 32),
    [ATTRIBUTES.hash]: bytesOf(commit.hash, 32),
    [ATTRIBUTES.seal]: bytesOf(commit.seal, 32),
    ...(commit.secret === null ? {} : { [ATTRIBUTES.secret]: bytesOf(commit.secret, 32) }),
    ...(changesAwaited ? { [ATTRIBUTES.changesAwaited]: numberOf(1) } : {}),
  }
}

/** The attributes that a snapshot adds to an item; none if its text has more than 1 MB. */
export function encodeSnapshot(snapshot: Snapshot): Item {
  const text = Buffer.from(JSON.stringify(snapshot.state))
  if (text.length > MOST_TEXT_BYTES) return {}
  return {
    [ATTRIBUTES.snapshot]: { B: deflateRawSync(text, { level: 9 }) },
    [ATTRIBUTES.stateVersion]: numberOf(snapshot.stateVersion),
  }
}

/** Game and number of an item, for those who read only the key (as from a stream). Throws DamagedCommit. */
export function decodeKey(item: Item): { readonly game: GameId; readonly n: number } {
  const partition = item[ATTRIBUTES.game]?.S ?? ''
  const game = partition.startsWith('GAME#') ? parseGameId(partition.slice('GAME#'.length)) : null
  if (!game) throw new DamagedCommit(`no game has the key ${JSON.stringify(partition)}`)
  const n = Number(item[ATTRIBUTES.n]?.N)
  if (!Number.isSafeInteger(n) || n < 1) throw new DamagedCommit(`game ${game} has a commit without number`)
  return { game, n }
}

/** What `encodeCommit` and `encodeSnapshot` have written. A snapshot that cannot be read is left out, for it can be made again. Throws DamagedCommit. */
export function decodeCommit(item: Item): StoredCommit {
  const { game, n } = decodeKey(item)
  const attribute = <T>(name: keyof typeof ATTRIBUTES, read: (value: AttributeValue | undefined) => T | null): T => {
    const value = read(item[ATTRIBUTES[name]])
    if (value === null) throw new DamagedCommit(`commit ${n} of game ${game} is damaged: ${name}`)
    return value
  }
  const format = attribute('format', numberIn)
  if (format !== COMMIT_FORMAT) {
    throw new DamagedCommit(`commit ${n} of game ${game} has format ${format}, which this release does not read`)
  }
  const codec = attribute('codec', numberIn)
  const [command, ...events] = attribute('body', (value) => factsIn(value?.B, codec))
  const hex = (value: AttributeValue | undefined) => hexIn(value, 32)
  const commit: Commit = {
    format,
    schema: attribute('schema', numberIn),
    game,
    n,
    at: attribute('at', numberIn),
    by: attribute('by', (value) => (value?.S === 'server' ? 'server' : parseMemberId(hexIn(value, 16) ?? ''))),
    commandId: attribute('commandId', (value) => parseCommandId(value?.S ?? '')),
    command: command!,
    events,
    previous: attribute('previous', hex) as Hash,
    seal: attribute('seal', hex),
    secret: item[ATTRIBUTES.secret] ? attribute('secret', hex) : null,
    hash: attribute('hash', hex) as Hash,
  }
  return { commit, snapshot: snapshotIn(item), changesAwaited: item[ATTRIBUTES.changesAwaited] !== undefined }
}

function numberOf(value: number): AttributeValue {
  return { N: String(value) }
}

function numberIn(value: AttributeValue | undefined): number | null {
  const number = value?.N === undefined ? Number.NaN : Number(value.N)
  return Number.isSafeInteger(number) ? number : null
}

function bytesOf(hex: string, length: number): AttributeValue {
  const bytes = Buffer.from(hex, 'hex')
  if (bytes.length !== length || bytes.toString('hex') !== hex) {
    throw new RangeError(`not ${length * 2} lower-case hex digits: ${JSON.stringify(hex)}`)
  }
  return { B: bytes }
}

function hexIn(value: AttributeValue | undefined, length: number): string | null {
  return value?.B?.length === length ? Buffer.from(value.B).toString('hex') : null
}

function jsonIn(bytes: Uint8Array, codec: number): unknown {
  const text = codec === DEFLATED ? inflateRawSync(bytes, { maxOutputLength: MOST_TEXT_BYTES }) : Buffer.from(bytes)
  return JSON.parse(text.toString('utf8'))
}

function factsIn(bytes: Uint8Array | undefined, codec: number): Fact[] | null {
  if (!bytes || (codec !== PLAIN && codec !== DEFLATED)) return null
  try {
    const facts = jsonIn(bytes, codec)
    return Array.isArray(facts) && facts.length > 0 && facts.every(isFact) ? facts : null
  } catch {
    return null
  }
}

function isFact(value: unknown): value is Fact {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

function snapshotIn(item: Item): Snapshot | null {
  const bytes = item[ATTRIBUTES.snapshot]?.B
  const stateVersion = numberIn(item[ATTRIBUTES.stateVersion])
  if (!bytes || stateVersion === null) return null
  try {
    return { stateVersion, state: jsonIn(bytes, DEFLATED) as Json }
  } catch {
    return null
  }
}
