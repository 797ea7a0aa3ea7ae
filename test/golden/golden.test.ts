/** The golden logs: each sound to its recorded head, each ending as it did, and together all that can happen. */

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { audit } from '../../shared/application/audit.ts'
import { PLATFORM_EVENT_TYPES } from '../../shared/application/game-state.ts'
import { openCommand } from '../../shared/application/platform-commands.ts'
import { orderSchema, serverOrderSchema } from '../../shared/conquest/commands.ts'
import { conquest } from '../../shared/conquest/conquest.ts'
import { ENDINGS, eventSchema } from '../../shared/conquest/events.ts'
import { MAP_IDS } from '../../shared/conquest/map.ts'
import { type ConquestMap, MAPS } from '../../shared/conquest/maps.ts'
import { type ConquestOptions, HANDICAPS, PAYOUTS, SETUPS, VACATED } from '../../shared/conquest/options.ts'
import { cardById, setKind } from '../../shared/conquest/rules/cards.ts'
import type { ExportedCommit, Fact } from '../../shared/event-store/commit.ts'
import { games } from '../../shared/games.ts'
import { GOLDEN_ENDINGS, GOLDEN_GAMES, type GoldenEnding } from './golden-games.ts'
import { endOf, goldenLines, parsedLog, readManifest } from './manifest.ts'

const FOLDER = join(import.meta.dirname, 'conquest')
const manifest = readManifest()
const logs = manifest.map((entry) => ({ entry, ...parsedLog(goldenLines(entry.file)) }))
const allEvents = logs.flatMap(({ commits }) => commits.flatMap(({ events }) => events))
const allCommands = logs.flatMap(({ commits }) => commits.map(({ command }) => command))
const optionsOf = (options: unknown) => options as ConquestOptions

describe.each(manifest)('$file: $what', (entry) => {
  const lines = goldenLines(entry.file)

  test('is sound to its recorded head', () => {
    const [, n, hash] = /^(\d+)-(.+)$/.exec(entry.head)!
    const report = audit(lines, games, { head: { n: Number(n), hash: hash! } })
    expect(report.fault).toBeNull()
    expect(report).toMatchObject({ complete: true, commits: entry.commits, head: { n: Number(n), hash } })
    expect(report.checked.decisions).toBe(entry.commits - 1)
    expect(report.checked.seals).toBe(entry.commits)
    expect(report.waiting).toEqual({ 'hidden contents': 0, decisions: 0, seals: 0 })
  })

  test('ends in the very state it ended in; if not, the state version must rise and the new state be added', () => {
    const end = endOf(lines)
    expect(end.position).toBe(entry.position)
    expect(entry.states).toMatchObject(end.state)
    expect(end).toMatchObject({ opening: { options: entry.options }, commanders: entry.commanders })
  })

  test('ends as it says', () => {
    expect(endingOf(parsedLog(lines).commits, entry.options)).toBe(entry.ending)
  })
})

