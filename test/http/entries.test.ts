/** The bundles as they are deployed, in processes of their own with nothing but an environment: keys from a secret, tables over the network. */

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle } from '../../bin/bundle.ts'
import { createDynamoClient } from '../../functions/adapters/dynamodb/client.ts'
import { createTableIfMissing, EVENTS_TABLE, READ_MODELS_TABLE } from '../../functions/adapters/dynamodb/tables.ts'
import { formatKeyRing } from '../../shared/fair-dice/key-ring.ts'
import { type LoopbackDynamo, listen, startLoopbackDynamo, stopServer } from '../support/loopback-dynamodb.ts'
import { TEST_RING } from '../support/play.ts'

const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'hazard-entries-'))
const asked: string[] = []
const secrets = createServer((request, response) => {
  let body = ''
  request.on('data', (piece) => {
    body += piece
  })
  request.on('end', () => {
    asked.push(`${request.headers['x-amz-target']} ${body}`)
    response.setHeader('content-type', 'application/x-amz-json-1.1')
    response.end(JSON.stringify({ SecretString: formatKeyRing(TEST_RING) }))
  })
})
let dynamo: LoopbackDynamo
let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  dynamo = await startLoopbackDynamo()
  const client = createDynamoClient({ endpoint: dynamo.endpoint })
  await createTableIfMissing(client, 'events', EVENTS_TABLE)
  await createTableIfMissing(client, 'read-models', READ_MODELS_TABLE)
  client.destroy()
  environment = {
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: await listen(secrets),
    EVENTS_TABLE: 'events',
    READ_MODELS_TABLE: 'read-models',
    MASTER_KEYS_SECRET: 'the-secret',
  }
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await stopServer(secrets)
  await dynamo.stop()
})

interface Answer {
  readonly statusCode: number
  readonly body: string
}

/** What the handler answers to each event in turn, in one fresh process. */
async function answersOf(name: string, events: readonly object[]): Promise<readonly unknown[]> {
  const file = join(folder, name, 'index.mjs')
  await bundle(join(ROOT, `functions/${name}.ts`), file)
  const script = `const { handler } = await import(${JSON.stringify(file)})
    const answers = []
    for (const event of ${JSON.stringify(events)}) answers.push(await handler(event, { awsRequestId: 'r' }))
    process.stdout.write(JSON.stringify(answers), () => process.exit())`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, env: environment })
  let [said, complained] = ['', '']
  child.stdout.on('data', (piece) => {
    said += piece
  })
  child.stderr.on('data', (piece) => {
    complained += piece
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect(code, complained).toBe(0)
  return JSON.parse(said)
}

function call(method: string, rawPath: string, body?: object): object {
  return {
    version: '2.0',
    rawPath,
    rawQueryString: '',
    headers: { 'content-type': 'application/json' },
    isBase64Encoded: false,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    requestContext: { http: { method, path: rawPath }, authorizer: { jwt: { claims: { sub: 'anna', name: 'Anna' } } } },
  }
}

test('a game is opened by the one and projected by the other, with one look at the secret each', async () => {
  const opening = {
    commandId: 'the-opening',
    kind: 'conquest',
    options: { map: 'small' },
    seats: 2,
    visibility: 'public',
  }
  const [opened] = (await answersOf('api', [call('POST', '/api/games', opening), call('GET', '/api/me')])) as Answer[]
  expect(opened?.statusCode, opened?.body).toBe(201)
  expect(asked).toEqual(['secretsmanager.GetSecretValue {"SecretId":"the-secret"}'])

  const { game } = JSON.parse(opened!.body).game
  const Keys = { pk: { S: `GAME#${game}` }, n: { N: '1' } }
  const signal = { eventName: 'INSERT', dynamodb: { Keys, SequenceNumber: '1' } }
  expect(await answersOf('project-commits', [{ Records: [signal] }])).toEqual([{ batchItemFailures: [] }])
  expect(asked).toHaveLength(2)
  const mine = { ...call('GET', '/api/games'), rawQueryString: 'show=mine' }
  const [listed] = (await answersOf('api', [mine])) as Answer[]
  expect(JSON.parse(listed!.body).games).toMatchObject([{ game, names: ['Anna'] }])
})
