/** An order is played at most once, however and however often it is sent: "The event store" of the architecture. */

import { describe, expect, test } from 'vitest'
import { isProblem } from '../../shared/application/outcome.ts'
import type { Ports } from '../../shared/application/ports.ts'
import { readGame } from '../../shared/application/read-game.ts'
import type { GameId, Hash } from '../../shared/event-store/commit.ts'
import {
  anna,
  answered,
  bela,
  cleo,
  freshId,
  headOfGame,
  order,
  problemOf,
  startTally,
  testPorts,
} from '../support/play.ts'

const persons = [anna, bela]

/** Who is awaited in a running game of Tally. */
async function awaited(ports: Ports, game: GameId) {
  const sight = await readGame(ports, game, anna)
  if (isProblem(sight)) throw new Error('not readable')
  return persons[sight.game.waitingFor[0]!.seat - 1]!
}

async function roll(ports: Ports, game: GameId) {
  return answered(
    await order(ports, game, await awaited(ports, game), await headOfGame(ports, game), { type: 'roll', dice: 1 }),
  )
}

async function commits(ports: Ports, game: GameId) {
  return (await ports.store.readForwards(game, 0, 10_000)).map(({ commit }) => commit)
}

describe('one of many', () => {
  test('20 clients send different orders with the same seen: one is taken, nineteen are overtaken', async () => {
    const ports = testPorts()
    const game = await startTally(ports, persons)
    const seen = await headOfGame(ports, game)
    const who = await awaited(ports, game)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => order(ports, game, who, seen, { type: 'roll', dice: (index % 3) + 1 })),
    )
    const problems = answers.filter(isProblem)
    expect(problems.map(({ problem }) => problem)).toEqual(Array(19).fill('overtaken'))
    expect((await headOfGame(ports, game)).n).toBe(seen.n + 1)
    for (const each of problems) expect(each).toMatchObject({ head: await headOfGame(ports, game) })
  })

  test('one order sent 50 times at once is played once and answered 50 times alike', async () => {
    const ports = testPorts()
    const game = await startTally(ports, persons)
    const seen = await headOfGame(ports, game)
    const who = await awaited(ports, game)
    const commandId = freshId()
    const send = () => order(ports, game, who, seen, { type: 'roll', dice: 2 }, { commandId })
    const answers = await Promise.all(Array.from({ length: 50 }, send))
    const first = answered(answers[0]!)
    for (const each of answers) expect(each).toEqual(first)
    expect((await headOfGame(ports, game)).n).toBe(seen.n + 1)
  })
})

describe('a repeat', () => {
  test.each([
    ['at once', 0, false],
    ['after 3 further commits', 3, false],
    ['after 20 further commits', 20, false],
    ['with a refreshed seen', 0, true],
    ['with a refreshed seen after 5 further commits', 5, true],
  ])('%s answers as the first time and plays nothing', async (_, further, refreshed) => {
    const ports = testPorts()
    const game = await startTally(ports, persons)
    const seen = await headOfGame(ports, game)
    const who = await awaited(ports, game)
    const commandId = freshId()
    const first = answered(await order(ports, game, who, seen, { type: 'stash' }, { commandId }))
    for (let index = 0; index < further; index++) await roll(ports, game)
    const before = await headOfGame(ports, game)
    const again = await order(ports, game, who, refreshed ? before : seen, { type: 'stash' }, { commandId })
    expect(again).toEqual(first)
    expect(await headOfGame(ports, game)).toEqual(before)
  })

  test('of a retryable order is found far behind, too', async () => {
    const ports = testPorts()
    const game = await startTally(ports, persons)
    const seen = await headOfGame(ports, game)
    await roll(ports, game)
    const commandId = freshId()
    const greet = () => order(ports, game, anna, seen, { type: 'greet', seat: 2 }, { commandId })
    const first = answered(await greet())
    for (let index = 0; index < 30; index++) await roll(ports, game)
    const before = await headOfGame(ports, game)
    expect(await greet()).toEqual(first)
    expect(await headOfGame(ports, game)).toEqual(before)
  })

  test('with the same id and another command is refused as command-id-reused', async () => {
    const ports = testPorts()
    const game = await startTally(ports, persons)
    const seen = await headOfGame(ports, game)
    const who = await awaited(ports, game)
    const commandId = freshId()
    answered(await order(ports, game, who, seen, { type: 'roll', dice: 1 }, { commandId }))
    const other = await order(ports, game, who, seen, { type: 'roll', dice: 2 }, { commandId })
    expect(problemOf(other).problem).toBe('command-id-reused')
  })

  test("another commander's equal id is another order", async () => {
    const ports = testPorts()
    const game = await startTally(ports, persons)
    const who = await awaited(ports, game)
    const rival = who === anna ? bela : anna
    const commandId = freshId()
    const first = answered(
      await order(ports, game, who, await headOfGame(ports, game), { type: 'roll', dice: 1 }, { commandId }),
    )
    const second = answered(await order(ports, game, rival, first.head, { type: 'roll', dice: 1 }, { commandId }))
    expect(second.head.n).toBe(first.head.n + 1)
  })
})

