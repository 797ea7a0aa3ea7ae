/** What a whole game of four commanders costs, counted: units, calls and bytes as DynamoDB counts them, and the price of it all. */

import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { createDynamoClient } from '../functions/adapters/dynamodb/client.ts'
import { itemWithin } from '../functions/adapters/dynamodb/event-store.ts'
import { itemBytes } from '../functions/adapters/dynamodb/item-size.ts'
import { createTableIfMissing, EVENTS_TABLE, READ_MODELS_TABLE } from '../functions/adapters/dynamodb/tables.ts'
import { createDependencies } from '../functions/dependencies.ts'
import { giveCommand } from '../shared/application/give-command.ts'
import { loadGame } from '../shared/application/load-game.ts'
import { openGame } from '../shared/application/open-game.ts'
import { isProblem } from '../shared/application/outcome.ts'
import type { Person } from '../shared/application/ports.ts'
import { projectGame } from '../shared/application/project.ts'
import { readGame } from '../shared/application/read-game.ts'
import type { CommandId, Fact, GameId, StoredCommit } from '../shared/event-store/commit.ts'
import { seededChance } from '../shared/fair-dice/chance.ts'
import { withNewKey } from '../shared/fair-dice/key-ring.ts'
import { startLoopbackDynamo } from '../test/support/loopback-dynamodb.ts'
import { type Measurement, mean, median } from './measurement.ts'

/** Everything counted over one game. */
export interface GameCosts {
  readonly commands: number
  /** Per accepted command, on the events table. */
  readonly writeUnits: readonly number[]
  readonly readUnits: readonly number[]
  readonly calls: readonly number[]
  readonly commitBytes: readonly number[]
  /** Commits that pass the stream's filter, and what the projector uses for them. */
  readonly signals: number
  readonly projectionWriteUnits: number
  readonly projectionReadUnits: number
  /** Units of one look at the game, as polling makes it. */
  readonly lookUnits: number
}

const PERSONS: readonly Person[] = ['anna', 'bela', 'cleo', 'dora'].map((name) => ({ subject: name, name }))

/** Plays a game of four greedy bots through the use cases over an embedded DynamoDB; the same seed, the same game. */
export async function playCountedGame(seed: string): Promise<GameCosts> {
  const dynamo = await startLoopbackDynamo()
  const client = createDynamoClient({ endpoint: dynamo.endpoint })
  await createTableIfMissing(client, 'events', EVENTS_TABLE)
  await createTableIfMissing(client, 'read-models', READ_MODELS_TABLE)
  client.destroy()
  let counted: { table: string; operation: string; units: number }[] = []
  let now = Date.UTC(2026, 0, 1)
  const { ports, readModels, close } = createDependencies({
    dynamoEndpoint: dynamo.endpoint,
    region: 'local',
    eventsTable: 'events',
    readModelsTable: 'read-models',
    keyRing: withNewKey(null, sha256(utf8ToBytes(seed))),
    now: () => (now += 60_000),
    onCapacity: (table, operation, units) => counted.push({ table, operation, units }),
  })
  const projection = { ...ports, rows: readModels }
  /** What has been counted since the last call. */
  const take = (table: string, ...operations: readonly string[]) => {
    const some = counted.filter((each) => each.table === table && operations.includes(each.operation))
    return { calls: some.length, units: some.reduce((sum, { units }) => sum + units, 0) }
  }
  const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems']
  const READS = ['Query', 'GetItem', 'BatchGetItem']

  const request = { kind: 'conquest', options: {}, seats: 4, visibility: 'public' as const }
  const opened = await openGame(ports, { person: PERSONS[0]!, commandId: 'opening-1' as CommandId, request })
  if (isProblem(opened)) throw new Error(opened.detail)
  const id: GameId = opened.game.game
  for (const person of PERSONS.slice(1)) {
    const { head } = (await loadGame(ports, id))!
    const command = { type: 'join' }
    await giveCommand(ports, { game: id, person, commandId: 'joining-1' as CommandId, seen: head, command })
  }
  await projectGame(projection, id, 5)

  const thinking = seededChance(seed)
  const costs = {
    writeUnits: [] as number[],
    readUnits: [] as number[],
    calls: [] as number[],
    commitBytes: [] as number[],
    signals: 0,
    projectionWriteUnits: 0,
    projectionReadUnits: 0,
  }
  for (let commands = 1; ; commands++) {
    const game = (await loadGame(ports, id))!
    if (game.state.phase !== 'running') break
    const { seat } = game.rules.waitingFor(game.state.game)[0]!
    const view = game.rules.view(game.state.game, { seat, open: false })
    const command = game.rules.bots['greedy']!.choose(
      view,
      game.rules.legal(game.state.game, seat),
      seat,
      thinking.pick,
    )
    counted = []
    const answer = await giveCommand(ports, {
      game: id,
      person: PERSONS[game.state.members.findIndex((_, place) => place + 1 === seat)]!,
      commandId: `command-${commands}` as CommandId,
      seen: game.head,
      command: command as Fact,
    })
    if (isProblem(answer)) throw new Error(`${JSON.stringify(command)}: ${answer.detail}`)
    costs.writeUnits.push(take('events', ...WRITES).units)
    costs.readUnits.push(take('events', ...READS).units)
    costs.calls.push(counted.length)
    const [stored] = (await ports.store.readBackwards(id, 1)) as [StoredCommit]
    costs.commitBytes.push(itemBytes(itemWithin(stored) as Record<string, AttributeValue>))
    if (!stored.changesAwaited) continue
    counted = []
    await projectGame(projection, id, stored.commit.n)
    costs.signals += 1
    costs.projectionWriteUnits += take('read-models', ...WRITES).units
    costs.projectionReadUnits += take('read-models', ...READS).units + take('events', ...READS).units
  }
  counted = []
  await readGame(ports, id, PERSONS[0]!)
  const lookUnits = counted.reduce((sum, { units }) => sum + units, 0)
  close()
  await dynamo.stop()
  return { ...costs, commands: costs.calls.length, lookUnits }
}

/** The rows of the budget table that are counts. */
export function costMeasurements(games: readonly GameCosts[]): Measurement[] {
  const all = <K extends 'writeUnits' | 'readUnits' | 'calls' | 'commitBytes'>(what: K) =>
    games.flatMap((game) => game[what])
  const commands = games.reduce((sum, game) => sum + game.commands, 0)
  const projected = games.reduce((sum, game) => sum + game.projectionWriteUnits, 0)
  return [
    { name: 'write units per command, events table, median', measured: median(all('writeUnits')), budget: 1, unit: '' },
    { name: 'write units per command, events table, mean', measured: mean(all('writeUnits')), budget: 1.15, unit: '' },
    { name: 'read units per command, most', measured: Math.max(...all('readUnits')), budget: 2, unit: '' },
    { name: 'DynamoDB calls per fresh command, most', measured: Math.max(...all('calls')), budget: 2, unit: '' },
    { name: 'write units of projection per command', measured: projected / commands, budget: 0.5, unit: '' },
    { name: 'bytes per commit, median', measured: median(all('commitBytes')), budget: 600, unit: 'B' },
  ]
}
