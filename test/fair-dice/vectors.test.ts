import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../shared/event-store/canonical-json.ts'
import { digestOf, sealCommit } from '../../shared/event-store/chain.ts'
import type { Commit, GameId, Hash, MemberId } from '../../shared/event-store/commit.ts'
import { chanceKey, chanceOf, seededChance } from '../../shared/fair-dice/chance.ts'
import { withNewKey } from '../../shared/fair-dice/key-ring.ts'
import { keyedHash } from '../../shared/fair-dice/keyed-hash.ts'
import {
  commitment,
  gameIdFor,
  gameSecret,
  invitationCode,
  invitationMark,
  memberIdFor,
  saltFor,
  sealFor,
} from '../../shared/fair-dice/secret.ts'
import vectors from '../reference/fair-dice-vectors.json' with { type: 'json' }

const master = hexToBytes(vectors.master)
const game = vectors.game as GameId
const secret = gameSecret(master, game)

describe('the same numbers as a program that shares nothing with ours', () => {
  it('hashes fields with their lengths', () => {
    for (const { fields, hash } of vectors.keyedHash) {
      const [label, ...rest] = fields
      expect(bytesToHex(keyedHash(master, label as string, ...rest))).toBe(hash)
    }
  })

  it('derives secrets, ids and codes', () => {
    expect(bytesToHex(secret)).toBe(vectors.secret)
    expect(bytesToHex(gameSecret(master, game, 1))).toBe(vectors.secondEpochSecret)
    expect(commitment(secret)).toBe(vectors.commitment)
    expect(memberIdFor(master, game, vectors.memberId.subject)).toBe(vectors.memberId.id)
    expect(invitationCode(master, game)).toBe(vectors.invitation.code)
    expect(invitationMark(master, vectors.invitation.code)).toBe(vectors.invitation.mark)
  })

  it('derives the id of a game from the oldest key, before and after a rotation, in either case', () => {
    const ring = withNewKey(null, master)
    const { owner, commandId, id } = vectors.gameId
    expect(gameIdFor(ring, owner, commandId)).toBe(id)
    expect(gameIdFor(withNewKey(ring, hexToBytes(vectors.second)), owner, commandId.toLowerCase())).toBe(id)
  })

  it('salts and seals', () => {
    for (const { n, index, salt } of vectors.salts) expect(saltFor(secret, n, index)).toBe(salt)
    for (const { n, position, seal } of vectors.seals) expect(sealFor(secret, n, position)).toBe(seal)
  })

  it('picks', () => {
    const key = chanceKey(secret, vectors.beforeStart as Hash)
    expect(bytesToHex(key)).toBe(vectors.chanceKey)
    for (const { n, ks, values } of vectors.chance) {
      const chance = chanceOf(key, n)
      expect(ks.map((k) => chance.pick(k))).toEqual(values)
      expect(chance.picked).toBe(ks.length)
    }
    const seeded = seededChance(vectors.seeded.seed)
    expect(vectors.seeded.values.map(() => seeded.pick(6))).toEqual(vectors.seeded.values)
  })

  it('digests', () => {
    for (const { content, canonical, salt, unsalted, salted } of vectors.digests) {
      expect(canonicalJson(content)).toBe(canonical)
      expect(digestOf(content, null)).toBe(unsalted)
      expect(digestOf(content, salt)).toBe(salted)
    }
  })

  it('hashes a commit over its digests', () => {
    const { envelope, command, events, hiddenEvents, hash } = vectors.commit
    const draft = { ...envelope, by: envelope.by as MemberId, command, events } as unknown as Omit<Commit, 'hash'>
    expect(sealCommit(draft, secret, { commands: [], events: hiddenEvents }).hash).toBe(hash)
  })
})
