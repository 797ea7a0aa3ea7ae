import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rename, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import {
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  paginateQuery,
  paginateScan,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EXIT } from '../../local/complaint.ts'
import { startEmbeddedDynamoDb } from '../../local/embedded-dynamodb.ts'
import { openLevel } from '../../local/level.ts'
import type { StoredItem } from '../../local/stream.ts'
import { type Folder, TABLES, temporaryFolder } from '../support/local-serving.ts'

let folder: Folder
const ending: (() => unknown)[] = []
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
  await folder.remove()
})

async function start() {
  const written: StoredItem[] = []
  const database = await startEmbeddedDynamoDb({
    folder: join(folder.path, 'dynamodb'),
    tables: [TABLES.eventsTable, TABLES.readModelsTable],
    eventsTable: 'events',
    onWritten: (item) => void written.push(item),
  })
  const client = new DynamoDBClient({
    endpoint: database.endpoint,
    region: 'local',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    maxAttempts: 1,
  })
  let stopped = false
  const stop = async () => {
    if (stopped) return
    stopped = true
    client.destroy()
    await database.close()
  }
  ending.push(stop)
  const put = (n: number, TableName = 'events') =>
    client.send(
      new PutItemCommand({
        TableName,
        Item: {
          pk: { S: 'GAME#a' },
          [TableName === 'events' ? 'n' : 'sk']: TableName === 'events' ? { N: `${n}` } : { S: 'x' },
          b: { B: new Uint8Array([1, 2, 255]) },
        },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    )
  return { ...database, client, put, written, stop }
}

async function numbers(client: DynamoDBClient, game: string): Promise<number[]> {
  const found: number[] = []
  const pages = paginateQuery(
    { client },
    {
      TableName: 'events',
      KeyConditionExpression: 'pk = :g',
      ExpressionAttributeValues: { ':g': { S: game } },
      ConsistentRead: true,
    },
  )
  for await (const { Items } of pages) found.push(...(Items ?? []).map(({ n }) => Number(n!.N)))
  return found
}

test('each acknowledged write to the events table, and no other, is told once as it would stand in a stream record', async () => {
  const { put, written } = await start()
  await put(1)
  await expect(put(1)).rejects.toThrow(expect.objectContaining({ name: 'ConditionalCheckFailedException' }))
  await put(1, 'read-models')
  await put(2)
  expect(written).toEqual([1, 2].map((n) => ({ pk: { S: 'GAME#a' }, n: { N: `${n}` }, b: { B: 'AQL/' } })))
})

test('what was written is there after a restart, and records go on', async () => {
  const first = await start()
  await first.put(1)
  await first.stop()
  const again = await start()
  expect(await numbers(again.client, 'GAME#a')).toEqual([1])
  await expect(again.put(1)).rejects.toThrow(expect.objectContaining({ name: 'ConditionalCheckFailedException' }))
  await again.put(2)
  expect(again.written).toHaveLength(1)
})

test('a commit can be neither changed nor deleted', async () => {
  const { put, client } = await start()
  await put(1)
  const Key = { pk: { S: 'GAME#a' }, n: { N: '1' } }
  for (const command of [
    new DeleteItemCommand({ TableName: 'events', Key }),
    new UpdateItemCommand({ TableName: 'events', Key, UpdateExpression: 'REMOVE b' }),
  ]) {
    await expect(client.send(command as DeleteItemCommand)).rejects.toThrow(
      expect.objectContaining({ name: 'AccessDeniedException' }),
    )
  }
  await client.send(new DeleteItemCommand({ TableName: 'read-models', Key: { pk: { S: 'x' }, sk: { S: 'y' } } }))
  expect(await numbers(client, 'GAME#a')).toEqual([1])
})

test('nobody who does not know the endpoint is answered, and a client that hangs up harms nothing', async () => {
  const { endpoint, put } = await start()
  const { origin, port, pathname } = new URL(endpoint)
  for (const path of ['/', `${pathname.slice(0, -1)}x`, `${pathname}/..`]) {
    const response = await fetch(`${origin}${path}`, {
      method: 'POST',
      body: '{}',
      headers: { 'x-amz-target': 'DynamoDB_20120810.ListTables' },
    })
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('AccessDeniedException')])
  }
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nHost: x\r\nX-Amz-Target: DynamoDB_20120810.PutItem\r\nContent-Length: 500\r\n\r\n{"Ta`,
  )
  await new Promise((resolve) => setTimeout(resolve, 30))
  socket.destroy()
  await put(1)
})

test('every write acknowledged before a kill −9 is there, at its number, and the folder opens again at once', async () => {
  const acknowledged: number[] = []
  for (const game of ['GAME#b', 'GAME#c']) {
    const writer = spawnWriter(join(folder.path, 'dynamodb'), game)
    const ended = once(writer, 'exit')
    const mine: number[] = []
    for await (const line of createInterface({ input: writer.stdout! })) {
      mine.push(Number(line))
      if (mine.length === 150) process.kill(writer.pid!, 'SIGKILL')
    }
    await ended
    acknowledged.push(mine.length)
    const { client, put, written, stop } = await start()
    const kept = await numbers(client, game)
    expect(mine.filter((n) => !kept.includes(n))).toEqual([])
    expect(new Set(kept).size).toBe(kept.length)
    if (game === 'GAME#b') await put(1)
    expect(written).toHaveLength(game === 'GAME#b' ? 1 : 0)
    await stop()
  }
  expect(Math.min(...acknowledged)).toBeGreaterThanOrEqual(150)
})

test('a table whose making was cut short is finished', async () => {
  const { stop } = await start()
  await stop()
  const level = await openLevel(join(folder.path, 'dynamodb'))
  const table = (await level.get('table~read-models')) as object
  await level.put('table~read-models', { ...table, TableStatus: 'CREATING' })
  await level.close()
  const { client } = await start()
  for await (const page of paginateScan({ client }, { TableName: 'read-models' })) expect(page.Items).toEqual([])
})

test('a folder in use, and damaged files, are told in one sentence', async () => {
  const database = join(folder.path, 'dynamodb')
  const { stop, put } = await start()
  await expect(start()).rejects.toThrow(expect.objectContaining({ exitCode: EXIT.folderInUse }))
  await put(1)
  await stop()
  const level = await openLevel(database)
  await level.close()
  await writeFile(join(database, 'CURRENT'), 'MANIFEST-nonsense\n')
  await expect(start()).rejects.toThrow(
    expect.objectContaining({
      exitCode: EXIT.damaged,
      message: expect.stringMatching(/is damaged \(.+\): nothing was changed; put back a copy of it\.$/),
    }),
  )
  await rm(join(database, 'CURRENT'))
  await rename(join(database, 'LOG'), join(database, '000099.ldb'))
  await expect(start()).rejects.toThrow(
    expect.objectContaining({ exitCode: EXIT.damaged, message: expect.stringContaining('CURRENT is missing') }),
  )
})

function spawnWriter(database: string, game: string): ChildProcess {
  const script = new URL('../support/local-writer.ts', import.meta.url).pathname
  const env = { ...process.env, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' }
  const writer = spawn(process.execPath, ['--import', 'tsx', script, database, game], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  })
  ending.push(() => writer.kill('SIGKILL'))
  return writer
}
