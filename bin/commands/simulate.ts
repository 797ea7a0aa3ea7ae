/** `hazard simulate`: whole games between bots, reproducible from a seed. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Complaint, EXIT } from '../../local/complaint.ts'
import { makeFolder, unwritable } from '../../local/durable-file.ts'
import { logLines } from '../../shared/application/export-log.ts'
import {
  type SimulatedGame,
  type Simulation,
  SimulationFault,
  simulateGame,
  simulateLog,
} from '../../shared/application/simulate.ts'
import { games } from '../../shared/games.ts'
import type { Io } from '../hazard.ts'
import { interval, quantile } from './statistics.ts'

export const summary = 'let bots play whole games, and count'
export const usage = `hazard simulate --games n --commanders k [options]

  --games n          how many games: 1 to 1000000
  --commanders k     how many bots play
  --kind k           which game; default conquest
  --map m            which map; the game's default unless given
  --option name=v    any other option of the game, as often as wanted
  --bots a,b,…       the policies, dealt to the seats in turn; default: all of the game's
  --seed s           any text; the same seed, the same games; default 1
  --logs folder      keeps each game's log there, as <game>.ndjson; such a game has the dice of its log, not those of a run without
  --json             the numbers for programs

Exit codes: 0 played; 1 a bot's order was refused or a game did not end (the position is told); 2 wrong usage.`

/** Plays the games and prints what came of them. Throws Complaint for what cannot be played. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      games: { type: 'string' },
      commanders: { type: 'string' },
      kind: { type: 'string', default: 'conquest' },
      map: { type: 'string' },
      option: { type: 'string', multiple: true, default: [] },
      bots: { type: 'string' },
      seed: { type: 'string', default: '1' },
      logs: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const count = wholeNumber('games', values.games, 1, 1_000_000)
  const simulation = simulationOf(values)
  const played: SimulatedGame[] = []
  const started = performance.now()
  try {
    for (let index = 0; index < count; index++) {
      played.push(
        values.logs === undefined ? simulateGame(simulation, index) : await playWithLog(simulation, index, values.logs),
      )
      showProgress(io, index + 1, count)
    }
  } catch (fault) {
    if (fault instanceof SimulationFault)
      throw new Complaint(`Game ${played.length + 1}: ${fault.message}`, EXIT.failed)
    throw fault
  }
  const report = reportOf(simulation, played, performance.now() - started)
  io.out(values.json ? JSON.stringify(report) : told(report))
  return EXIT.done
}

interface Wishes {
  readonly kind: string
  readonly commanders?: string | undefined
  readonly map?: string | undefined
  readonly option: readonly string[]
  readonly bots?: string | undefined
  readonly seed: string
}

function simulationOf({ kind, commanders, map, option, bots, seed }: Wishes): Simulation {
  const rules = games.newest(kind)
  if (rules === null) throw new Complaint(`There is no game called ${JSON.stringify(kind)}.`, EXIT.usage)
  const given = [...(map === undefined ? [] : [`map=${map}`]), ...option].map(readOption)
  const options = rules.schemas.options.safeParse(Object.fromEntries(given))
  if (!options.success) {
    const [issue] = options.error.issues
    throw new Complaint(`The option ${issue?.path.join('.') || given[0]?.[0]}: ${issue?.message}.`, EXIT.usage)
  }
  const { least, most } = rules.seats(options.data)
  const seats = wholeNumber('commanders', commanders, least, most)
  const policies = bots === undefined ? Object.keys(rules.bots) : bots.split(',')
  const unknown = policies.find((policy) => !Object.hasOwn(rules.bots, policy))
  if (unknown !== undefined)
    throw new Complaint(
      `There is no bot ${JSON.stringify(unknown)}, but ${Object.keys(rules.bots).join(', ')}.`,
      EXIT.usage,
    )
  const dealt = Array.from({ length: seats }, (_, place) => policies[place % policies.length]!)
  return { rules, options: options.data, bots: dealt, seed }
}

function readOption(text: string): [string, unknown] {
  const [, name, value] = /^([A-Za-z]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new Complaint(`--option takes name=value, not ${JSON.stringify(text)}.`, EXIT.usage)
  return [name, /^(true|false|null|\d{1,15})$/.test(value) ? JSON.parse(value) : value]
}

function wholeNumber(field: string, text: string | undefined, least: number, most: number): number {
  if (text === undefined) throw new Complaint(`--${field} is needed.`, EXIT.usage)
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= least && number <= most))
    throw new Complaint(`--${field} must be a whole number from ${least} to ${most}.`, EXIT.usage)
  return number
}

async function playWithLog(simulation: Simulation, index: number, folder: string): Promise<SimulatedGame> {
  const game = simulateLog(simulation, index)
  const file = join(folder, `${game.commits[0]!.game}.ndjson`)
  try {
    await makeFolder(folder)
    await writeFile(file, `${[...logLines(simulation.rules, game.commits)].join('\n')}\n`)
  } catch (fault) {
    throw unwritable(folder, fault)
  }
  return game
}

function showProgress(io: Io, done: number, of: number): void {
  const step = Math.max(1, Math.floor(of / 20))
  if (of > 1 && (done % step === 0 || done === of)) io.err(`${done} of ${of} games`)
}

interface Report {
  readonly kind: string
  readonly seed: string
  readonly games: number
  readonly bots: readonly string[]
  /** Median, 5th and 95th percentile per game. */
  readonly orders: Spread
  readonly events: Spread
  readonly msPerGame: number
  /** Games won by the place at the start, with a 95 % interval; and by bot. */
  readonly wonByPlace: readonly Share[]
  readonly wonByBot: readonly Share[]
}

interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

interface Share {
  readonly name: string
  readonly won: number
  readonly of: number
  readonly low: number
  readonly high: number
}

function reportOf({ rules, bots, seed }: Simulation, played: readonly SimulatedGame[], ms: number): Report {
  const winners = played.flatMap(({ record }) => record.filter(({ place }) => place === 1))
  const shareOf = (name: string, of: number, wins: (seat: (typeof winners)[number]) => boolean): Share => {
    const won = winners.filter(wins).length
    return { name, won, of, ...interval(won, of) }
  }
  const policies = [...new Set(bots)]
  return {
    kind: rules.kind,
    seed,
    games: played.length,
    bots,
    orders: spread(played.map(({ orders }) => orders)),
    events: spread(played.map(({ events }) => events)),
    msPerGame: ms / played.length,
    wonByPlace: bots.map((_, place) => shareOf(`${place + 1}`, played.length, ({ start }) => start === place + 1)),
    wonByBot: policies.map((policy) => {
      const entries = played.length * bots.filter((each) => each === policy).length
      return shareOf(policy, entries, ({ seat }) => bots[seat - 1] === policy)
    }),
  }
}

function spread(values: readonly number[]): Spread {
  return { median: quantile(values, 0.5), low: quantile(values, 0.05), high: quantile(values, 0.95) }
}

function told(report: Report): string {
  const line = ({ name, won, of, low, high }: Share) =>
    `  ${name.padEnd(10)} ${won} of ${of}  ${percent(won / of)}  (${percent(low)} to ${percent(high)})`
  const length = (name: string, { median, low, high }: Spread) =>
    `  ${name.padEnd(10)} ${median}  (9 of 10 games: ${low} to ${high})`
  return [
    `${report.games} games of ${report.kind}, seed ${report.seed}, bots ${report.bots.join(', ')}`,
    'Length of a game, median',
    length('orders', report.orders),
    length('events', report.events),
    `  computed   in ${report.msPerGame.toFixed(1)} ms`,
    'Won, by place in the turn order (with 95 % interval)',
    ...report.wonByPlace.map(line),
    'Won, by bot and seat taken (with 95 % interval)',
    ...report.wonByBot.map(line),
  ].join('\n')
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}
