/** A process of its own: writes commits to the embedded database as fast as it can, and says which have been acknowledged, until it is killed. */

import { randomBytes } from 'node:crypto'
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { startEmbeddedDynamoDb } from '../../local/embedded-dynamodb.ts'
import { TABLES } from './local-serving.ts'

const [folder, game, size = '400'] = process.argv.slice(2)
const { eventsTable, readModelsTable } = TABLES
const { endpoint } = await startEmbeddedDynamoDb({
  folder: folder!,
  tables: [eventsTable, readModelsTable],
  eventsTable: 'events',
})
const client = new DynamoDBClient({
  endpoint,
  region: 'local',
  credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
})

let n = 0
async function writeOn(): Promise<void> {
  for (;;) {
    n += 1
    const number = `${n}`
    const Item = { pk: { S: game! }, n: { N: number }, body: { B: randomBytes(Number(size)) } }
    await client.send(
      new PutItemCommand({ TableName: 'events', Item, ConditionExpression: 'attribute_not_exists(pk)' }),
    )
    process.stdout.write(`${number}\n`)
  }
}
await Promise.all([writeOn(), writeOn(), writeOn(), writeOn()])
