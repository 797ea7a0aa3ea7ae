/** Opening, joining, leaving and starting a game. */

import { describe, expect, test } from 'vitest'
import { openGame } from '../../shared/application/open-game.ts'
import { previewInvitation, readGame, readLegal } from '../../shared/application/read-game.ts'
import {
  anna,
  answered,
  bela,
  cleo,
  freshId,
  headOfGame,
  openTally,
  order,
  problemOf,
  startTally,
  testPorts,
} from '../support/play.ts'

const wishes = { kind: 'tally', options: { goal: 30 }, seats: 3, visibility: 'public' as const }

describe('opening', () => {
  test('seats the opener first and publishes the commitment', async () => {
    const ports = testPorts()
    const { game, events, head } = await openTally(ports, anna, 3)
    expect(head.n).toBe(1)
    expect(game).toMatchObject({ phase: 'gathering', you: 1, seatsTaken: 1, seats: 3 })
    expect(game.commitment).toMatch(/^[0-9a-f]{64}$/)
    expect(events.map(({ type }) => type)).toEqual(['gameOpened', 'seatTaken'])
  })

  test('is idempotent, also when others have joined meanwhile, and whatever the case of the id', async () => {
    const ports = testPorts()
    const commandId = freshId()
    const first = answered(await openGame(ports, { person: anna, commandId, request: wishes }))
    answered(await order(ports, first.game.game, bela, first.head, { type: 'join' }))
    expect(await openGame(ports, { person: anna, commandId, request: wishes })).toEqual(first)
  })

  test('50 at once open one game', async () => {
    const ports = testPorts()
    const commandId = freshId()
    const send = () => openGame(ports, { person: anna, commandId, request: wishes })
    const answers = await Promise.all(Array.from({ length: 50 }, send))
    for (const each of answers) expect(each).toEqual(answers[0])
  })

  test('the same id for other wishes is command-id-reused; of another person, another game', async () => {
    const ports = testPorts()
    const commandId = freshId()
    const first = answered(await openGame(ports, { person: anna, commandId, request: wishes }))
    const other = await openGame(ports, { person: anna, commandId, request: { ...wishes, seats: 2 } })
    expect(problemOf(other).problem).toBe('command-id-reused')
    const ofBela = answered(await openGame(ports, { person: bela, commandId, request: wishes }))
    expect(ofBela.game.game).not.toBe(first.game.game)
  })

  test.each([
    ['kind', { kind: 'chess' }],
    ['kind', { kind: '__proto__' }],
    ['options.goal', { options: { goal: 0 } }],
    ['options', { options: { gaol: 3 } }],
    ['seats', { seats: 7 }],
    ['seats', { seats: 1 }],
  ])('names the field %s of %j', async (path, wrong) => {
    const answer = await openGame(testPorts(), { person: anna, commandId: freshId(), request: { ...wishes, ...wrong } })
    expect(answer).toMatchObject({ problem: 'malformed', path })
  })

  test('beyond the allowance is refused, a repeat is not', async () => {
    let left = 1
    const ports = { ...testPorts(), allowance: { take: async () => left-- > 0 } }
    const commandId = freshId()
    const first = await openGame(ports, { person: anna, commandId, request: wishes })
    expect(problemOf(await openGame(ports, { person: anna, commandId: freshId(), request: wishes })).problem).toBe(
      'too-often',
    )
    expect(await openGame(ports, { person: anna, commandId, request: wishes })).toEqual(first)
  })
})

