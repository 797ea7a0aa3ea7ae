import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EXIT } from '../../local/complaint.ts'
import type { Parts } from '../../local/parts.ts'
import type { ServeOptions } from '../../local/serve.ts'
import { type Folder, partsWith, serveLocally, temporaryFolder } from '../support/local-serving.ts'

let folder: Folder
const ending: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
  await folder.remove()
})

async function start(parts: Parts = partsWith(), options: Partial<ServeOptions> = {}) {
  const serving = await serveLocally(folder.path, parts, options)
  ending.push(serving.close)
  return serving
}

const refused = (exitCode: number, message: RegExp) =>
  expect.objectContaining({ name: 'Complaint', exitCode, message: expect.stringMatching(message) })

async function writeTo(endpoint: string, n: number): Promise<void> {
  const client = new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  })
  await client.send(new PutItemCommand({ TableName: 'events', Item: { pk: { S: 'GAME#a' }, n: { N: `${n}` } } }))
  client.destroy()
}

test('what is written reaches the projector; what was missed is left to the reconciling, which comes before any answer', async () => {
  const happened: string[] = []
  const parts = partsWith(() => ({
    reconcile: async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      happened.push('reconciled')
    },
    api: async () => {
      happened.push('asked')
      return { statusCode: 200 }
    },
    projectCommits: async ({ Records }) => {
      happened.push(`projected ${Records.length}`)
      return { batchItemFailures: [] }
    },
    close: async () => void happened.push('closed'),
  }))
  const serving = await start(parts)
  await fetch(`${serving.origin}/api/openapi.json`)
  await writeTo(serving.dynamoEndpoint, 1)
  expect(await serving.stream.drain(2000)).toBe(true)
  await serving.close()
  expect(happened).toEqual(['reconciled', 'asked', 'projected 1', 'closed'])
})

test('closing waits for the answer under way', async () => {
  let asked = () => {}
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  const serving = await start(
    partsWith(() => ({
      api: async () => {
        asked()
        await new Promise((resolve) => setTimeout(resolve, 100))
        return { statusCode: 200, body: 'after all' }
      },
    })),
  )
  const answer = fetch(`${serving.origin}/api/openapi.json`)
  await isAsked
  await serving.close()
  expect(await (await answer).text()).toBe('after all')
})

test('another endpoint can be given: then there is no database here', async () => {
  const database = await start()
  const other = await temporaryFolder()
  ending.push(other.remove)
  const seen: string[] = []
  const parts = partsWith(({ dynamoEndpoint }) => {
    seen.push(dynamoEndpoint)
    return {}
  })
  const serving = await serveLocally(other.path, parts, { dynamoEndpoint: database.dynamoEndpoint })
  await serving.close()
  expect(seen).toEqual([database.dynamoEndpoint])
  await expect(readFile(join(other.path, 'dynamodb', 'CURRENT'))).rejects.toThrow('ENOENT')
})

test('a start that fails lets go of port and folder', async () => {
  const failing = partsWith(() => ({ reconcile: async () => Promise.reject(new Error('cannot')) }))
  await expect(start(failing)).rejects.toThrow('cannot')
  await start()
})

test('a folder in use, by whom and where; a port taken; no such address', async () => {
  const { origin } = await start()
  await expect(start()).rejects.toThrow(
    refused(
      EXIT.folderInUse,
      new RegExp(`^${folder.path} is in use by another process \\(${process.pid} at ${origin}\\)\\.$`),
    ),
  )
  const other = await temporaryFolder()
  ending.push(other.remove)
  const { port } = new URL(origin)
  await expect(serveLocally(other.path, partsWith(), { port: Number(port) })).rejects.toThrow(
    refused(EXIT.portTaken, /^Port \d+ of 127\.0\.0\.1 is taken: choose another with --port\.$/),
  )
  await expect(serveLocally(other.path, partsWith(), { host: '192.0.2.1' })).rejects.toThrow(
    refused(EXIT.usage, /no address of this machine/),
  )
})

test('a folder that cannot be made or written', async () => {
  const file = join(folder.path, 'file')
  await writeFile(file, '')
  for (const path of [file, join(file, 'data'), '/proc/hazard-test/data']) {
    await expect(serveLocally(path, partsWith())).rejects.toThrow(
      refused(EXIT.notWritable, /(cannot be written \(E\w+\)|is not a folder)\.$/),
    )
  }
})

test.skipIf(process.getuid?.() === 0)('a folder without the right to write', async () => {
  const locked = join(folder.path, 'locked')
  await mkdir(locked)
  await chmod(locked, 0o500)
  await expect(serveLocally(locked, partsWith())).rejects.toThrow(
    refused(EXIT.notWritable, /cannot be written \(EACCES\)\.$/),
  )
})

describe('damaged data is told in one sentence and left as it is', () => {
  beforeEach(async () => {
    const serving = await start()
    await fetch(`${serving.origin}/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ email: 'anna@example.org' }),
    })
    await writeTo(serving.dynamoEndpoint, 1)
    await serving.close()
  })

  test.each(['master-keys.json', 'sign-in/keys.json', 'sign-in/accounts.json', 'folder.json'])(
    '%s cut short',
    async (name) => {
      const file = join(folder.path, name)
      const whole = await readFile(file, 'utf8')
      for (const length of [0, Math.floor(whole.length / 2)]) {
        await writeFile(file, whole.slice(0, length))
        await expect(start()).rejects.toThrow(
          refused(EXIT.damaged, new RegExp(`^${file} is damaged \\([^)]+\\): put back a copy of it\\.$`)),
        )
        expect(await readFile(file, 'utf8')).toBe(whole.slice(0, length))
      }
      await writeFile(file, whole)
      await start()
    },
  )

  test.each([
    ['master-keys.json', '{"current":"k2","k1":"00"}'],
    ['master-keys.json', '[]'],
    ['sign-in/keys.json', '{"signing":{"kty":"RSA"},"cookies":["x"]}'],
    ['sign-in/accounts.json', '{"accounts":[{"id":1}]}'],
    ['folder.json', '{"layout":2}'],
  ])('%s holding %s', async (name, text) => {
    await writeFile(join(folder.path, name), text)
    await expect(start()).rejects.toThrow(refused(EXIT.damaged, /is damaged/))
    expect(await readFile(join(folder.path, name), 'utf8')).toBe(text)
  })

  test('a signing key with a broken part', async () => {
    const file = join(folder.path, 'sign-in', 'keys.json')
    const keys = JSON.parse(await readFile(file, 'utf8'))
    await writeFile(file, JSON.stringify({ ...keys, signing: { ...keys.signing, n: '!!' } }))
    await expect(start()).rejects.toThrow(refused(EXIT.damaged, /its signing key is no key/))
  })

  test('the master keys lost, or the games', async () => {
    await rm(join(folder.path, 'master-keys.json'))
    await expect(start()).rejects.toThrow(refused(EXIT.damaged, /master-keys\.json is missing, yet there are games/))
    await rm(join(folder.path, 'folder.json'))
    await expect(start()).rejects.toThrow(refused(EXIT.damaged, /master-keys\.json is missing, yet there are games/))
  })

  test('the database lost, or its files', async () => {
    await writeFile(join(folder.path, 'dynamodb', 'CURRENT'), 'nonsense')
    await expect(start()).rejects.toThrow(refused(EXIT.damaged, /dynamodb is damaged \(/))
    await rm(join(folder.path, 'dynamodb'), { recursive: true })
    await expect(start()).rejects.toThrow(refused(EXIT.damaged, /dynamodb is missing or damaged, yet there were games/))
  })
})
