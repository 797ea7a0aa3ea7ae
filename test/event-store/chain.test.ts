import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ChainFault,
  digestOf,
  exportCommit,
  hashOf,
  hashOfExported,
  headOf,
  NO_HEAD,
  redactedIn,
  sameHead,
  sealCommit,
  verifyExported,
  verifyLink,
} from '../../shared/event-store/chain.ts'
import type { Commit, ExportedCommit, Fact, GameId, Hash } from '../../shared/event-store/commit.ts'
import { MalformedCommit, parseExportedCommit } from '../../shared/event-store/exported-commit.ts'
import { parseCommandId, parseGameId, parseHash, parseMemberId } from '../../shared/event-store/ids.ts'
import { saltFor } from '../../shared/fair-dice/secret.ts'
import { COUNTER_HIDDEN, COUNTER_SECRET, counted, freshGame } from '../support/counter-game.ts'
import { jsonValue } from '../support/json-value.ts'

const game = freshGame()
const first = counted(game, NO_HEAD, 1)
const second = counted(game, headOf(first), 2, {
  command: { type: 'whisper', to: 3, text: 'seven' },
  events: [
    { type: 'counted', by: 2 },
    { type: 'whispered', to: 3, text: 'seven' },
  ],
})
const third = counted(game, headOf(second), 3)
const log = [first, second, third]

const open = { command: (command: Fact) => command, event: (event: Fact) => event }
const closed = {
  command: (command: Fact): Fact => (command.type === 'whisper' ? { ...command, text: 'unknown' } : command),
  event: (event: Fact): Fact => (event.type === 'whispered' ? { ...event, text: 'unknown' } : event),
}
const exported = (commit: Commit, redact = open) => exportCommit(commit, COUNTER_SECRET, COUNTER_HIDDEN, redact)
const verify = (before: Commit | null, commit: Commit) => verifyLink(before, commit, COUNTER_SECRET, COUNTER_HIDDEN)

describe('the chain', () => {
  it('links commit to commit from the first', () => {
    expect(log.map((commit, index) => verify(log[index - 1] ?? null, commit))).toEqual([null, null, null])
    expect(headOf(undefined)).toEqual({ n: 0, hash: '0'.repeat(64) })
    expect(headOf(third)).toEqual({ n: 3, hash: third.hash })
  })

  it('seals the same commit with the same hash, whatever the order of its fields', () => {
    const { hash, ...draft } = second
    const shuffled = Object.fromEntries(Object.entries(draft).reverse()) as unknown as typeof draft
    expect(sealCommit(shuffled, COUNTER_SECRET, COUNTER_HIDDEN).hash).toBe(hash)
    expect(hashOf(second, new Uint8Array(32), COUNTER_HIDDEN)).not.toBe(hash)
  })

  it.each<[ChainFault, Commit | null, Commit]>([
    ['format-unknown', first, { ...second, format: 2 as 1 }],
    ['other-game', first, { ...second, game: freshGame() }],
    ['number-not-next', null, second],
    ['number-not-next', first, third],
    ['number-not-next', first, first],
    ['previous-differs', null, { ...first, previous: second.hash }],
    ['previous-differs', { ...first, hash: third.hash }, second],
    ['time-backwards', { ...first, at: second.at + 1 }, second],
  ])('finds %s', (fault, before, commit) => {
    expect(verify(before, commit)).toBe(fault)
    expect(verifyExported(before, { ...exported(second), ...commit }, COUNTER_HIDDEN)).toBe(fault)
  })

  it('lets two commits have the same time', () => {
    expect(verify(first, counted(game, headOf(first), 2, { at: first.at }))).toBeNull()
  })

  it.each<[string, Partial<Commit>]>([
    ['schema', { schema: 2 }],
    ['at', { at: second.at + 1 }],
    ['by', { by: 'server' }],
    ['command id', { commandId: first.commandId }],
    ['command', { command: { ...second.command, to: 4 } }],
    ['event', { events: [{ type: 'counted', by: 3 }, second.events[1]!] }],
    ['order of events', { events: second.events.toReversed() }],
    ['an event more', { events: [...second.events, second.events[0]!] }],
    ['an event less', { events: second.events.slice(1) }],
    ['seal', { seal: first.seal }],
    ['secret', { secret: '00'.repeat(32) }],
    ['hash', { hash: first.hash }],
  ])('finds any change of %s', (_, change) => {
    expect(verify(first, { ...second, ...change })).toBe('hash-differs')
  })

  it('gives equal hidden facts different digests in different places', () => {
    const whispered = second.events[1]!
    const { eventDigests } = exported(
      counted(game, headOf(first), 2, { events: [whispered, whispered, { type: 'counted', by: 1 }] }),
    )
    expect(eventDigests[0]).not.toBe(eventDigests[1])
    expect(eventDigests[2]).toBe(digestOf({ type: 'counted', by: 1 }, null))
  })
})

