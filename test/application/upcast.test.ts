/** Logs of an older schema: verified in their stored shapes, then raised to today's; exports keep what was stored. */

import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { audit } from '../../shared/application/audit.ts'
import { auditGame, createAuditReports } from '../../shared/application/audit-game.ts'
import { BY_SEAT, chronicleOf } from '../../shared/application/chronicle.ts'
import { DamagedLog, loadGame } from '../../shared/application/load-game.ts'
import { isProblem } from '../../shared/application/outcome.ts'
import type { Ports } from '../../shared/application/ports.ts'
import { readChronicle } from '../../shared/application/read-chronicle.ts'
import { readLog } from '../../shared/application/read-game.ts'
import { SchemaTooNew } from '../../shared/application/upcast.ts'
import type { Fact, GameId } from '../../shared/event-store/commit.ts'
import type { GameRules, Typed } from '../../shared/game-rules.ts'
import { gamesOf } from '../../shared/games.ts'
import { copyOf, forge, linesOf } from '../support/log-mutations.ts'
import { openTable, SPECTATOR } from '../support/logged-table.ts'
import { anna, answered, bela, headOfGame, order, startTally, testPorts } from '../support/play.ts'
import { tally } from '../support/tally-game.ts'

/** In schema 1, say, dice were pips, and a roll asked for a count of them. */
function raised(fact: Typed): Typed {
  const { pips, count, ...rest } = fact as Fact
  if (fact.type === 'rolled') return { ...rest, dice: pips } as Fact
  return fact.type === 'roll' ? ({ ...rest, dice: count } as Fact) : fact
}

function lowered(fact: Typed): Typed {
  const { dice, ...rest } = fact as Fact
  if (fact.type === 'rolled') return { ...rest, pips: dice } as Fact
  return fact.type === 'roll' ? ({ ...rest, count: dice } as Fact) : fact
}

/** Tally as it would have been written with the shapes of schema 1. */
const older: GameRules = {
  ...tally,
  schemas: {
    ...tally.schemas,
    command: z.custom<Typed>((value) => tally.schemas.command.safeParse(raised(value as Typed)).success),
    event: z.custom<Typed>((value) => tally.schemas.event.safeParse(raised(value as Typed)).success),
  },
  decide(state, command, by, chance) {
    const decision = tally.decide(state, raised(command), by, chance)
    return 'refusal' in decision ? decision : { events: decision.events.map(lowered) }
  },
  evolve: (state, event, at) => tally.evolve(state, raised(event), at),
  luck: (state, event) => tally.luck(state, raised(event)),
  narrate: (event, options, name) => tally.narrate(raised(event), options, name),
}

/** Tally of today, made to know schema 1. */
const newer: GameRules = { ...tally, schemaVersion: 2, upcasts: { 1: raised } }
const games = gamesOf([newer])

function olderTable() {
  const table = openTable({ rules: older, options: { goal: 25 }, seats: 2, name: 'older' }).fill()
  const first = () => older.waitingFor(table.game)[0]!.seat
  table.order(first(), { type: 'stash' })
  while (!table.ended) table.order(first(), { type: 'roll', count: 2 })
  return table
}

/** A game begun with the older code and gone on with under the newer. */
async function upgraded(): Promise<{ ports: Ports; id: GameId }> {
  const before = testPorts({ rules: [older] })
  const id = await startTally(before, [anna, bela])
  for (let orders = 0; orders < 7; orders++) await roll(before, id, { type: 'roll', count: 1 })
  return { ports: { ...before, games }, id }
}

async function roll(ports: Ports, id: GameId, command: Fact): Promise<void> {
  const game = await loadGame(ports, id)
  const { state, rules } = game!
  const [awaited] = state.phase === 'running' ? rules.waitingFor(state.game) : []
  answered(await order(ports, id, awaited!.seat === 1 ? anna : bela, await headOfGame(ports, id), command))
}