describe('joining and leaving', () => {
  test('seats follow the order of joining; a seat left closes ranks and hands on the host', async () => {
    const ports = testPorts()
    const { game, head } = await openTally(ports, anna, 3)
    const joined = answered(await order(ports, game.game, bela, head, { type: 'join' }))
    const left = answered(await order(ports, game.game, anna, joined.head, { type: 'leave' }))
    expect(left.game).toMatchObject({ you: null, seatsTaken: 1 })
    const sight = await readGame(ports, game.game, bela)
    expect(sight).toMatchObject({ game: { you: 1, seatsTaken: 1 }, names: ['bela'] })
    answered(await order(ports, game.game, cleo, left.head, { type: 'join' }))
    expect(await readLegal(ports, game.game, bela)).toMatchObject({ legal: [{ type: 'start' }, { type: 'leave' }] })
    expect(await readLegal(ports, game.game, cleo)).toMatchObject({ legal: [{ type: 'leave' }] })
    expect(await readLegal(ports, game.game, anna)).toMatchObject({ legal: [{ type: 'join' }] })
  })

  test('the last to leave closes the game, which reveals its secret', async () => {
    const ports = testPorts()
    const { game, head } = await openTally(ports, anna, 3)
    const left = answered(await order(ports, game.game, anna, head, { type: 'leave' }))
    expect(left.game.phase).toBe('closed')
    const [closing] = await ports.store.readBackwards(game.game, 1)
    expect(closing!.commit.secret).toMatch(/^[0-9a-f]{64}$/)
    const late = await order(ports, game.game, bela, left.head, { type: 'join' })
    expect(late).toMatchObject({ problem: 'refused', refusal: 'game-not-gathering' })
  })

  test('two join at once on the last board they saw: both are seated', async () => {
    const ports = testPorts()
    const { game, head } = await openTally(ports, anna, 5)
    const both = await Promise.all([bela, cleo].map((who) => order(ports, game.game, who, head, { type: 'join' })))
    expect(both.map((each) => answered(each).game.you).sort()).toEqual([2, 3])
  })

  test('twice is refused, and so is a full game', async () => {
    const ports = testPorts()
    const { game, head } = await openTally(ports, anna, 2)
    expect(await order(ports, game.game, anna, head, { type: 'join' })).toMatchObject({ refusal: 'already-seated' })
    answered(await order(ports, game.game, bela, head, { type: 'join' }))
    const late = await order(ports, game.game, cleo, await headOfGame(ports, game.game), { type: 'join' })
    expect(late).toMatchObject({ refusal: 'game-not-gathering' })
  })
})

describe('starting', () => {
  test('the host starts with those who are there', async () => {
    const ports = testPorts()
    const { game, head } = await openTally(ports, anna, 3)
    const joined = answered(await order(ports, game.game, bela, head, { type: 'join' }))
    expect(await order(ports, game.game, bela, joined.head, { type: 'start' })).toMatchObject({
      refusal: 'not-the-host',
    })
    const started = answered(await order(ports, game.game, anna, joined.head, { type: 'start' }))
    expect(started.game).toMatchObject({ phase: 'running', seatsTaken: 2 })
    expect(started.events[0]).toEqual({ type: 'gameStarted', commanders: 2 })
  })

  test('alone is too few', async () => {
    const ports = testPorts()
    const { game, head } = await openTally(ports, anna, 3)
    expect(await order(ports, game.game, anna, head, { type: 'start' })).toMatchObject({
      refusal: 'too-few-commanders',
    })
  })

  test('is overtaken by who joins or leaves meanwhile', async () => {
    const ports = testPorts()
    const { game, head } = await openTally(ports, anna, 3)
    answered(await order(ports, game.game, bela, head, { type: 'join' }))
    expect(problemOf(await order(ports, game.game, anna, head, { type: 'start' })).problem).toBe('overtaken')
  })

  test('a full game starts itself, by the server, in a commit of its own', async () => {
    const ports = testPorts()
    const game = await startTally(ports, [anna, bela, cleo])
    const [newest] = await ports.store.readBackwards(game, 1)
    expect(newest!.commit).toMatchObject({ n: 4, by: 'server', command: { type: 'start' } })
    expect(await readGame(ports, game, cleo)).toMatchObject({ game: { phase: 'running' } })
  })
})

describe('a private game', () => {
  test('lets in by its invitation, which is nowhere in the log', async () => {
    const ports = testPorts()
    const opened = await openTally(ports, anna, 2, { visibility: 'private' })
    const invitation = opened.invitation!
    expect(invitation).toMatch(/^[a-z2-7]{20}-[a-z2-7]{20}$/)
    const preview = await previewInvitation(ports, bela, invitation)
    expect(preview).toMatchObject({ names: ['anna'], game: { phase: 'gathering', you: null } })
    expect(problemOf(await readGame(ports, opened.game.game, bela)).problem).toBe('not-found')
    answered(await order(ports, opened.game.game, bela, opened.head, { type: 'join' }, { invitation }))
    const log = JSON.stringify(await ports.store.readForwards(opened.game.game, 0, 100))
    expect(log).not.toContain(invitation.split('-')[1])
    expect(await readGame(ports, opened.game.game, anna)).toMatchObject({ invitation })
    expect(await readGame(ports, opened.game.game, bela)).not.toHaveProperty('invitation')
    expect(await previewInvitation(ports, bela, invitation)).toMatchObject({ game: { phase: 'running' } })
    expect(problemOf(await previewInvitation(ports, cleo, invitation)).problem).toBe('not-found')
    const late = await order(ports, opened.game.game, cleo, opened.head, { type: 'join' }, { invitation })
    expect(problemOf(late).problem).toBe('not-found')
  })

  test.each(['', 'nonsense', `${'a'.repeat(20)}-${'b'.repeat(20)}`])(
    'an invitation %j opens nothing',
    async (invitation) => {
      expect(problemOf(await previewInvitation(testPorts(), bela, invitation)).problem).toBe('not-found')
    },
  )
})
