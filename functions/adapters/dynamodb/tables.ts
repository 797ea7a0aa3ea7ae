/** The shape of each table, for stores that make their own; on AWS the data stack makes them, and a test holds the two together. */

import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'

export type TableShape = Omit<CreateTableCommandInput, 'TableName'>

/** The log: one item a commit, found by game and number. */
export const EVENTS_TABLE: TableShape = {
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'n', AttributeType: 'N' },
  ],
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'n', KeyType: 'RANGE' },
  ],
}

export const READ_MODELS_TABLE: TableShape = {
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
  ],
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
}

/** Makes a table where there is none of that name, and returns once it can be used. */
export async function createTableIfMissing(client: DynamoDBClient, name: string, shape: TableShape): Promise<void> {
  try {
    await client.send(new CreateTableCommand({ TableName: name, ...shape }))
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error
  }
  await waitUntilTableExists({ client, minDelay: 1, maxDelay: 2, maxWaitTime: 60 }, { TableName: name })
}
