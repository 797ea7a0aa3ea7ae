/** The master keys in Secrets Manager. They never stand in an environment, a template or a log. */

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { type KeyRing, parseKeyRing } from '../../../shared/fair-dice/key-ring.ts'

/** Reads the ring. Throws MasterKeysUnavailable, MalformedKeyRing. */
export async function readMasterKeys(secretId: string): Promise<KeyRing> {
  const client = new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: { requestTimeout: 1_500, throwOnRequestTimeout: true, connectionTimeout: 1_000 },
  })
  try {
    return parseKeyRing(await textOf(client, secretId))
  } finally {
    client.destroy()
  }
}

/** The ring could not be fetched; nothing can be served without it. */
export class MasterKeysUnavailable extends Error {
  override readonly name = 'MasterKeysUnavailable'
}

async function textOf(client: SecretsManagerClient, SecretId: string): Promise<string> {
  try {
    return (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? ''
  } catch (error) {
    throw new MasterKeysUnavailable(`the master keys could not be read: ${error instanceof Error ? error.name : error}`)
  }
}