describe('a log of schema 1 under rules of schema 2', () => {
  const table = olderTable()
  const lines = table.lines()

  test('holds the older shapes', () => {
    expect(lines.some((line) => line.includes('"pips"'))).toBe(true)
    expect(lines.some((line) => line.includes('"dice"'))).toBe(false)
  })

  test('is audited: digests on what is stored, decisions and dice in the shapes of today', () => {
    const report = audit(lines, games)
    expect(report).toMatchObject({ verdict: 'sound', complete: true, fault: null })
    expect(report.checked.decisions).toBe(table.commits.length - 1)
    expect(report.luck).toEqual(audit(lines, gamesOf([older])).luck)
    expect(audit(table.lines(SPECTATOR), games).verdict).toBe('sound')
  })

  test('is told as it was', () => {
    const { options } = table.state.opening
    const told = chronicleOf(newer, options, table.exported(), BY_SEAT)
    expect(told).toEqual(chronicleOf(older, options, table.exported(), BY_SEAT))
    expect(told.join('\n')).not.toContain('no words for')
  })

  test('is not sound when raised before it was verified, or when the raised shape says something else', () => {
    const early = copyOf({ header: JSON.parse(lines[0]!), commits: table.exported() })
    for (const commit of early.commits) commit.events = commit.events.map((event) => raised(event) as Fact)
    expect(audit(linesOf(early), games).fault?.reason).toBe('content-differs')
    const lying = copyOf({ header: JSON.parse(lines[0]!), commits: table.exported() })
    const rolled = lying.commits.findIndex(({ events }) => events[0]!.type === 'rolled')
    const pips = lying.commits[rolled]!.events[0]!['pips'] as number[]
    lying.commits[rolled]!.events[0] = { ...lying.commits[rolled]!.events[0]!, pips: [(pips[0]! % 6) + 1, pips[1]!] }
    forge(lying, older, table.secret)
    expect(audit(linesOf(lying), games).fault).toMatchObject({ n: rolled + 1, reason: 'decision-differs' })
  })

  test('garbage that cannot be raised is a fault, not a crash', () => {
    const fragile = gamesOf([
      {
        ...newer,
        upcasts: {
          1: () => {
            throw new TypeError('no such field')
          },
        },
      },
    ])
    expect(audit(lines, fragile).fault?.reason).toBe('unknown-fact')
  })
})

describe('a game that was under way at the upgrade', () => {
  test('goes on, is loaded with and without snapshots, and exported in the shapes it was stored in', async () => {
    const { ports, id } = await upgraded()
    const withOlder = await loadGame({ ...ports, games: gamesOf([older]) }, id)
    expect((await loadGame(ports, id))?.state).toEqual(withOlder?.state)
    const bare = { ...newer, stateVersion: newer.stateVersion + 1 }
    expect((await loadGame({ ...ports, games: gamesOf([bare]) }, id))?.state).toEqual(withOlder?.state)

    for (let orders = 0; orders < 6; orders++) await roll(ports, id, { type: 'roll', dice: 1 })
    const page = await readLog(ports, id, anna, 0)
    if (isProblem(page)) throw new Error('no page')
    const shapes = page.commits.map(({ schema, events }) => [schema, ...Object.keys(events[0]!).sort()].join())
    expect(shapes.filter((shape) => shape.includes('pips')).every((shape) => shape.startsWith('1'))).toBe(true)
    expect(shapes.filter((shape) => shape.includes('dice')).every((shape) => shape.startsWith('2'))).toBe(true)
    expect(new Set(page.commits.map(({ schema }) => schema))).toEqual(new Set([1, 2]))

    const report = await auditGame(ports, createAuditReports(4), id, anna)
    expect(report).toMatchObject({ verdict: 'sound', commits: page.commits.length })
    const chronicle = await readChronicle(ports, id, bela, 0)
    if (isProblem(chronicle)) throw new Error('no chronicle')
    expect(chronicle.lines.filter((line) => line.includes('roll')).length).toBe(13)
  })

  test('is verified in its stored shapes before anything is raised', async () => {
    const { ports, id } = await upgraded()
    const { store } = ports
    const lying: Ports = {
      ...ports,
      store: {
        ...store,
        readBackwards: async (...call) =>
          (await store.readBackwards(...call)).map((stored) => ({
            ...stored,
            commit: { ...stored.commit, events: stored.commit.events.map((event) => raised(event) as Fact) },
          })),
      },
    }
    await expect(loadGame(lying, id)).rejects.toThrow(DamagedLog)
  })

  test('is refused by the code before the upgrade', async () => {
    const { ports, id } = await upgraded()
    await roll(ports, id, { type: 'roll', dice: 1 })
    await expect(loadGame({ ...ports, games: gamesOf([older]) }, id)).rejects.toThrow(SchemaTooNew)
  })
})
