/** What the functions really ask of the database in a whole game, call by call, is what they are granted, and no more is granted. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { StoreUnavailable } from '../../shared/event-store/event-store.ts'
import { CALLS } from '../../shared/http-contract/calls.ts'
import { opened, ordered, startApi, type TestApi } from '../support/api.ts'
import { GRANTS } from './faults.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.stop())

const TABLES = { events: 'Events', 'read-models': 'ReadModels' } as const
const asked = { Api: new Set<string>(), ProjectCommits: new Set<string>() }

/** What was asked of the database since the last look was asked by this function. */
function noteAs(name: keyof typeof asked): void {
  for (const call of api.units.keys()) {
    const [table, operation] = call.split(' ') as [keyof typeof TABLES, string]
    asked[name].add(`dynamodb:${operation} on ${TABLES[table]}.Arn`)
  }
  api.units.clear()
}

async function project(): Promise<void> {
  noteAs('Api')
  await api.deliver()
  noteAs('ProjectCommits')
}

const granted = (name: keyof typeof asked) =>
  GRANTS[name].filter((each) => /^dynamodb:.* on (Events|ReadModels)\.Arn$/.test(each))

test('a game from opening to end, with every call', async () => {
  const { id, head, told } = await opened(api, 'anna', { options: { goal: 12 }, seats: 3, visibility: 'private' })
  await project()
  const { invitation } = told.json
  const give = async (as: string, command: object) => {
    const { json } = await api.ask('GET', `/api/games/${id}`)
    const answer = await ordered(api, id, as, json.head, command, { invitation })
    expect(answer.status, answer.text).toBe(200)
    await project()
    return answer.json
  }
  expect((await api.ask('GET', `/api/invitations/${invitation}`, { as: 'bela' })).status).toBe(200)
  await ordered(api, id, 'bela', head, { type: 'join' }, { invitation })
  await project()
  await give('bela', { type: 'leave' })
  await give('bela', { type: 'join' })
  // The last seat is taken, and the store fails at the start: the projector gives it.
  const store = api.dependencies.ports.store as { append: typeof api.dependencies.ports.store.append }
  const { append } = store
  store.append = async (stored) => {
    if (stored.commit.by !== 'server') return append(stored)
    store.append = append
    throw new StoreUnavailable('lost')
  }
  await give('cleo', { type: 'join' })
  await api.deliver()
  noteAs('ProjectCommits')

  for (const path of ['legal', 'events', 'audit', 'odds?rolls=1']) await api.ask('GET', `/api/games/${id}/${path}`)
  await api.ask('GET', `/api/games/${id}/events`, { headers: { accept: 'text/plain' } })
  await api.ask('GET', '/api/openapi.json', { as: null })
  await api.ask('GET', '/api/maps/three-fields', { as: null })
  await api.ask('GET', '/api/me')
  await api.ask('PUT', '/api/me', { body: { name: 'Anna the Bold', timeZone: 'Europe/Berlin' } })
  for (const show of ['mine', 'open']) await api.ask('GET', `/api/games?show=${show}`)
  await project()

  const seats = ['anna', 'bela', 'cleo']
  for (let turns = 0; ; turns += 1) {
    const { json } = await api.ask('GET', `/api/games/${id}`)
    if (json.game.phase === 'over') break
    expect(turns).toBeLessThan(200)
    await give(seats[json.game.waitingFor[0].seat - 1]!, { type: 'roll' })
  }
  await project()
  expect([...asked.Api].sort()).toEqual(granted('Api'))
  expect([...asked.ProjectCommits].sort()).toEqual(granted('ProjectCommits'))
  // A call that is new must be played above before it can be granted anything.
  expect(Object.keys(CALLS)).toHaveLength(13)
})