describe('an exported commit', () => {
  it('verifies with everything shown', () => {
    for (const [index, commit] of log.entries()) {
      const shown = exported(commit)
      expect(verifyExported(log[index - 1] ?? null, shown, COUNTER_HIDDEN)).toBeNull()
      expect(redactedIn(shown, COUNTER_HIDDEN)).toEqual([])
      expect(hashOfExported(shown)).toBe(commit.hash)
      expect(parseExportedCommit(JSON.parse(JSON.stringify(shown)))).toEqual(shown)
    }
  })

  it('verifies redacted, by the same hash, and holds nothing of what is hidden', () => {
    const shown = exported(second, closed)
    expect(verifyExported(first, shown, COUNTER_HIDDEN)).toBeNull()
    expect(hashOfExported(shown)).toBe(second.hash)
    expect(redactedIn(shown, COUNTER_HIDDEN)).toEqual([0, 2])
    const text = JSON.stringify(shown)
    expect(text).not.toContain('seven')
    for (const index of [0, 1, 2]) expect(text).not.toContain(saltFor(COUNTER_SECRET, 2, index))
    expect(shown.eventDigests[1]).not.toBe(digestOf(second.events[1]!, null))
  })

  it('gives the salt of what is shown and no other', () => {
    const half = exported(second, { command: open.command, event: closed.event })
    expect(half.commandSalt).toBe(saltFor(COUNTER_SECRET, 2, 0))
    expect(half.eventSalts).toEqual([null, null])
    expect(redactedIn(half, COUNTER_HIDDEN)).toEqual([2])
  })

  it('opens later: the content and its salt make the digest that was shown before', () => {
    const before = exported(second, closed)
    const later = exported(second)
    expect(digestOf(later.events[1]!, later.eventSalts[1]!)).toBe(before.eventDigests[1])
    expect(digestOf(later.command, later.commandSalt)).toBe(before.commandDigest)
    expect(digestOf({ ...later.events[1]!, text: 'eight' }, later.eventSalts[1]!)).not.toBe(before.eventDigests[1])
  })

  it.each<[string, Partial<ExportedCommit>, ChainFault]>([
    ['a shown event', { events: [{ type: 'counted', by: 9 }, second.events[1]!] }, 'content-differs'],
    [
      'a shown hidden event',
      { events: [second.events[0]!, { ...second.events[1]!, text: 'eight' }] },
      'content-differs',
    ],
    ['the command', { command: { ...second.command, text: 'eight' } }, 'content-differs'],
    ['a salt', { eventSalts: [null, 'ab'.repeat(32)] }, 'content-differs'],
    ['an event too few', { events: second.events.slice(1) }, 'content-differs'],
    ['a salt too few', { eventSalts: [null] }, 'content-differs'],
    [
      'a digest of what is redacted',
      { eventSalts: [null, null], eventDigests: [exported(second).eventDigests[0]!, first.hash] },
      'hash-differs',
    ],
    ['the envelope', { at: second.at + 1 }, 'hash-differs'],
  ])('does not verify with another %s', (_, change, fault) => {
    expect(verifyExported(first, { ...exported(second), ...change }, COUNTER_HIDDEN)).toBe(fault)
  })

  it('is refused where a redaction would betray what it hides', () => {
    const unlisted = { ...open, event: (event: Fact): Fact => ({ ...event, by: 0 }) }
    expect(() => exported(first, unlisted)).toThrow('counted is redacted but not listed as hidden')
    const renamed = { ...open, event: (event: Fact): Fact => (event.type === 'whispered' ? { type: 'x' } : event) }
    expect(() => exported(second, renamed)).toThrow('changes its type')
  })

  it('keeps its hash under any redaction of any content', () => {
    const fact = fc.record({ type: fc.constantFrom('counted', 'whispered'), what: jsonValue }) as fc.Arbitrary<Fact>
    fc.assert(
      fc.property(
        fc.array(fact, { maxLength: 5 }),
        fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
        (events, hide) => {
          const commit = counted(game, headOf(first), 0, { events })
          let index = 0
          const shown = exported(commit, {
            ...open,
            event: (event) =>
              hide[index++] && event.type === 'whispered' ? { type: event.type, what: 'unknown' } : event,
          })
          expect(hashOfExported(shown)).toBe(commit.hash)
          expect(verifyExported(first, shown, COUNTER_HIDDEN)).toBeNull()
          expect(parseExportedCommit(JSON.parse(JSON.stringify(shown))).hash).toBe(commit.hash)
        },
      ),
    )
  })

  it.each<[string, object, string]>([
    ['a fraction', { n: 1.5 }, '$.n: 1.5'],
    ['number 0', { n: 0 }, '$.n'],
    ['an unknown field', { note: 1 }, 'note'],
    ['a salt that is no hex', { commandSalt: 'xyz' }, '$.commandSalt: not 64 hex digits'],
    ['a fact without type', { events: [{}] }, '$.events.0: no type'],
    ['a game id that is none', { game: 'A' }, '$.game: no id of a game'],
    ['a newer format', { format: 2 }, '$.format'],
  ])('is not read with %s', (_, change, message) => {
    const value = { ...exported(second), ...change }
    expect(() => parseExportedCommit(value)).toThrow(MalformedCommit)
    expect(() => parseExportedCommit(value)).toThrow(message)
  })

  it('is not read from anything else', () => {
    for (const value of [null, 1, 'x', [], {}]) expect(() => parseExportedCommit(value)).toThrow(MalformedCommit)
  })
})

