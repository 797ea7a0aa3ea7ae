/**
 * Random changes to whole logs, and what an audit must say of each. `as it was`: the hashes are left alone. `forged`: by one who
 * knows the secret, and makes every salt, digest, hash and seal anew as far as he can.
 */

import { hexToBytes } from '@noble/hashes/utils.js'
import { audit } from '../../shared/application/audit.ts'
import { evolve, type GameState, positionOf } from '../../shared/application/game-state.ts'
import { exportCommit, headOf, NO_HEAD, sealCommit } from '../../shared/event-store/chain.ts'
import type { CommandId, ExportedCommit, Fact, Hash } from '../../shared/event-store/commit.ts'
import type { LogHeader } from '../../shared/event-store/exported-log.ts'
import { seededChance } from '../../shared/fair-dice/chance.ts'
import { sealFor } from '../../shared/fair-dice/secret.ts'
import type { GameRules, Json } from '../../shared/game-rules.ts'
import { games } from '../../shared/games.ts'
import { goldenLines, parsedLog, readManifest } from '../golden/manifest.ts'

/** Longer logs would only make a soak slower. */
const MOST_COMMITS = 120

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] }
type Line = Writable<ExportedCommit>
export interface Log {
  readonly header: Writable<LogHeader>
  commits: Line[]
}

type Pick = (k: number) => number

/** A change: the place of the first commit it touches, or null if this log has nothing to change so. */
type Change = (log: Log, pick: Pick) => number | null

/** The change, with where an audit must find it. */
export interface Mutation {
  readonly name: string
  readonly change: Change
}

const choose = <T>(from: readonly T[], pick: Pick): T => from[large(from.length, pick)]!

function large(k: number, pick: Pick): number {
  return k <= 256 ? pick(k) : (pick(256) * 256 + pick(256)) % k
}

function anyPlace(log: Log, pick: Pick): number {
  return 1 + large(log.commits.length, pick)
}

function digitIn(hex: string, pick: Pick): string {
  const at = pick(hex.length)
  const other = (Number.parseInt(hex[at]!, 16) + 1 + pick(15)) % 16
  return hex.slice(0, at) + other.toString(16) + hex.slice(at + 1)
}

/** Some event of a type, changed. */
function ofEvent(type: string, change: (event: Record<string, Json>, pick: Pick) => void): Change {
  return (log, pick) => {
    const all = log.commits.flatMap(({ events }, index) =>
      events.flatMap((event, place) => (event.type === type ? [{ index, place }] : [])),
    )
    if (all.length === 0) return null
    const { index, place } = choose(all, pick)
    const copy = JSON.parse(JSON.stringify(log.commits[index]!.events[place]))
    change(copy, pick)
    log.commits[index]!.events[place] = copy
    return index + 1
  }
}

/** Some number or word within a fact, its type excepted, made another one; false if it has none. */
function changeLeaf(fact: Fact, pick: Pick): boolean {
  const leaves: { of: Record<string, Json>; key: string }[] = []
  const visit = (of: Record<string, Json>) => {
    for (const [key, value] of Object.entries(of)) {
      if (key === 'type') continue
      if (typeof value === 'object' && value !== null) visit(value as Record<string, Json>)
      else leaves.push({ of, key })
    }
  }
  visit(fact as unknown as Record<string, Json>)
  if (leaves.length === 0) return false
  const { of, key } = choose(leaves, pick)
  const value = of[key]!
  if (typeof value === 'number') of[key] = value + 1
  else if (typeof value === 'boolean') of[key] = !value
  else of[key] = `${value}x`
  return true
}

function another(die: number, pick: Pick): number {
  return ((die + pick(5)) % 6) + 1
}

