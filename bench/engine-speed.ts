/** How fast the rules are: folding, deciding, whole games. */

import { simulateGame, simulateLog } from '../shared/application/simulate.ts'
import type { ConquestCommand } from '../shared/conquest/commands.ts'
import { conquest } from '../shared/conquest/conquest.ts'
import type { ConquestEvent } from '../shared/conquest/events.ts'
import { seededChance } from '../shared/fair-dice/chance.ts'
import type { GameRules } from '../shared/game-rules.ts'
import { type Measurement, median, timed } from './measurement.ts'

const rules = conquest as GameRules
const options = conquest.schemas.options.parse({})
const GREEDY = ['greedy', 'greedy', 'greedy', 'greedy']

/** Measures; takes some seconds. */
export async function benchEngine(): Promise<Measurement[]> {
  const perGame: number[] = []
  for (let index = 0; index < 30; index++) {
    perGame.push(await timed(() => simulateGame({ rules, options, bots: GREEDY, seed: 'bench' }, index)))
  }
  const events = longLog()
  const folds: number[] = []
  for (let round = 0; round < 20; round++) folds.push(await timed(() => fold(events)))
  const fold5000 = events.slice(0, 5000)
  const folds5000: number[] = []
  for (let round = 0; round < 20; round++) folds5000.push(await timed(() => fold(fold5000)))
  return [
    {
      name: 'replay, events a second',
      measured: (events.length / median(folds)) * 1000,
      budget: 300_000,
      unit: '/s',
      atLeast: true,
    },
    { name: `replay of ${fold5000.length} events`, measured: median(folds5000), budget: 20, unit: 'ms' },
    {
      name: 'decide + evolve, one attack',
      measured: await attacksPerSecond(),
      budget: 100_000,
      unit: '/s',
      atLeast: true,
    },
    { name: 'a game of four bots by simulate, median', measured: median(perGame), budget: 50, unit: 'ms' },
  ]
}

/** The game's own events of a log long enough to time. */
function longLog(): readonly ConquestEvent[] {
  for (let index = 0; ; index++) {
    const { commits } = simulateLog(
      { rules, options, bots: ['random', 'random', 'random', 'random'], seed: 'long' },
      index,
    )
    const start = commits.findIndex(({ command }) => command.type === 'start')
    const events = commits.slice(start).flatMap((commit) => commit.events as unknown as readonly ConquestEvent[])
    if (events.length >= 5000) return events.slice(1)
  }
}

function fold(events: readonly ConquestEvent[]): void {
  let state = conquest.initial(options, 4)
  for (const event of events) state = conquest.evolve(state, event, 0)
}

/** The same attack on the same board again and again. */
async function attacksPerSecond(): Promise<number> {
  const dice = seededChance('attacks')
  let state = conquest.initial(options, 4)
  for (const event of conquest.begin(state, dice)) state = conquest.evolve(state, event, 0)
  const give = (command: ConquestCommand, seat: number) => {
    const decision = conquest.decide(state, command, seat, dice)
    if ('refusal' in decision) throw new Error(decision.refusal)
    return decision.events
  }
  const { seat } = conquest.waitingFor(state)[0]!
  const deploy = conquest.legal(state, seat).find((order) => order.type === 'deploy')!
  const origin = deploy.territories.find((territory) => {
    const deployed = give({ type: 'deploy', placements: [{ territory, armies: deploy.pool }] }, seat)
    const after = deployed.reduce((folded, event) => conquest.evolve(folded, event, 0), state)
    return conquest.legal(after, seat).some((order) => order.type === 'attack' && order.origin === territory)
  })!
  for (const event of give({ type: 'deploy', placements: [{ territory: origin, armies: deploy.pool }] }, seat))
    state = conquest.evolve(state, event, 0)
  const attack = conquest.legal(state, seat).find((order) => order.type === 'attack' && order.origin === origin)!
  if (attack.type !== 'attack') throw new Error('no attack')
  const command = { type: 'attack', origin, target: attack.target, dice: 1 } as const
  const times = 50_000
  const once = () => {
    for (let index = 0; index < times; index++)
      for (const event of give(command, seat)) conquest.evolve(state, event, 0)
  }
  once()
  return (times / (await timed(once))) * 1000
}