describe('together they hold', () => {
  test('every game of the script, and no file besides', () => {
    const files = GOLDEN_GAMES.map(({ name }) => `${name}.ndjson`)
    expect(manifest.map(({ file }) => file)).toEqual(files)
    expect(readdirSync(FOLDER).sort()).toEqual([...files, 'manifest.json'].sort())
  })

  test('less than two million bytes', () => {
    const bytes = readdirSync(FOLDER).reduce((sum, file) => sum + statSync(join(FOLDER, file)).size, 0)
    expect(bytes).toBeLessThan(2_000_000)
  })

  test('every type of event, of the platform and of the game', () => {
    const all = [...PLATFORM_EVENT_TYPES, ...eventSchema.unwrap().options.map(({ shape }) => shape.type.value)]
    expect(typesOf(allEvents)).toEqual([...all].sort())
  })

  test('every type of command', () => {
    const all = [openCommand.shape.type.value, 'join', 'leave', 'start', serverOrderSchema.shape.type.value]
    for (const { shape } of orderSchema.unwrap().options) all.push(shape.type.value)
    expect(typesOf(allCommands)).toEqual([...all].sort())
  })

  test('every way to end', () => {
    expect(new Set(manifest.map(({ ending }) => ending))).toEqual(new Set(GOLDEN_ENDINGS))
    const endings = allEvents.filter(({ type }) => type === 'gameOver').map((event) => event['ending'])
    expect(new Set(endings)).toEqual(new Set(ENDINGS))
  })

  test('every value of every option, private and public games, two to six commanders', () => {
    const values = (of: (options: ConquestOptions) => unknown) =>
      new Set(logs.filter(({ entry }) => entry.commanders > 0).map(({ entry }) => of(optionsOf(entry.options))))
    expect(values(({ map }) => map)).toEqual(new Set(MAP_IDS))
    expect(values(({ setup }) => setup)).toEqual(new Set(SETUPS))
    expect(values(({ handicap }) => handicap)).toEqual(new Set(HANDICAPS))
    expect(values(({ bastions }) => bastions)).toEqual(new Set([true, false]))
    expect(values(({ cards }) => cards)).toEqual(new Set(PAYOUTS))
    expect(values(({ vacated }) => vacated)).toEqual(new Set(VACATED))
    expect(values(({ turnSeconds }) => turnSeconds === null)).toEqual(new Set([true, false]))
    const usual = conquest.schemas.options.parse({})
    expect(values(({ missesToResign }) => Math.sign(missesToResign - usual.missesToResign))).toEqual(
      new Set([-1, 0, 1]),
    )
    expect(values(({ roundLimit }) => roundLimit === usual.roundLimit)).toEqual(new Set([true, false]))
    expect(Object.keys(conquest.schemas.options.parse({})).sort()).toEqual(
      [
        'map',
        'setup',
        'handicap',
        'bastions',
        'cards',
        'vacated',
        'turnSeconds',
        'missesToResign',
        'roundLimit',
      ].sort(),
    )
    expect(new Set(manifest.map(({ visibility }) => visibility))).toEqual(new Set(['public', 'private']))
    expect(new Set(manifest.map(({ commanders }) => commanders))).toEqual(new Set([0, 2, 3, 4, 5, 6]))
  })

  test('handicaps for two, three, four and more; a garrison by deal and by claim', () => {
    const of = (type: string) =>
      logs.filter(({ commits }) => typesOf(commits.flatMap(({ events }) => events)).includes(type))
    expect(new Set(of('handicapGranted').map(({ entry }) => entry.commanders))).toEqual(new Set([2, 3, 4]))
    expect(new Set(of('garrisonPlaced').map(({ entry }) => optionsOf(entry.options).setup))).toEqual(new Set(SETUPS))
  })

  test('trades of every kind, with no wild, one and two; forced ones; by the server; under both payouts', () => {
    const kinds = new Set<string>()
    const payouts = new Set<string>()
    for (const { entry, commits } of logs) {
      const map: ConquestMap = MAPS[optionsOf(entry.options).map as 'small']
      for (const { command, events } of commits)
        for (const event of events.filter(({ type }) => type === 'setTraded')) {
          const cards = event['cards'] as [string, string, string]
          const [a, b, c] = cards.map((id) => cardById(map, id)!) as [number, number, number]
          kinds.add(`${setKind(map, [a, b, c])}, ${cards.filter((id) => id.startsWith('wild')).length} wild`)
          payouts.add(`${optionsOf(entry.options).cards} by ${command.type}`)
        }
    }
    expect([...kinds].sort()).toEqual([
      'artillery, 0 wild',
      'artillery, 1 wild',
      'cavalry, 0 wild',
      'cavalry, 1 wild',
      'infantry, 0 wild',
      'infantry, 1 wild',
      'one of each, 0 wild',
      'one of each, 1 wild',
      'one of each, 2 wild',
    ])
    expect([...payouts].sort()).toEqual(['escalating by trade', 'fixed by expire', 'fixed by trade'])
    const afterHand = logs.flatMap(({ commits }) =>
      commits.filter(
        ({ command }, place) =>
          command.type === 'trade' && commits[place - 1]!.events.some(({ type }) => type === 'handTaken'),
      ),
    )
    expect(afterHand.length).toBeGreaterThan(3)
  })
})

function typesOf(facts: readonly Fact[]): string[] {
  return [...new Set(facts.map(({ type }) => type))].sort()
}

function endingOf(commits: readonly ExportedCommit[], options: unknown): GoldenEnding {
  const { events } = commits.at(-1)!
  const last = events.at(-1)!
  if (last.type === 'gameClosed') return 'closed'
  switch (last['ending']) {
    case 'round-limit':
      return 'round limit'
    case 'resignation':
      return events.find(({ type }) => type === 'commanderResigned')!['missed'] === true
        ? 'last rival missed too often'
        : 'last rival resigned'
    default:
      return holdsAll(commits, options) ? 'all conquered' : 'last rival eliminated'
  }
}

/** Whether one commander holds every territory at the end. */
function holdsAll(commits: readonly ExportedCommit[], options: unknown): boolean {
  const events = commits.flatMap((commit) => commit.events)
  const start = events.findIndex(({ type }) => type === 'gameStarted')
  let state = conquest.initial(optionsOf(options), Number(events[start]!['commanders']))
  for (const event of events.slice(start + 1)) state = conquest.evolve(state, event as never, 0)
  return new Set(state.owners).size === 1
}
