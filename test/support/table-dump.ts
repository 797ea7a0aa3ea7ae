/** Everything the tables of a served Hazard hold, to see that nothing was written. */

import { type AttributeValue, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'

/** The items of both tables, as sorted text. */
export async function dumpTables(client: DynamoDBClient): Promise<readonly string[]> {
  const lines: string[] = []
  for (const TableName of ['events', 'read-models']) {
    let start: Record<string, AttributeValue> | undefined
    do {
      const page = await client.send(new ScanCommand({ TableName, ExclusiveStartKey: start }))
      for (const item of page.Items ?? []) lines.push(`${TableName} ${JSON.stringify(item)}`)
      start = page.LastEvaluatedKey
    } while (start !== undefined)
  }
  return lines.sort()
}
