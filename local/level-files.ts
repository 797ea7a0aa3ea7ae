/** Whether LevelDB's files are as it wrote them: on its own it drops damaged records without a word. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Complaint, EXIT } from './complaint.ts'
import { codeOf, unwritable } from './durable-file.ts'
import { blockOf, Cursor, isZero, Malformed, recordsOf, valuesOf } from './level-format.ts'

/** The tables and logs that count; others are left from before. */
interface Live {
  readonly tables: ReadonlyMap<number, number>
  readonly log: number
  readonly previousLog: number
}

const FOOTER = 48
const TABLE_MAGIC = '57fb808b247547db'

/**
 * Reads all live files of a folder that nobody has open, and changes nothing. Throws Complaint if one is missing or damaged.
 * Not seen is what looks as a crash leaves it: the last record of a log damaged, or a log cut short.
 */
export async function checkLevelFiles(folder: string): Promise<void> {
  const names = await readdir(folder)
  if (!names.includes('CURRENT')) return
  const manifest = await examine(folder, 'CURRENT', (bytes) => {
    const name = /^(MANIFEST-\d+)\n$/.exec(bytes.toString('latin1'))?.[1]
    if (!name) throw new Malformed('it names no manifest')
    return name
  })
  const live = await examine(folder, manifest, liveFiles)

  for (const [number, size] of live.tables) {
    const either = [fileName(number, 'ldb'), fileName(number, 'sst')] as const
    await examine(folder, either.find((name) => names.includes(name)) ?? either[0], (bytes) => checkTable(bytes, size))
  }
  const logs = names.filter((name) => {
    const number = Number(/^(\d+)\.log$/.exec(name)?.[1] ?? -1)
    return number >= live.log || (number > 0 && number === live.previousLog)
  })
  const expected = fileName(live.log, 'log')
  if (live.log > 0 && !logs.includes(expected)) throw damaged(folder, `${expected} is missing`)
  for (const name of logs) await examine(folder, name, recordsOf)
}

/** The one sentence for files that cannot be trusted. */
export function damaged(folder: string, why: string): Complaint {
  const reason = why.replaceAll('\n', ' ').replaceAll(`${folder}/`, '')
  return new Complaint(`${folder} is damaged (${reason}): nothing was changed; put back a copy of it.`, EXIT.damaged)
}

function fileName(number: number, kind: string): string {
  return `${`${number}`.padStart(6, '0')}.${kind}`
}

async function examine<T>(folder: string, name: string, check: (bytes: Buffer) => T): Promise<T> {
  let bytes: Buffer
  try {
    bytes = await readFile(join(folder, name))
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EACCES' || code === 'EPERM') throw unwritable(join(folder, name), error)
    throw damaged(folder, code === 'ENOENT' ? `${name} is missing` : `${name} cannot be read: ${code}`)
  }
  try {
    return check(bytes)
  } catch (error) {
    if (error instanceof Malformed || error instanceof RangeError) throw damaged(folder, `${name}: ${error.message}`)
    throw error
  }
}

function liveFiles(manifest: Buffer): Live {
  const sizes = new Map<string, number>()
  let log: number | null = null
  let previousLog = 0
  for (const record of recordsOf(manifest)) {
    const edit = new Cursor(record)
    while (!edit.done) {
      const tag = edit.varint()
      if (tag === 1) edit.string()
      else if (tag === 2) log = edit.varint()
      else if (tag === 3 || tag === 4) edit.varint()
      else if (tag === 9) previousLog = edit.varint()
      else if (tag === 5) {
        edit.varint()
        edit.string()
      } else if (tag === 6) sizes.delete(`${edit.varint()} ${edit.varint()}`)
      else if (tag === 7) {
        sizes.set(`${edit.varint()} ${edit.varint()}`, edit.varint())
        edit.string()
        edit.string()
      } else throw new Malformed(`it has an entry of the unknown kind ${tag}`)
    }
  }
  if (log === null) throw new Malformed('it names no log')
  const tables = new Map([...sizes].map(([place, size]) => [Number(place.split(' ')[1]), size]))
  return { tables, log, previousLog }
}

/** Every byte of a table belongs to a block with a checksum, or to the footer. */
function checkTable(file: Buffer, size: number): void {
  if (file.length !== size) throw new Malformed(`it has ${file.length} bytes instead of ${size}`)
  const footer = new Cursor(file.subarray(-FOOTER))
  const handle = (cursor: Cursor) => ({ at: cursor.varint(), length: cursor.varint() })
  const about = handle(footer)
  const index = handle(footer)
  const padding = footer.take(FOOTER - 8 - footer.at)
  if (!isZero(padding) || file.toString('hex', size - 8) !== TABLE_MAGIC)
    throw new Malformed('its end is not that of a table')

  const named = [index, about].map(({ at, length }) => valuesOf(blockOf(file, at, length)))
  const blocks = [...named.flat().map((value) => handle(new Cursor(value))), about, index]
  let at = 0
  for (const block of blocks) {
    if (block.at !== at) throw new Malformed(`the block at ${at} is named nowhere`)
    blockOf(file, at, block.length)
    at += block.length + 5
  }
  if (at + FOOTER !== size) throw new Malformed(`the block at ${at} is named nowhere`)
}