describe('what was seen', () => {
  test('an order on an older board is overtaken and told the head', async () => {
    const ports = testPorts()
    const game = await startTally(ports, persons)
    const seen = await headOfGame(ports, game)
    await roll(ports, game)
    const late = await order(ports, game, await awaited(ports, game), seen, { type: 'roll', dice: 1 })
    expect(late).toMatchObject({ problem: 'overtaken', head: await headOfGame(ports, game) })
  })

  test('a retryable order on an older board is decided again', async () => {
    const ports = testPorts()
    const game = await startTally(ports, persons)
    const seen = await headOfGame(ports, game)
    await roll(ports, game)
    const late = answered(await order(ports, game, anna, seen, { type: 'greet', seat: 2 }))
    expect(late.head.n).toBe(seen.n + 2)
  })

  test.each([0, 2, 12])('an unknown hash %i commits ago is history-rewound', async (further) => {
    const ports = testPorts()
    const game = await startTally(ports, persons)
    const { n } = await headOfGame(ports, game)
    for (let index = 0; index < further; index++) await roll(ports, game)
    const seen = { n, hash: 'f'.repeat(64) as Hash }
    const head = await headOfGame(ports, game)
    for (const command of [
      { type: 'roll', dice: 1 },
      { type: 'greet', seat: 2 },
    ]) {
      expect(await order(ports, game, anna, seen, command)).toMatchObject({ problem: 'history-rewound', head })
    }
  })

  test('a number above ours is history-rewound', async () => {
    const ports = testPorts()
    const game = await startTally(ports, persons)
    const head = await headOfGame(ports, game)
    const answer = await order(ports, game, anna, { ...head, n: head.n + 1 }, { type: 'greet', seat: 2 })
    expect(answer).toMatchObject({ problem: 'history-rewound', head })
  })

  test('32 digits of the hash are enough', async () => {
    const ports = testPorts()
    const game = await startTally(ports, persons)
    const { n, hash } = await headOfGame(ports, game)
    answered(await order(ports, game, anna, { n, hash: hash.slice(0, 32) as Hash }, { type: 'greet', seat: 2 }))
  })

  test('a retryable order more than 1,000 commits behind is not searched for', async () => {
    const ports = testPorts()
    const game = await startTally(ports, persons)
    const seen = await headOfGame(ports, game)
    let head = seen
    for (let index = 0; index < 1009; index++) {
      head = answered(await order(ports, game, anna, head, { type: 'greet', seat: 2 })).head
    }
    const late = await order(ports, game, anna, seen, { type: 'greet', seat: 2 })
    expect(late).toMatchObject({ problem: 'overtaken', head })
  })
})

describe('who may', () => {
  test('somebody without a seat may not give orders to a public game', async () => {
    const ports = testPorts()
    const game = await startTally(ports, persons)
    const answer = await order(ports, game, cleo, await headOfGame(ports, game), { type: 'greet', seat: 2 })
    expect(problemOf(answer).problem).toBe('not-seated')
  })

  test('a private game is not there for others, whatever they send', async () => {
    const ports = testPorts()
    const game = await startTally(ports, [anna], { seats: 2, visibility: 'private' })
    const head = await headOfGame(ports, game)
    for (const command of [{ type: 'join' }, { type: 'roll', dice: 1 }, { type: 'nonsense' }]) {
      expect(problemOf(await order(ports, game, cleo, head, command)).problem).toBe('not-found')
    }
    const wrong = `${game}-${'a'.repeat(20)}`
    expect(problemOf(await order(ports, game, cleo, head, { type: 'join' }, { invitation: wrong })).problem).toBe(
      'not-found',
    )
  })

  test('a malformed command names its field and writes nothing', async () => {
    const ports = testPorts()
    const game = await startTally(ports, persons)
    const head = await headOfGame(ports, game)
    const answer = await order(ports, game, anna, head, { type: 'greet', seat: '2' })
    expect(answer).toMatchObject({ problem: 'malformed', path: 'command.seat' })
    expect(await headOfGame(ports, game)).toEqual(head)
  })
})

test('numbers have no gap and time never goes backwards', async () => {
  const ports = testPorts()
  const game = await startTally(ports, persons)
  for (let index = 0; index < 12; index++) await roll(ports, game)
  const log = await commits(ports, game)
  expect(log.map(({ n }) => n)).toEqual(log.map((_, place) => place + 1))
  for (const [place, commit] of log.entries()) expect(commit.at).toBeGreaterThanOrEqual(log[place - 1]?.at ?? 0)
})