/** Changes to what a log tells: the meaning is another one. */
export const MEANINGS: readonly Mutation[] = [
  {
    name: 'a die',
    change: ofEvent('battleFought', (event, pick) => {
      const dice = event[pick(2) === 0 ? 'attack' : 'defence'] as number[]
      const at = pick(dice.length)
      dice[at] = another(dice[at]!, pick)
    }),
  },
  {
    name: 'a loss',
    change: ofEvent('battleFought', (event, pick) => {
      const side = pick(2) === 0 ? 'attackersLost' : 'defendersLost'
      event[side] = (event[side] as number) + 1
    }),
  },
  {
    name: 'a card drawn',
    change: ofEvent('cardDrawn', (event) => {
      event['card'] = event['card'] === 'wild-1' ? 'wild-2' : 'wild-1'
    }),
  },
  {
    name: 'a hand taken',
    change: ofEvent('handTaken', (event) => {
      event['count'] = (event['count'] as number) + 1
    }),
  },
  {
    name: 'a roll for the first place',
    change: ofEvent('turnOrderRolled', (event, pick) => {
      const roll = choose(event['rolls'] as unknown as { die: number }[][], pick)
      const each = choose(roll, pick)
      each.die = another(each.die, pick)
    }),
  },
  {
    name: 'the ranking',
    change: ofEvent('gameOver', (event) => {
      event['ranking'] = [...(event['ranking'] as Json[])].reverse()
    }),
  },
  {
    name: 'something in an event',
    change(log, pick) {
      const n = anyPlace(log, pick)
      const { events } = log.commits[n - 1]!
      const at = pick(events.length)
      const copy = JSON.parse(JSON.stringify(events[at]))
      if (!changeLeaf(copy, pick)) return null
      events[at] = copy
      return n
    },
  },
  {
    name: 'an event left out',
    change(log, pick) {
      const n = anyPlace(log, pick)
      const commit = log.commits[n - 1]!
      const at = pick(commit.events.length)
      for (const list of [commit.events, commit.eventDigests, commit.eventSalts]) list.splice(at, 1)
      return n
    },
  },
  {
    name: 'an event twice',
    change(log, pick) {
      const n = anyPlace(log, pick)
      const commit = log.commits[n - 1]!
      const at = pick(commit.events.length)
      commit.events.splice(at, 0, commit.events[at]!)
      commit.eventDigests.splice(at, 0, commit.eventDigests[at]!)
      commit.eventSalts.splice(at, 0, commit.eventSalts[at]!)
      return n
    },
  },
  {
    name: 'two commits swapped',
    change(log, pick) {
      if (log.commits.length < 2) return null
      const index = large(log.commits.length - 1, pick)
      const [one, other] = [log.commits[index]!, log.commits[index + 1]!]
      log.commits.splice(index, 2, other, one)
      return index + 1
    },
  },
  {
    name: 'a commit removed',
    change(log, pick) {
      if (log.commits.length < 2) return null
      const n = 1 + large(log.commits.length - 1, pick)
      log.commits.splice(n - 1, 1)
      return n
    },
  },
  {
    name: 'a commit repeated',
    change(log, pick) {
      const n = anyPlace(log, pick)
      log.commits.splice(n, 0, structuredClone(log.commits[n - 1]!))
      return n + 1
    },
  },
  {
    name: 'an order of another',
    change(log, pick) {
      const n = anyPlace(log, pick)
      const commit = log.commits[n - 1]!
      if (commit.command.type === 'open' || commit.command.type === 'start') return null
      commit.by = (commit.by === 'server' ? log.commits[0]!.by : 'server') as Line['by']
      return n
    },
  },
]

/** Changes to what surrounds the story; whoever makes the hashes anew is bound by none of these. */
export const WRAPPINGS: readonly Mutation[] = [
  ofField('a hash', (commit, pick) => {
    commit.hash = digitIn(commit.hash, pick) as Hash
  }),
  ofField('a previous hash', (commit, pick) => {
    commit.previous = digitIn(commit.previous, pick) as Hash
  }),
  ofField('a seal', (commit, pick) => {
    commit.seal = digitIn(commit.seal, pick)
  }),
  ofField('the digest of a command', (commit, pick) => {
    commit.commandDigest = digitIn(commit.commandDigest, pick)
  }),
  ofField('the digest of an event', (commit, pick) => {
    const at = pick(commit.eventDigests.length)
    commit.eventDigests[at] = digitIn(commit.eventDigests[at]!, pick)
  }),
  ofField('a salt', (commit, pick) => {
    const at = commit.eventSalts.findIndex((salt) => salt !== null)
    if (at < 0) return false
    commit.eventSalts[at] = digitIn(commit.eventSalts[at]!, pick)
    return true
  }),
  ofField('a salt where none belongs', (commit, pick) => {
    commit.commandSalt = digitIn(commit.commandDigest, pick)
  }),
  ofField('the secret', (commit, pick) => {
    if (commit.secret === null) return false
    commit.secret = digitIn(commit.secret, pick)
    return true
  }),
  ofField('a secret before the end', (commit) => {
    if (commit.secret !== null) return false
    commit.secret = commit.seal
    return true
  }),
  ofField('a time', (commit, pick) => {
    commit.at += (pick(2) === 0 ? 1 : -1) * (1 + pick(100))
  }),
  ofField('a command id', (commit) => {
    commit.commandId = `${commit.commandId.slice(0, 60)}x` as CommandId
  }),
  ofField('a number', (commit, pick) => {
    commit.n += 1 + pick(9)
  }),
  ofField('a schema', (commit) => {
    commit.schema += 1
  }),
  ofField('a format', (commit) => {
    commit.format = 2 as 1
  }),
  ofField('a game', (commit) => {
    commit.game = `${commit.game.slice(0, 19)}${commit.game.endsWith('a') ? 'b' : 'a'}` as Line['game']
  }),
  ofField('something in a command', (commit, pick) => {
    commit.command = structuredClone(commit.command)
    return changeLeaf(commit.command, pick)
  }),
  {
    name: 'the end cut off, the head known',
    change(log, pick) {
      const left = large(log.commits.length - 1, pick) + 1
      log.commits = log.commits.slice(0, left)
      return left
    },
  },
  {
    name: 'the game in the header',
    change({ header }) {
      header.game = `${header.game.slice(0, 19)}${header.game.endsWith('a') ? 'b' : 'a'}` as LogHeader['game']
      return 1
    },
  },
  {
    name: 'the rules in the header',
    change({ header }) {
      header.rulesVersion += 1
      return 1
    },
  },
  {
    name: 'the head in the header',
    change({ header }, pick) {
      header.head = { ...header.head, hash: digitIn(header.head.hash, pick) }
      return header.head.n
    },
  },
]

