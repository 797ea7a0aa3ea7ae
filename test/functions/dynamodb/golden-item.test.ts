/** Items of former releases, frozen: each must be read for ever. Add files, never edit one. */

import { expect, it } from 'vitest'
import { decodeCommit } from '../../../functions/adapters/dynamodb/commit-codec.ts'
import type { Item } from '../../../functions/adapters/dynamodb/item-size.ts'
import { hashOf } from '../../../shared/event-store/chain.ts'
import golden from '../../golden/commit-item-1.json' with { type: 'json' }
import { COUNTER_HIDDEN, COUNTER_SECRET } from '../../support/counter-game.ts'

it('reads an item of the first release', () => {
  const item = Object.fromEntries(
    Object.entries(golden.item).map(([name, value]) => [
      name,
      'B' in value ? { B: Buffer.from(value.B, 'base64') } : value,
    ]),
  ) as Item
  const { commit, ...beside } = decodeCommit(item)
  expect({ commit, ...beside }).toEqual(golden.stored)
  expect(hashOf(commit, COUNTER_SECRET, COUNTER_HIDDEN)).toBe(commit.hash)
})
