/** The least a function on DynamoDB loads: what the API's import is measured against. */

import { DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'

export const client = new DynamoDBClient({ region: 'us-east-1' })
export const commands = [PutItemCommand, QueryCommand]
