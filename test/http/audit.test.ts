/** The audit over HTTP: the log as the reader may see it, kept when it can change no more, and not without limit. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Head } from '../../shared/event-store/commit.ts'
import { ordered, running, startApi, type TestApi } from '../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.stop())

async function toTheEnd(id: string, of: Head, turn: readonly string[]): Promise<void> {
  let head = of
  for (let order = 0; ; order++) {
    const told = await ordered(api, id as never, turn[order % 2]!, head, { type: 'roll', dice: 3 })
    expect(told.status, told.text).toBe(200)
    if (told.json.game.phase === 'over') return
    head = told.json.head
  }
}

test('a game under way is sound so far, and says what waits', async () => {
  const { id, head, turn } = await running(api)
  await ordered(api, id, turn[0]!, head, { type: 'stash' })
  const own = await api.ask('GET', `/api/games/${id}/audit`, { as: turn[0]! })
  expect(own.json).toMatchObject({ verdict: 'sound', complete: false, commits: 4, game: id })
  expect(own.json.waiting['hidden contents']).toBe(0)
  const other = await api.ask('GET', `/api/games/${id}/audit`, { as: turn[1]! })
  expect(other.json.waiting['hidden contents']).toBe(1)
  const text = await api.ask('GET', `/api/games/${id}/audit`, { headers: { accept: 'text/plain' } })
  expect(text.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(text.text).toMatch(/^SOUND so far/)
})

test('a game that has ended is complete; its report is kept and takes nothing from the allowance', async () => {
  const { id, head, turn } = await running(api, { options: { goal: 12 } })
  await toTheEnd(id, head, turn)
  const first = await api.ask('GET', `/api/games/${id}/audit`, { as: 'cleo' })
  expect(first.json).toMatchObject({ verdict: 'sound', complete: true, fault: null })
  expect(first.json.luck.length).toBe(2)
  for (let again = 0; again < 101; again++) {
    const told = await api.ask('GET', `/api/games/${id}/audit`, { as: 'cleo' })
    expect(told.json).toEqual(first.json)
  }
})

test('a private game is not there for others; audits of a running one are 429 at last', async () => {
  const { id } = await running(api, { visibility: 'private' })
  expect((await api.ask('GET', `/api/games/${id}/audit`, { as: 'cleo' })).status).toBe(404)
  expect((await api.ask('GET', `/api/games/${'b'.repeat(20)}/audit`)).status).toBe(404)
  const statuses = new Map<number, number>()
  for (let audits = 0; audits < 101; audits++) {
    const { status } = await api.ask('GET', `/api/games/${id}/audit`, { as: 'bela' })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect(statuses.get(429)).toBeGreaterThan(0)
  expect(statuses.get(200)).toBeGreaterThan(90)
})
