/** What every event store must do. */

import { describe, expect, it } from 'vitest'
import { NO_HEAD, verifyLink } from '../../shared/event-store/chain.ts'
import type { GameId, StoredCommit } from '../../shared/event-store/commit.ts'
import { CommitTooLarge, type EventStore, MOST_COMMIT_BYTES } from '../../shared/event-store/event-store.ts'
import {
  COUNTER_HIDDEN,
  COUNTER_SECRET,
  counted,
  countedLog,
  freshGame,
  incompressible,
  sumOf,
} from './counter-game.ts'

export function describeEventStore(name: string, storeOf: () => EventStore): void {
  describe(`the event store ${name}`, () => {
    const appendAll = async (log: readonly StoredCommit[]) => {
      for (const stored of log) expect(await storeOf().append(stored)).toBe('appended')
    }
    const readAll = async (game: GameId, limit: number) => {
      const log: StoredCommit[] = []
      for (;;) {
        const page = await storeOf().readForwards(game, log.at(-1)?.commit.n ?? 0, limit)
        if (page.length === 0) return log
        log.push(...page)
      }
    }
    const numbers = (log: readonly StoredCommit[]) => log.map(({ commit }) => commit.n)

    it('has nothing of a game that was never opened', async () => {
      const game = freshGame()
      expect(await storeOf().readBackwards(game, 8)).toEqual([])
      expect(await storeOf().readBackwards(game, 8, 5)).toEqual([])
      expect(await storeOf().readForwards(game, 0, 8)).toEqual([])
    })

    it('gives back every commit as it was, to the byte', async () => {
      const game = freshGame()
      const [first, ...rest] = countedLog(game, 9)
      const odd: StoredCommit = {
        commit: counted(game, { n: 9, hash: rest.at(-1)!.commit.hash }, 0, {
          command: { type: 'whisper', text: 'a "quoted" \\ line\n\u0000\u007f', list: [[], {}, [null, true, false]] },
          events: [{ type: 'whispered', least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER, nothing: null }],
          secret: 'ab'.repeat(32),
        }),
        snapshot: { stateVersion: 7, state: [1, { deep: ['x'] }, 'text'] },
        changesAwaited: true,
      }
      const silent = counted(game, { n: 10, hash: odd.commit.hash }, 0, { events: [] })
      const log = [first!, ...rest, odd, { commit: silent, snapshot: null, changesAwaited: false }]
      await appendAll(log)
      const read = await readAll(game, 100)
      expect(read).toEqual(log)
      expect(JSON.stringify(read)).toBe(JSON.stringify(log))
      for (const [index, { commit }] of read.entries()) {
        expect(verifyLink(read[index - 1]?.commit ?? null, commit, COUNTER_SECRET, COUNTER_HIDDEN)).toBeNull()
      }
    })

    it('shares no object with its callers', async () => {
      const game = freshGame()
      const stored = countedLog(game, 8).map((each) => structuredClone(each))
      await appendAll(stored)
      for (const each of stored) Object.assign(each.commit.events[0]!, { by: 1_000 })
      const read = await storeOf().readBackwards(game, 8)
      expect(sumOf(read)).toBe(36)
      Object.assign(read[0]!.commit.events[0]!, { by: 1_000 })
      expect(sumOf(await storeOf().readBackwards(game, 8))).toBe(36)
    })

    it('reads newest first, oldest first, from and to any number', async () => {
      const game = freshGame()
      await appendAll(countedLog(game, 12))
      await appendAll(countedLog(freshGame(), 2))
      expect(numbers(await storeOf().readBackwards(game, 8))).toEqual([12, 11, 10, 9, 8, 7, 6, 5])
      expect(numbers(await storeOf().readBackwards(game, 100))).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
      expect(numbers(await storeOf().readBackwards(game, 3, 5))).toEqual([5, 4, 3])
      expect(numbers(await storeOf().readBackwards(game, 3, 2))).toEqual([2, 1])
      expect(numbers(await storeOf().readBackwards(game, 1, 99))).toEqual([12])
      expect(numbers(await storeOf().readBackwards(game, 8, 0))).toEqual([])
      expect(numbers(await storeOf().readForwards(game, 0, 3))).toEqual([1, 2, 3])
      expect(numbers(await storeOf().readForwards(game, 9, 8))).toEqual([10, 11, 12])
      expect(numbers(await storeOf().readForwards(game, 12, 8))).toEqual([])
      expect(numbers(await storeOf().readForwards(game, 99, 8))).toEqual([])
      expect(numbers(await readAll(game, 5))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    })

    it('appends one commit of a number, whatever the second is', async () => {
      const game = freshGame()
      const [first, second] = countedLog(game, 2)
      await appendAll([first!, second!])
      expect(await storeOf().append(second!)).toBe('taken')
      expect(await storeOf().append(first!)).toBe('taken')
      const other = { ...second!, commit: counted(game, { n: 1, hash: first!.commit.hash }, 500) }
      expect(await storeOf().append(other)).toBe('taken')
      expect(await readAll(game, 8)).toEqual([first, second])
      expect(sumOf(await readAll(game, 8))).toBe(3)
    })

    it('lets exactly one of 20 that append at once win, and all see it', async () => {
      const game = freshGame()
      let head = NO_HEAD
      let sum = 0
      for (let round = 1; round <= 3; round += 1) {
        const rivals = Array.from({ length: 20 }, (_, index) => counted(game, head, 100 * round + index))
        const outcomes = await Promise.all(
          rivals.map((commit) => storeOf().append({ commit, snapshot: null, changesAwaited: false })),
        )
        expect(outcomes.filter((outcome) => outcome === 'appended')).toHaveLength(1)
        const winner = rivals[outcomes.indexOf('appended')]!
        sum += Number(winner.events[0]!['by'])
        const [newest] = await storeOf().readBackwards(game, 1)
        expect(newest!.commit).toEqual(winner)
        head = { n: winner.n, hash: winner.hash }
      }
      expect(sumOf(await readAll(game, 8))).toBe(sum)
    })

    it('reads logs of more than 1 MB', async () => {
      const game = freshGame()
      const log = countedLog(game, 40, { command: { type: 'count', note: incompressible(50_000) } })
      await appendAll(log)
      expect(await readAll(game, 100)).toEqual(log)
      expect(await storeOf().readBackwards(game, 40)).toEqual(log.toReversed())
      const page = await storeOf().readForwards(game, 0, 100)
      expect(page.length).toBeGreaterThan(8)
      expect(page.length).toBeLessThan(40)
    })

    it('leaves out a snapshot rather than exceed the limit of a commit', async () => {
      const game = freshGame()
      const fits = { stateVersion: 1, state: incompressible(20_000) }
      const breaks = { stateVersion: 1, state: incompressible(MOST_COMMIT_BYTES * 1.4) }
      const [first, second] = countedLog(game, 2)
      await appendAll([
        { ...first!, snapshot: fits },
        { ...second!, snapshot: breaks },
      ])
      const read = await readAll(game, 8)
      expect(read.map(({ snapshot }) => snapshot)).toEqual([fits, null])
      expect(read[1]!.commit).toEqual(second!.commit)
    })

    it('refuses a commit over the limit and keeps nothing of it', async () => {
      const game = freshGame()
      const commit = counted(game, NO_HEAD, 1, {
        command: { type: 'count', note: incompressible(MOST_COMMIT_BYTES * 1.4) },
      })
      const refused = storeOf().append({ commit, snapshot: null, changesAwaited: false })
      await expect(refused).rejects.toBeInstanceOf(CommitTooLarge)
      await expect(refused).rejects.toThrow(`commit 1 of ${game}`)
      expect(await readAll(game, 8)).toEqual([])
    })
  })
}
