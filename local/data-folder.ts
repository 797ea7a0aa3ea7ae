/** The folder that holds everything of one machine: games, keys and accounts; used by one process at a time. */

import { randomBytes } from 'node:crypto'
import { access, chmod, constants, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { formatKeyRing, type KeyRing, parseKeyRing, withNewKey } from '../shared/fair-dice/key-ring.ts'
import { Complaint, EXIT } from './complaint.ts'
import { codeOf, makeFolder, readIfThere, readParsed, unwritable, writeDurably } from './durable-file.ts'
import { FolderLocked, openLock } from './level.ts'

export interface DataFolder {
  readonly path: string
  readonly database: string
  readonly accounts: string
  readonly signInKeys: string
  readonly clock: string
  readonly keyRing: KeyRing
  /** Notes that games are kept in `database`: from now on its absence is a loss. */
  databaseMade(): Promise<void>
  /** Notes for the next process that wants this folder where this one can be reached. */
  reachedAt(address: string): Promise<void>
  /** Lets others use the folder. */
  close(): Promise<void>
}

/** Raised when the folder's layout changes. */
const LAYOUT = 1

/**
 * Makes the folder if missing and takes it for this process alone, until closed or the process ends, however it ends.
 * Throws Complaint: not writable, in use, damaged. A damaged file is never written over.
 */
export async function openDataFolder(given: string): Promise<DataFolder> {
  const path = resolve(given)
  try {
    await makeFolder(path)
    if (!(await stat(path)).isDirectory()) throw new Complaint(`${path} is not a folder.`, EXIT.notWritable)
    await access(path, constants.W_OK | constants.X_OK | constants.R_OK)
  } catch (error) {
    throw error instanceof Complaint ? error : unwritable(path, error)
  }

  const lock = await takeLock(path)
  try {
    const noteFile = join(path, 'folder.json')
    const note = await readParsed(noteFile, parseNote)
    const database = join(path, 'dynamodb')
    const gamesThere = await isThere(join(database, 'CURRENT'))
    if (note?.database && !gamesThere) {
      throw new Complaint(
        `${database} is missing or damaged, yet there were games: put back a copy of it.`,
        EXIT.damaged,
      )
    }
    await noteProcess(path, null)
    const keyRing = await openKeyRing(join(path, 'master-keys.json'), note === null && !gamesThere)
    // Written after the keys: from now on their absence is a loss.
    if (note === null) await writeDurably(noteFile, noteText(false))
    await makeFolder(join(path, 'sign-in'))
    return {
      path,
      database,
      accounts: join(path, 'sign-in', 'accounts.json'),
      signInKeys: join(path, 'sign-in', 'keys.json'),
      clock: join(path, 'clock.json'),
      keyRing,
      databaseMade: async () => {
        if (!note?.database) await writeDurably(noteFile, noteText(true))
      },
      reachedAt: (address) => noteProcess(path, address),
      close: async () => {
        await rm(join(path, 'process.json'), { force: true })
        await lock.close()
      },
    }
  } catch (error) {
    await lock.close()
    throw error instanceof Complaint ? error : unwritable(path, error)
  }
}

/** A lock the system holds for this process, so that none is left behind by one that was killed. */
async function takeLock(path: string) {
  try {
    return await openLock(join(path, 'lock'))
  } catch (error) {
    if (!(error instanceof FolderLocked)) throw error
    const holder = await readIfThere(join(path, 'process.json')).catch(() => null)
    throw new Complaint(`${path} is in use by another process${holderIn(holder)}.`, EXIT.folderInUse)
  }
}

function holderIn(text: string | null): string {
  try {
    const { pid, address } = JSON.parse(text ?? '') as { pid?: unknown; address?: unknown }
    const where = typeof address === 'string' ? ` at ${address}` : ''
    return Number.isInteger(pid) ? ` (${pid}${where})` : ''
  } catch {
    return ''
  }
}

function noteProcess(path: string, address: string | null): Promise<void> {
  return writeDurably(join(path, 'process.json'), `${JSON.stringify({ pid: process.pid, address })}\n`)
}

/** The master keys, made at the first start. Lost keys are never replaced: the dice of the games there are hang on them. */
async function openKeyRing(file: string, mayMake: boolean): Promise<KeyRing> {
  const kept = await readParsed(file, parseKeyRing)
  if (kept) {
    await chmod(file, 0o600).catch(() => {})
    return kept
  }
  if (!mayMake) {
    throw new Complaint(
      `${file} is missing, yet there are games that need its keys: put back a copy of it.`,
      EXIT.damaged,
    )
  }
  const ring = withNewKey(null, randomBytes(32))
  await writeDurably(file, `${formatKeyRing(ring)}\n`)
  return ring
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw unwritable(path, error)
  }
}

/** What the folder says of itself. */
interface Note {
  readonly layout: typeof LAYOUT
  readonly database: boolean
}

function noteText(database: boolean): string {
  return `${JSON.stringify({ layout: LAYOUT, database } satisfies Note)}\n`
}

function parseNote(text: string): Note {
  const { layout, database } = JSON.parse(text) as { layout?: unknown; database?: unknown }
  if (layout !== LAYOUT)
    throw new Error(`its layout is ${JSON.stringify(layout)}, and this version of Hazard knows ${LAYOUT} only`)
  return { layout, database: database === true }
}
