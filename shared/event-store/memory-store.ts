/** The event store of tests and simulations: one list a game, kept as text so that no caller can reach into it. */

import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { GameId, StoredCommit } from './commit.ts'
import { CommitTooLarge, type EventStore, MOST_COMMIT_BYTES } from './event-store.ts'

const PAGE_BYTES = 1024 * 1024

export interface MemoryEventStore extends EventStore {
  /** How often each operation has been called. */
  readonly calls: Readonly<Record<'readBackwards' | 'readForwards' | 'append', number>>
}

/** An empty store. It measures commits as JSON, uncompressed, and so is stricter than DynamoDB about MOST_COMMIT_BYTES. */
export function createMemoryEventStore(): MemoryEventStore {
  const games = new Map<GameId, string[]>()
  const calls = { readBackwards: 0, readForwards: 0, append: 0 }
  const read = (text: string) => JSON.parse(text) as StoredCommit

  return {
    calls,
    async readBackwards(game, limit, upTo) {
      calls.readBackwards += 1
      const log = (games.get(game) ?? []).slice(0, upTo === undefined ? undefined : Math.max(0, upTo))
      return log
        .slice(Math.max(0, log.length - limit))
        .reverse()
        .map(read)
    },
    async readForwards(game, after, limit) {
      calls.readForwards += 1
      const page: StoredCommit[] = []
      let bytes = 0
      for (const text of (games.get(game) ?? []).slice(Math.max(0, after), Math.max(0, after) + limit)) {
        if (bytes >= PAGE_BYTES) break
        bytes += text.length
        page.push(read(text))
      }
      return page
    },
    async append(stored) {
      calls.append += 1
      const text = textWithin(stored)
      const { game, n } = stored.commit
      const log = games.get(game) ?? []
      if (n <= log.length) return 'taken'
      if (n !== log.length + 1) throw new Error(`commit ${n} of ${game} would leave a gap after ${log.length}`)
      games.set(game, log)
      log.push(text)
      return 'appended'
    },
  }
}

function textWithin(stored: StoredCommit): string {
  for (const kept of [stored, { ...stored, snapshot: null }]) {
    const text = JSON.stringify(kept)
    if (utf8ToBytes(text).length <= MOST_COMMIT_BYTES) return text
  }
  throw new CommitTooLarge(
    `commit ${stored.commit.n} of ${stored.commit.game} has more than ${MOST_COMMIT_BYTES} bytes`,
  )
}