describe('heads', () => {
  const head = headOf(second)
  it('are the same by number and 32 hex digits or more', () => {
    for (const digits of [32, 33, 64]) expect(sameHead(head, { n: 2, hash: head.hash.slice(0, digits) })).toBe(true)
    expect(sameHead(head, { n: 2, hash: head.hash.slice(0, 32).toUpperCase() })).toBe(true)
  })
  it('are not the same by less', () => {
    expect(sameHead(head, { n: 2, hash: head.hash.slice(0, 31) })).toBe(false)
    expect(sameHead(head, { n: 2, hash: '' })).toBe(false)
    expect(sameHead(head, { n: 3, hash: head.hash })).toBe(false)
    expect(sameHead(head, { n: 2, hash: first.hash })).toBe(false)
    expect(sameHead(head, { n: 2, hash: `${head.hash}00` })).toBe(false)
  })
})

describe('ids from outside', () => {
  it('are taken in their own form only', () => {
    const hash = 'ab'.repeat(32) as Hash
    expect(parseHash(hash)).toBe(hash)
    expect(parseHash(hash.toUpperCase())).toBeNull()
    expect(parseHash(`${hash}\n`)).toBeNull()
    expect(parseGameId('abcdefghijklmnop2345')).toBe('abcdefghijklmnop2345' as GameId)
    for (const text of ['', 'abcdefghijklmnop234', 'ABCDEFGHIJKLMNOP2345', 'abcdefghijklmnop2340']) {
      expect(parseGameId(text)).toBeNull()
    }
    expect(parseMemberId('0'.repeat(32))).toBe('0'.repeat(32))
    expect(parseMemberId('0'.repeat(31))).toBeNull()
    expect(parseCommandId('6F9619FF-8B86-4D01-B42D-00CF4FC964FF')).toBe('6f9619ff-8b86-4d01-b42d-00cf4fc964ff')
    for (const text of ['', 'short', 'x'.repeat(65), 'with space', 'with.dot']) expect(parseCommandId(text)).toBeNull()
  })
})
