/** A whole command through `hazard serve`, beside the two bare DynamoDB calls it cannot do without, in one run. */

import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { type AttributeValue, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { createDynamoClient } from '../functions/adapters/dynamodb/client.ts'
import { CHANGES_AWAITED } from '../functions/adapters/dynamodb/commit-codec.ts'
import { parts } from '../local/parts.ts'
import { type Serving, serve } from '../local/serve.ts'
import { seededChance } from '../shared/fair-dice/chance.ts'
import { games } from '../shared/games.ts'
import { type Measurement, median, timed } from './measurement.ts'

const COMMANDS = 150

/** Plays a game by HTTP with the projector paused, then with it, and bare calls in between. */
export async function benchServe(): Promise<Measurement[]> {
  const data = mkdtempSync(join(tmpdir(), 'hazard-bench-'))
  const serving = await serve({ host: '127.0.0.1', port: 0, data, clockSpeed: 1, complain: () => {} }, parts)
  try {
    await playTimed(serving, 40, 'warming')
    serving.stream.paused = true
    const alone = await playTimed(serving, COMMANDS, 'alone')
    serving.stream.paused = false
    await serving.stream.drain(10_000)
    const projected = await playTimed(serving, COMMANDS, 'projected')
    return [
      { name: 'command through serve ÷ two bare calls, projector paused', measured: alone, budget: 1.5, unit: '×' },
      { name: 'command through serve ÷ two bare calls, with projector', measured: projected, budget: 2.2, unit: '×' },
    ]
  } finally {
    agent.destroy()
    await serving.close()
    rmSync(data, { recursive: true, force: true })
  }
}

/** The ratio of medians over so many commands, each paired with the bare calls made right before it. */
async function playTimed(serving: Serving, commands: number, name: string): Promise<number> {
  const players = await Promise.all([1, 2].map((place) => signIn(serving.origin, `${name}-${place}@example.org`)))
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const call = async (player: number, path: string, body?: object): Promise<any> => {
    const { status, text } = await ask(`${serving.origin}/api${path}`, players[player]!, body)
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`)
    return JSON.parse(text)
  }
  const opened = await call(0, '/games', {
    commandId: `opening-${name}`,
    kind: 'conquest',
    seats: 2,
    visibility: 'public',
  })
  const id = opened.game.game
  await call(1, `/games/${id}/commands`, { commandId: 'joining-1', seen: opened.head, command: { type: 'join' } })

  const rules = games.newest('conquest')!
  const client = createDynamoClient({ endpoint: serving.dynamoEndpoint })
  const thinking = seededChance(name)
  const bareTimes: number[] = []
  const commandTimes: number[] = []
  let sights = await Promise.all([0, 1].map((player) => call(player, `/games/${id}`)))
  let head = sights[0].head
  for (let number = 1; number <= commands && sights[0].game.phase === 'running'; number++) {
    const seat: number = sights[0].game.waitingFor[0].seat
    const player = seat - 1
    const { legal } = await call(player, `/games/${id}/legal`)
    const command = rules.bots['greedy']!.choose(sights[player].game.view, legal, seat, thinking.pick)
    bareTimes.push(await timed(() => bareCalls(client, id, number)))
    const body = { commandId: `command-${number}`, seen: head, command }
    commandTimes.push(await timed(() => call(player, `/games/${id}/commands`, body)))
    sights = await Promise.all([0, 1].map((each) => call(each, `/games/${id}`)))
    head = sights[0].head
  }
  client.destroy()
  return median(commandTimes) / median(bareTimes)
}

/** The Query and the PutItem of a command, of the same sizes, with nothing around them. */
async function bareCalls(client: ReturnType<typeof createDynamoClient>, id: string, number: number): Promise<void> {
  const key: Record<string, AttributeValue> = { ':game': { S: `GAME#${id}` } }
  const page = await client.send(
    new QueryCommand({
      TableName: 'events',
      KeyConditionExpression: 'pk = :game',
      ExpressionAttributeValues: key,
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: 8,
    }),
  )
  const { [CHANGES_AWAITED]: _, ...newest } = page.Items![0]!
  const item = { ...newest, pk: { S: `BARE#${id}` }, n: { N: String(number) } }
  await client.send(
    new PutItemCommand({ TableName: 'events', Item: item, ConditionExpression: 'attribute_not_exists(pk)' }),
  )
}

const agent = new Agent({ keepAlive: true })

/** One request over a kept connection, by the same client code of Node that the SDK uses. */
function ask(url: string, token: string, body?: object): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = request(url, { agent, headers, method: body === undefined ? 'GET' : 'POST' }, async (response) => {
      resolve({ status: response.statusCode!, text: await readText(response) })
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

async function signIn(origin: string, email: string): Promise<string> {
  const response = await fetch(`${origin}/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, name: email.split('@')[0] }),
  })
  return ((await response.json()) as { token: string }).token
}
