/** The client of DynamoDB, with limits in time: a call that hangs ends as an error and not as a timeout of the function. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb'

export interface ClientSettings {
  /** Another endpoint that answers as DynamoDB does; it gets made-up credentials. */
  readonly endpoint?: string
  readonly region?: string
  /** ms for one attempt, of at most three. */
  readonly requestTimeout?: number
}

/** A client for AWS, or for the endpoint given. The caller ends it with `destroy`. */
export function createDynamoClient(settings: ClientSettings = {}): DynamoDBClient {
  const { endpoint, region, requestTimeout = 1_500 } = settings
  return new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { requestTimeout, throwOnRequestTimeout: true, connectionTimeout: 1_000 },
    ...(endpoint
      ? { endpoint, region: region ?? 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
      : region
        ? { region }
        : {}),
  })
}