function ofField(name: string, alter: (commit: Line, pick: Pick) => unknown): Mutation {
  return {
    name,
    change(log, pick) {
      const n = anyPlace(log, pick)
      return alter(log.commits[n - 1]!, pick) === false ? null : n
    },
  }
}

/** Every salt, digest, link, hash and seal made anew over what the commits hold now, and the header after them. */
export function forge(log: Log, rules: GameRules, secret: Uint8Array): void {
  let state: GameState | null = null
  let foldable = true
  let before = NO_HEAD
  log.commits = log.commits.map((line, index) => {
    const { commandDigest: _, commandSalt: __, eventDigests: ___, eventSalts: ____, hash: _____, ...kept } = line
    const draft = { ...kept, n: index + 1, previous: before.hash }
    try {
      if (foldable) state = evolve(rules, state, draft)
    } catch {
      foldable = false
    }
    const seal = foldable && state !== null ? sealOf(rules, secret, draft.n, state, draft.seal) : draft.seal
    const commit = sealCommit({ ...draft, seal }, secret, rules.hidden)
    before = headOf(commit)
    return exportCommit(commit, secret, rules.hidden, {
      command: (command) => command,
      event: (event) => event,
    }) as Line
  })
  log.header.head = before
}

function sealOf(rules: GameRules, secret: Uint8Array, n: number, state: GameState, otherwise: string): string {
  try {
    return sealFor(secret, n, positionOf(rules, state))
  } catch {
    return otherwise
  }
}

/** A copy of a log that may be changed. */
export function copyOf(log: { readonly header: LogHeader; readonly commits: readonly ExportedCommit[] }): Log {
  return structuredClone(log) as Log
}

/** The lines of a log as a file has them. */
export function linesOf({ header, commits }: Log): string[] {
  return [header, ...commits].map((line) => JSON.stringify(line))
}

/** An audit that missed a change, or found it in the wrong place. */
export class Missed extends Error {
  override readonly name = 'Missed'
}

/**
 * `count` random changes, to these logs in turn (the shorter golden ones); both as they are and forged. Gives how often each was made; throws Missed for
 * the first one that no audit found, or found elsewhere. The same seed, the same changes.
 */
export function soakMutations(
  count: number,
  seed = 'mutations',
  logs: readonly { readonly header: LogHeader; readonly commits: readonly ExportedCommit[] }[] = shortGoldenLogs(),
): Readonly<Record<string, number>> {
  const made: Record<string, number> = {}
  const { pick } = seededChance(seed)
  for (let done = 0; done < count; ) {
    const log = logs[done % logs.length]!
    const forged = pick(3) === 0
    const mutation = choose(forged ? MEANINGS : [...MEANINGS, ...WRAPPINGS], pick)
    const name = `${mutation.name}${forged ? ', forged' : ''}`
    const copy = copyOf(log)
    const n = mutation.change(copy, pick)
    done += 1
    if (n === null) continue
    if (forged) forge(copy, games.version(log.header.kind, log.header.rulesVersion)!, secretOf(log.commits))
    assertFound(name, copy, n, forged, log.header.head)
    made[name] = (made[name] ?? 0) + 1
  }
  return made
}

function shortGoldenLogs() {
  return readManifest()
    .filter(({ commits }) => commits < MOST_COMMITS)
    .map(({ file }) => parsedLog(goldenLines(file)))
}

function secretOf(commits: readonly ExportedCommit[]): Uint8Array {
  return hexToBytes(commits.at(-1)!.secret!)
}

function assertFound(name: string, log: Log, n: number, forged: boolean, head: LogHeader['head']): void {
  const lines = linesOf(log)
  const { verdict, fault } = audit(lines, games)
  const told = `${name} at ${n} of game ${log.header.game}`
  // Commits in another order may fit for a while, until dice or a position tell; so may the name of a key, which its owner alone knows.
  const later = n === 1 || /^(two commits|a commit)/.test(name)
  // Or it is another game that could have been: then a noted head tells.
  if (forged && fault === null && later && audit(lines, games, { head }).fault !== null) return
  if (verdict === 'sound' || fault === null) throw new Missed(`${told} was not found`)
  if (forged && later ? fault.n < n : fault.n !== n)
    throw new Missed(`${told} was found at ${fault.n}: ${fault.reason}, ${fault.detail}`)
}
