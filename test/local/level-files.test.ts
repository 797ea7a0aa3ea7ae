import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, cp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { EXIT } from '../../local/complaint.ts'
import { startEmbeddedDynamoDb } from '../../local/embedded-dynamodb.ts'
import { checkLevelFiles } from '../../local/level-files.ts'
import { maskedCrc, recordsOf } from '../../local/level-format.ts'
import { type Folder, TABLES, temporaryFolder } from '../support/local-serving.ts'

/** A run of numbers below one, the same each time. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

let home: Folder
let sound: string
let database: string

const start = (folder: string) =>
  startEmbeddedDynamoDb({ folder, tables: [TABLES.eventsTable, TABLES.readModelsTable], eventsTable: 'events' })

beforeAll(async () => {
  home = await temporaryFolder()
  sound = join(home.path, 'sound')
  database = join(home.path, 'database')
  const { endpoint, close } = await start(sound)
  const credentials = { accessKeyId: 'x', secretAccessKey: 'x' }
  const client = new DynamoDBClient({ endpoint, region: 'local', credentials })
  const random = seeded(1)
  for (let n = 1; n <= 900; n += 1) {
    // Some of it can be packed, some cannot.
    const body = Uint8Array.from({ length: 15_000 }, (_, i) => (i < 500 * (n % 30) ? n % 200 : random() * 256))
    const Item = { pk: { S: `GAME#${n % 7}` }, n: { N: `${n}` }, body: { B: body } }
    await client.send(new PutItemCommand({ TableName: 'events', Item }))
  }
  client.destroy()
  await close()
})
afterAll(() => home.remove())

beforeEach(async () => {
  await rm(database, { recursive: true, force: true })
  await cp(sound, database, { recursive: true })
})

async function files(kind: RegExp): Promise<string[]> {
  return (await readdir(sound)).filter((name) => kind.test(name)).sort()
}

async function fileOf(kind: RegExp): Promise<{ name: string; bytes: Buffer }> {
  const [name] = await files(kind)
  return { name: name!, bytes: await readFile(join(sound, name!)) }
}

async function verdict(): Promise<'sound' | number> {
  return await checkLevelFiles(database).then(
    () => 'sound' as const,
    (error: { exitCode: number }) => error.exitCode,
  )
}

/** Where the last record of a log starts. */
function lastRecordOf(log: Buffer): number {
  const whole = recordsOf(log).length
  let [low, high] = [0, log.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (recordsOf(log.subarray(0, middle)).length >= whole - 1) high = middle
    else low = middle + 1
  }
  return low
}

test('the checksum is CRC32C, turned', () => {
  // As RFC 3720 has it: 32 zeros give 8a9136aa.
  const plain = 0x8a9136aa
  expect(maskedCrc(new Uint8Array(32))).toBe((((plain >>> 15) | (plain << 17)) + 0xa282ead8) >>> 0)
})

test('a sound database has tables and a log, and passes', async () => {
  expect((await files(/ldb$/)).length).toBeGreaterThan(1)
  expect((await fileOf(/\d\.log$/)).bytes.length).toBeGreaterThan(100_000)
  expect(await verdict()).toBe('sound')
  await (await start(database)).close()
  expect(await verdict()).toBe('sound')
})

test('a byte changed anywhere in a table is found', async () => {
  const random = seeded(2)
  for (const name of await files(/ldb$/)) {
    const bytes = await readFile(join(sound, name))
    const places = Array.from({ length: 12 }, () => Math.floor(random() * bytes.length))
    for (const place of [...places, 0, bytes.length - 1, bytes.length - 15, bytes.length - 48, bytes.length - 60]) {
      await changeByte(name, bytes, place, 1 + Math.floor(random() * 255))
      expect([name, place, await verdict()]).toEqual([name, place, EXIT.damaged])
    }
    await copyFile(join(sound, name), join(database, name))
  }
})

test('a byte changed anywhere in a log or the manifest is found, but for the last record', async () => {
  const random = seeded(3)
  for (const kind of [/\d\.log$/, /^MANIFEST/]) {
    const { name, bytes } = await fileOf(kind)
    const last = lastRecordOf(bytes)
    for (let i = 0; i < 60; i += 1) {
      const place = i === 0 ? last - 1 : Math.floor(random() * last)
      await changeByte(name, bytes, place, 1 + Math.floor(random() * 255))
      expect([name, place, await verdict()]).toEqual([name, place, EXIT.damaged])
    }
    await copyFile(join(sound, name), join(database, name))
  }
})

