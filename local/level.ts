/** The key-value files beneath dynalite, opened directly: for the lock they keep, and to see before serving whether they are sound. */

import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Complaint, EXIT } from './complaint.ts'
import { codeOf, makeFolder, unwritable } from './durable-file.ts'

export interface Level {
  open(): Promise<void>
  close(): Promise<void>
  get(key: string): Promise<unknown>
  put(key: string, value: unknown, options?: { readonly sync?: boolean }): Promise<void>
}

/** The very copy dynalite uses: two copies would not see each other's locks. */
const require = createRequire(createRequire(import.meta.url).resolve('dynalite'))

/** Opens the files in a folder, made if missing; exclusive until closed or the process ends, however it ends. */
export async function openLevel(folder: string): Promise<Level> {
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

  const { Level } = require('level') as { Level: new (folder: string, options: object) => Level }
  const level = new Level(folder, { valueEncoding: 'json' })
  try {
    await level.open()
  } catch (error) {
    const cause = (error as { cause?: { code?: string; message?: string } }).cause
    const why = cause?.message ?? (error as Error).message
    if (cause?.code === 'LEVEL_LOCKED') throw new FolderLocked(folder)
    if (/permission denied|read-only|no space/i.test(why)) throw unwritable(folder, new Error(why))
    throw damaged(folder, cause?.code === 'LEVEL_CORRUPTION' ? why.replace(/^Corruption: /, '') : why || codeOf(error))
  }
  return level
}

/** Another process, or another place in this one, has the files open. */
export class FolderLocked extends Complaint {
  constructor(folder: string) {
    super(`${folder} is in use by another process.`, EXIT.folderInUse)
  }
}

function damaged(folder: string, why: string): Complaint {
  const reason = why.replaceAll('\n', ' ').replaceAll(`${folder}/`, '')
  return new Complaint(`${folder} is damaged (${reason}): put back a copy of it.`, EXIT.damaged)
}
