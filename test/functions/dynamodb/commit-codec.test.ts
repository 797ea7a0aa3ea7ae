import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CHANGES_AWAITED,
  DamagedCommit,
  decodeCommit,
  decodeKey,
  encodeCommit,
} from '../../../functions/adapters/dynamodb/commit-codec.ts'
import { itemWithin } from '../../../functions/adapters/dynamodb/event-store.ts'
import { type Item, itemBytes } from '../../../functions/adapters/dynamodb/item-size.ts'
import { NO_HEAD } from '../../../shared/event-store/chain.ts'
import type { Fact, StoredCommit } from '../../../shared/event-store/commit.ts'
import { counted, countedLog, freshGame, incompressible } from '../../support/counter-game.ts'
import { jsonValue } from '../../support/json-value.ts'

const game = freshGame()
const eighth = countedLog(game, 8)[7]!
const item = itemWithin({ ...eighth, changesAwaited: true })
const opening: StoredCommit = {
  commit: counted(game, NO_HEAD, 1, { secret: 'cd'.repeat(32) }),
  snapshot: null,
  changesAwaited: false,
}

describe('the codec of commits', () => {
  it('uses these attributes and no others', () => {
    expect(Object.keys(item).sort()).toEqual('a b c f h i n p pk s u v w y z'.split(' '))
    expect(Object.keys(itemWithin(opening)).sort()).toEqual('a b c f h i n p pk s u v x'.split(' '))
    expect(item).toMatchObject({ pk: { S: `GAME#${game}` }, n: { N: '8' }, w: { N: '1' }, f: { N: '1' } })
    expect(CHANGES_AWAITED).toBe('w')
  })

  it('gives back any commit, packed or not', () => {
    const fact = fc.record({ type: fc.string({ unit: 'binary-ascii' }), what: jsonValue }) as fc.Arbitrary<Fact>
    fc.assert(
      fc.property(
        fact,
        fc.array(fact),
        fc.option(jsonValue),
        fc.boolean(),
        (command, events, state, changesAwaited) => {
          const commit = counted(game, NO_HEAD, 1, { command, events })
          const snapshot = state === null ? null : { stateVersion: 2, state: state as Fact }
          const stored = JSON.parse(JSON.stringify({ commit, snapshot, changesAwaited })) as StoredCommit
          expect(JSON.stringify(decodeCommit(itemWithin(stored)))).toBe(JSON.stringify(stored))
        },
      ),
    )
  })

  it('deflates only what becomes smaller', () => {
    const small = encodeCommit({
      ...opening,
      commit: counted(game, NO_HEAD, 1, { command: { type: 'a' }, events: [] }),
    })
    expect(small['c']).toEqual({ N: '0' })
    expect(Buffer.from(small['b']!.B!).toString()).toBe('[{"type":"a"}]')
    const repeated = counted(game, NO_HEAD, 1, { events: Array(50).fill({ type: 'counted', by: 1 }) })
    const large = encodeCommit({ ...opening, commit: repeated })
    expect(large['c']).toEqual({ N: '1' })
    expect(itemBytes(large)).toBeLessThan(300)
  })

  it('ignores attributes of a later release', () => {
    expect(decodeCommit({ ...item, later: { S: 'x' } })).toEqual({ ...eighth, changesAwaited: true })
  })

  it.each<[string, Item, string]>([
    ['no key', { pk: { S: 'x' } }, 'no game has the key "x"'],
    ['another key', { pk: { S: `GAME#${game}x` } }, 'no game has the key'],
    ['no number', { n: { S: '8' } }, `game ${game} has a commit without number`],
    ['a later format', { f: { N: '2' } }, 'format 2, which this release does not read'],
    ['no schema', { v: { S: '' } }, 'damaged: schema'],
    ['a time that is none', { a: { N: '1.5' } }, 'damaged: at'],
    ['nobody', { u: { S: 'someone' } }, 'damaged: by'],
    ['a short member id', { u: { B: new Uint8Array(15) } }, 'damaged: by'],
    ['no command id', { i: { S: '' } }, 'damaged: commandId'],
    ['a short hash', { h: { B: new Uint8Array(31) } }, 'damaged: hash'],
    ['a hash of another kind', { p: { S: 'ab' } }, 'damaged: previous'],
    ['a seal missing', { s: { NULL: true } }, 'damaged: seal'],
    ['a short secret', { x: { B: new Uint8Array(1) } }, 'damaged: secret'],
    ['another codec', { c: { N: '7' } }, 'damaged: body'],
    ['bytes that do not inflate', { c: { N: '1' }, b: { B: new Uint8Array([255, 255]) } }, 'damaged: body'],
    ['text that is not JSON', { c: { N: '0' }, b: { B: Buffer.from('[') } }, 'damaged: body'],
    ['no command', { c: { N: '0' }, b: { B: Buffer.from('[]') } }, 'damaged: body'],
    ['a fact without type', { c: { N: '0' }, b: { B: Buffer.from('[{"type":"a"},{}]') } }, 'damaged: body'],
    [
      'bytes that inflate without end',
      { c: { N: '1' }, b: { B: deflateRawSync(Buffer.alloc(5_000_000, 32)) } },
      'damaged: body',
    ],
  ])('says what is wrong with an item with %s', (_, change, message) => {
    expect(() => decodeCommit({ ...item, ...change })).toThrow(DamagedCommit)
    expect(() => decodeCommit({ ...item, ...change })).toThrow(message)
  })

  it('leaves out a damaged snapshot, which can be made again', () => {
    for (const change of [{ z: { B: new Uint8Array([1]) } }, { z: { S: 'x' } }, { y: { S: 'x' } }] as Item[]) {
      expect(decodeCommit({ ...item, ...change })).toEqual({ ...eighth, snapshot: null, changesAwaited: true })
    }
  })

  it('leaves out a snapshot of more than 1 MB of text', () => {
    const state = 'a'.repeat(1_100_000)
    expect(Object.keys(itemWithin({ ...eighth, snapshot: { stateVersion: 1, state } }))).not.toContain('z')
  })

  it('refuses to write what it could not read', () => {
    const { commit } = eighth
    for (const broken of [{ seal: 'AB'.repeat(32) }, { seal: 'ab' }, { secret: 'x' }, { by: 'me' as 'server' }]) {
      expect(() => encodeCommit({ ...eighth, commit: { ...commit, ...broken } })).toThrow(RangeError)
    }
  })

  it('reads the key alone', () => {
    expect(decodeKey({ pk: item['pk']!, n: item['n']! })).toEqual({ game, n: 8 })
  })
})

describe('the size of an item', () => {
  it.each<[string, number]>([
    ['0', 1],
    ['1', 2],
    ['12', 2],
    ['123', 3],
    ['1000', 2],
    ['120', 3],
    ['-12', 3],
    ['1796083200000', 6],
  ])('counts the number %s as %i bytes', (text, bytes) => {
    expect(itemBytes({ '': { N: text } })).toBe(bytes)
  })

  it('counts names and values', () => {
    expect(itemBytes({ ab: { S: 'xyz' }, c: { B: new Uint8Array(5) }, d: { BOOL: true }, e: { NULL: true } })).toBe(15)
    expect(itemBytes({ a: { S: 'ü' }, l: { L: [{ S: 'ab' }] }, m: { M: { k: { S: 'v' } } } })).toBe(3 + 7 + 7)
    expect(itemBytes({ a: { S: incompressible(100) } })).toBe(101)
  })
})
