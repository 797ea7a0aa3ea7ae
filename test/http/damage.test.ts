/** A stored log that is not what was written: it is said, nothing is added, and nothing of the inside is told. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../functions/http/app.ts'
import type { GameId } from '../../shared/event-store/commit.ts'
import { parseKeyRing } from '../../shared/fair-dice/key-ring.ts'
import { opened, startApi, type TestApi } from '../support/api.ts'

let api: TestApi
let id: GameId

beforeAll(async () => {
  api = await startApi()
  id = (await opened(api, 'anna')).id
})
afterAll(() => api.stop())

/** Asks the same API with another ring of master keys. */
async function askWith(ring: object, path: string, body?: object) {
  const { dependencies } = api
  const { warm: _, ...ports } = dependencies.ports
  const app = createApp({ ...dependencies, ports: { ...ports, keyRing: parseKeyRing(JSON.stringify(ring)) } })
  const request = new Request(`https://hazard.invalid${path}`, {
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  const response = await app.fetch(request, { claims: { sub: 'anna', name: 'anna' }, requestId: 'test' })
  return { status: response.status, text: await response.text() }
}

const WRONG = '17'.repeat(32)

test.each([
  ['a wrong master key', { current: 'k1', k1: WRONG }],
  ['a wrong key beside another', { current: 'k2', k1: WRONG, k2: WRONG }],
])('with %s', async (_, ring) => {
  const [before] = await api.dependencies.ports.store.readBackwards(id, 1)
  const seen = { n: before!.commit.n, hash: before!.commit.hash }
  const command = { commandId: 'while-damaged', seen, command: { type: 'leave' } }
  for (const told of [
    await askWith(ring, `/api/games/${id}`),
    await askWith(ring, `/api/games/${id}/events`),
    await askWith(ring, `/api/games/${id}/audit`),
    await askWith(ring, `/api/games/${id}/commands`, command),
  ]) {
    expect(told.status).toBe(500)
    expect(JSON.parse(told.text)).toMatchObject({ type: '/problems/damaged-log' })
    expect(told.text).not.toMatch(/seal|secret|key|17171717/)
  }
  const [after] = await api.dependencies.ports.store.readBackwards(id, 1)
  expect(after!.commit.hash).toBe(before!.commit.hash)
})
