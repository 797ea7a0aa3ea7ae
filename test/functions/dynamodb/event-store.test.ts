import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll } from 'vitest'
import { createDynamoClient } from '../../../functions/adapters/dynamodb/client.ts'
import { createDynamoEventStore } from '../../../functions/adapters/dynamodb/event-store.ts'
import { createTableIfMissing, EVENTS_TABLE } from '../../../functions/adapters/dynamodb/tables.ts'
import type { EventStore } from '../../../shared/event-store/event-store.ts'
import { describeEventStore } from '../../support/event-store-contract.ts'
import { type LoopbackDynamo, startLoopbackDynamo } from '../../support/loopback-dynamodb.ts'

let dynamo: LoopbackDynamo
let client: DynamoDBClient
let store: EventStore

beforeAll(async () => {
  dynamo = await startLoopbackDynamo()
  client = createDynamoClient({ endpoint: dynamo.endpoint })
  await createTableIfMissing(client, 'events', EVENTS_TABLE)
  store = createDynamoEventStore({ client, table: 'events' })
})

afterAll(async () => {
  client.destroy()
  await dynamo.stop()
})

describeEventStore('in DynamoDB', () => store)
