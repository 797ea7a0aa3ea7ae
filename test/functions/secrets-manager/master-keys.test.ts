/** The entries on AWS: the ring comes from the secret, once a container, and its failures say nothing of it. */

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { mockClient } from 'aws-sdk-client-mock'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MasterKeysUnavailable, readMasterKeys } from '../../../functions/adapters/secrets-manager/master-keys.ts'
import { dependenciesFromEnvironment, once } from '../../../functions/dependencies.ts'
import { formatKeyRing, MalformedKeyRing } from '../../../shared/fair-dice/key-ring.ts'
import { TEST_RING } from '../../support/play.ts'

const secrets = mockClient(SecretsManagerClient)
beforeEach(() => {
  process.env['AWS_REGION'] = 'local'
})
afterEach(() => {
  secrets.reset()
  delete process.env['AWS_REGION']
})

const ENVIRONMENT = { EVENTS_TABLE: 'events', READ_MODELS_TABLE: 'read-models', MASTER_KEYS_SECRET: 'the-secret' }

test('the ring is the text of the secret', async () => {
  secrets.on(GetSecretValueCommand, { SecretId: 'the-secret' }).resolves({ SecretString: formatKeyRing(TEST_RING) })
  const { ports, close } = await dependenciesFromEnvironment(ENVIRONMENT)
  expect(formatKeyRing(ports.keyRing)).toBe(formatKeyRing(TEST_RING))
  close()
})

test('what is missing in the environment is named', async () => {
  for (const name of Object.keys(ENVIRONMENT)) {
    await expect(dependenciesFromEnvironment({ ...ENVIRONMENT, [name]: '' })).rejects.toThrow(name)
  }
  expect(secrets.calls()).toEqual([])
})

test('a failure is told without the words of the service, a damaged ring without its text', async () => {
  secrets
    .on(GetSecretValueCommand)
    .rejects(Object.assign(new Error('of arn:secret'), { name: 'AccessDeniedException' }))
  const fault = await readMasterKeys('the-secret').catch((error) => error)
  expect(fault).toBeInstanceOf(MasterKeysUnavailable)
  expect(fault.message).toBe('the master keys could not be read: AccessDeniedException')
  secrets.on(GetSecretValueCommand).resolves({ SecretString: '{"current":"k1","k1":"hush"}' })
  const damaged = await readMasterKeys('the-secret').catch((error) => error)
  expect(damaged).toBeInstanceOf(MalformedKeyRing)
  expect(damaged.message).not.toContain('hush')
})

test('what is made once is kept, and what failed is tried again', async () => {
  let made = 0
  const make = once(async () => {
    made += 1
    if (made === 1) throw new Error('not yet')
    return made
  })
  await expect(make()).rejects.toThrow('not yet')
  expect(await Promise.all([make(), make()])).toEqual([2, 2])
  expect(await make()).toBe(2)
})
