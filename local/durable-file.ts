/** Small files that a killed process leaves either as they were or as they should be, never in between. */

import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Complaint, EXIT } from './complaint.ts'

/** Replaces the file at once; when this returns, the text survives a loss of power. Only the owner may read it. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw unwritable(path, error)
  }
  await syncFolder(dirname(path))
}

/** The file's text, or null if there is none. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new Complaint(`${path} cannot be read (${codeOf(error)}).`, EXIT.damaged)
  }
}

/** What `parse` makes of the file, or null if there is none. What it throws is told as damage; the file is left as it is. */
export async function readParsed<T>(path: string, parse: (text: string) => T): Promise<T | null> {
  const text = await readIfThere(path)
  if (text === null) return null
  try {
    return parse(text)
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message
    throw new Complaint(`${path} is damaged (${why}): put back a copy of it.`, EXIT.damaged)
  }
}

/** Makes a folder, and those above it, for the owner alone; Node's own recursive mkdir runs for ever on a `/proc` path. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') return
    const above = dirname(path)
    if (code !== 'ENOENT' || above === path) throw error
    await makeFolder(above)
    await mkdir(path, { mode: 0o700 })
  }
}

export function unwritable(path: string, error: unknown): Complaint {
  return new Complaint(`${path} cannot be written (${codeOf(error)}).`, EXIT.notWritable)
}

/** The system's short word for an error: ENOENT, EACCES … */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException)?.code ?? (error as Error)?.message ?? String(error)
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } catch {
    // Some systems cannot sync a folder; the rename is in order all the same.
  } finally {
    await folder.close()
  }
}
