/** The key-value files beneath dynalite, opened directly: for the lock they keep, and to see before serving whether they are sound. */

import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Complaint, EXIT } from './complaint.ts'
import { codeOf, makeFolder, unwritable } from './durable-file.ts'
import { checkLevelFiles, damaged } from './level-files.ts'

export interface Level {
  open(): Promise<void>
  close(): Promise<void>
  get(key: string): Promise<unknown>
  put(key: string, value: unknown, options?: { readonly sync?: boolean }): Promise<void>
}

/** The very copy dynalite uses: two copies would not see each other's locks. */
const require = createRequire(createRequire(import.meta.url).resolve('dynalite'))

/** Opens the files in a folder, made if missing and checked if not; exclusive until closed or the process ends, however it ends. */
export async function openLevel(folder: string): Promise<Level> {
  await prepare(folder)
  for (let tries = 1; ; tries += 1) {
    try {
      await checkLevelFiles(folder)
      break
    } catch (error) {
      // Files that another process is moving about may look damaged. This asks for the lock, and changes nothing.
      const asked = await opened(folder, { createIfMissing: false, errorIfExists: true }).catch((why: unknown) => why)
      if (asked instanceof FolderLocked) throw asked
      if (tries === 3) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  return await opened(folder, {})
}

/** Like openLevel, for a folder that is there for its lock alone: nothing in it can be lost. */
export async function openLock(folder: string): Promise<Level> {
  await prepare(folder)
  return await opened(folder, {})
}

async function prepare(folder: string): Promise<void> {
  let names: readonly string[]
  try {
    await makeFolder(folder)
    names = await readdir(folder)
  } catch (error) {
    throw unwritable(folder, error)
  }
  // Without this check a lost CURRENT would be taken for an empty folder, and what is there would be thrown away.
  if (!names.includes('CURRENT') && names.some((name) => /\.(ldb|sst)$/.test(name)))
    throw damaged(folder, 'CURRENT is missing')
}

async function opened(
  folder: string,
  options: { readonly createIfMissing?: boolean; readonly errorIfExists?: boolean },
): Promise<Level> {
  const { Level } = require('level') as { Level: new (folder: string, options: object) => Level }
  const level = new Level(folder, { valueEncoding: 'json', ...options })
  try {
    await level.open()
  } catch (error) {
    throw levelComplaint(folder, error)
  }
  return level
}

/** What LevelDB says of a folder it cannot open or read, as a sentence. */
export function levelComplaint(folder: string, error: unknown): Complaint {
  if (error instanceof Complaint) return error
  const { cause = error } = error as { cause?: unknown }
  const { code, message } = cause as { code?: string; message?: string }
  const why = message ?? (error as Error).message
  if (code === 'LEVEL_LOCKED') return new FolderLocked(folder)
  if (/permission denied|read-only|no space/i.test(why)) return unwritable(folder, new Error(why))
  return damaged(folder, code === 'LEVEL_CORRUPTION' ? why.replace(/^Corruption: /, '') : why || codeOf(error))
}

/** Another process, or another place in this one, has the files open. */
export class FolderLocked extends Complaint {
  constructor(folder: string) {
    super(`${folder} is in use by another process.`, EXIT.folderInUse)
  }
}
