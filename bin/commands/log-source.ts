/** Where a command that reads a log gets its lines: a file, or the standard input for `-`. */

import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { Complaint } from '../../local/complaint.ts'

/** The exit code for a log that cannot be read. */
export const CANNOT_READ = 2

/** The lines of the log. Throws Complaint with CANNOT_READ. */
export async function readLines(file: string): Promise<readonly string[]> {
  try {
    const whole = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')
    return whole.split('\n')
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : String(code)
    throw new Complaint(`${file} cannot be read: ${why}.`, CANNOT_READ)
  }
}