test('files missing, cut short or overwritten are told in one sentence, and nothing is changed', async () => {
  const log = await fileOf(/\d\.log$/)
  const table = await fileOf(/ldb$/)
  const manifest = await fileOf(/^MANIFEST/)
  const noise = (length: number) => Buffer.from(Array.from({ length }, (_, i) => (i * 7919 + 13) % 251))
  const damages: [string, () => Promise<unknown>][] = [
    ...[log, table, manifest].flatMap(({ name, bytes }): [string, () => Promise<unknown>][] => [
      [name, () => rm(join(database, name))],
      [name, () => writeFile(join(database, name), noise(bytes.length))],
      [name, () => writeFile(join(database, name), 'These are not the bytes you are looking for.\n')],
      [name, () => writeFile(join(database, name), Buffer.alloc(Math.max(bytes.length, 40_000)))],
      [name, () => changeByte(name, bytes, bytes.length >> 2, 255)],
    ]),
    [table.name, () => truncate(join(database, table.name), table.bytes.length >> 1)],
    [table.name, () => truncate(join(database, table.name), 0)],
    ['', () => truncate(join(database, manifest.name), 0)],
    ['', () => truncate(join(database, manifest.name), manifest.bytes.length >> 1)],
    ['CURRENT', () => truncate(join(database, 'CURRENT'), 0)],
  ]
  for (const [name, damage] of damages) {
    await rm(database, { recursive: true })
    await cp(sound, database, { recursive: true })
    await damage()
    const before = await contents()
    const error = await start(database).catch((error: unknown) => error)
    expect(error).toMatchObject({ exitCode: EXIT.damaged })
    expect((error as Error).message).toMatch(/ is damaged \([^\n]+\): nothing was changed; put back a copy of it\.$/)
    expect((error as Error).message).toContain(name)
    expect(await contents()).toEqual(before)
  }
})

test('a torn tail of the log, as a crash leaves it, passes wherever it is torn', async () => {
  const { name, bytes } = await fileOf(/\d\.log$/)
  const random = seeded(4)
  for (let i = 0; i < 40; i += 1) {
    const kept = Math.floor(random() * bytes.length)
    await writeFile(join(database, name), bytes.subarray(0, kept))
    expect([kept, await verdict()]).toEqual([kept, 'sound'])
    const zeros = Buffer.alloc(Math.floor(random() * 4096))
    const tail = bytes.subarray(0, bytes.length - 1 - Math.floor(random() * 2000))
    await writeFile(join(database, name), Buffer.concat([tail, zeros]))
    expect([tail.length, zeros.length, await verdict()]).toEqual([tail.length, zeros.length, 'sound'])
  }
})

test('a database whose writer was killed passes, whenever that was', async () => {
  const killed = join(home.path, 'killed')
  const random = seeded(5)
  const script = new URL('../support/local-writer.ts', import.meta.url).pathname
  for (let i = 0; i < Number(process.env['HAZARD_KILLS'] ?? 6); i += 1) {
    const args = ['--import', 'tsx', script, killed, `GAME#${i}`, '20000']
    const writer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(writer, 'exit')
    // Every third one while it starts: opening the folder, for the first time or again, moves its files about.
    const timer = setTimeout(() => writer.kill('SIGKILL'), i % 3 === 0 ? 400 + random() * 1000 : 60_000)
    let left = 1 + Math.floor(random() * 400)
    for await (const _ of createInterface({ input: writer.stdout })) if (--left === 0) writer.kill('SIGKILL')
    await ended
    clearTimeout(timer)
    if (i % 3 !== 0) expect(left).toBeLessThanOrEqual(0)
    if (existsSync(killed)) await checkLevelFiles(killed)
  }
}, 240_000)

async function changeByte(name: string, bytes: Buffer, place: number, difference: number): Promise<void> {
  const changed = Buffer.from(bytes)
  changed[place]! ^= difference
  await writeFile(join(database, name), changed)
}

/** All but LevelDB's own diary. */
async function contents(): Promise<Record<string, string>> {
  const names = (await readdir(database)).filter((name) => !name.startsWith('LOG'))
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, `${maskedCrc(await readFile(join(database, name)))}`] as const)),
  )
}
