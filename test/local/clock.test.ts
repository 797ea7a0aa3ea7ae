import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startClock } from '../../local/clock.ts'
import { EXIT } from '../../local/complaint.ts'
import { type Folder, temporaryFolder } from '../support/local-serving.ts'

const HOUR = 3_600_000
let folder: Folder
let real = 0
beforeEach(async () => {
  folder = await temporaryFolder()
  real = 1_700_000_000_000
})
afterEach(() => folder.remove())

const start = (speed: number) => startClock({ speed, file: join(folder.path, 'clock.json'), realNow: () => real })

test('at speed 1 it tells the time of the machine, never backwards, and keeps no file', async () => {
  const clock = await start(1)
  expect(clock.now()).toBe(real)
  real += 5
  expect(clock.now()).toBe(real)
  real -= 1000
  expect(clock.now()).toBe(real + 1000)
  await clock.close()
  expect(await readdir(folder.path)).toEqual([])
})

test('a faster clock goes on where it stopped, at any speed', async () => {
  const fast = await start(3600)
  const began = fast.now()
  real += 2000
  expect(fast.now()).toBe(began + 2 * HOUR)
  await fast.close()

  real += 60_000
  const plain = await start(1)
  expect(plain.now()).toBe(began + 2 * HOUR + 60_000)
  await plain.close()
})

test('killed, it goes on later than any time it has told', async () => {
  const fast = await start(3600)
  real += 9_000
  const told = fast.now()
  // No close: the process is gone.
  expect((await start(3600)).now()).toBeGreaterThanOrEqual(told)
})

test('a damaged file is told, and left as it is', async () => {
  const file = join(folder.path, 'clock.json')
  for (const text of ['{"real":1', '{"real":1,"game":"2","reserved":3}', 'null']) {
    await writeFile(file, text)
    await expect(start(1)).rejects.toThrow(expect.objectContaining({ exitCode: EXIT.damaged }))
    expect(await readFile(file, 'utf8')).toBe(text)
  }
})
