/** `hazard audit`: whether a log was played by the rules with untouched dice. */

import { parseArgs } from 'node:util'
import { Complaint } from '../../local/complaint.ts'
import { audit, type Verdict } from '../../shared/application/audit.ts'
import { describeAudit } from '../../shared/application/audit-text.ts'
import { games } from '../../shared/games.ts'
import type { Io } from '../hazard.ts'
import { CANNOT_READ, readLines } from './log-source.ts'

export const summary = 'check a log: chain, dice, every decision'
export const usage = `hazard audit <file|-> [--head H] [--json]

Checks an export (Accept: application/x-ndjson) line by line; - reads the standard input.
  --head H   a head you know from a mail or an answer: <number>-<hash> or the hash alone, at least 8 hex digits
  --json     the whole report, for programs

Exit codes: 0 sound; 1 not; 2 it cannot be read as a log.`

const EXITS: Readonly<Record<Verdict, number>> = { sound: 0, broken: 1, unreadable: CANNOT_READ }

/** Prints the report. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { head: { type: 'string' }, json: { type: 'boolean', default: false } },
  })
  if (positionals.length !== 1) throw new Complaint('audit takes one file, or - for the standard input.', CANNOT_READ)
  const head = values.head === undefined ? {} : { head: readHead(values.head) }
  const lines = await readLines(positionals[0]!)
  const report = audit(lines, games, { ...head, progress: progressTo(io) })
  io.out(values.json ? JSON.stringify(report) : describeAudit(report).join('\n'))
  return EXITS[report.verdict]
}

function readHead(text: string): { readonly n?: number; readonly hash: string } {
  const [, n, hash] = /^(?:(\d{1,9})-)?([0-9a-f]{8,64})$/i.exec(text) ?? []
  if (hash === undefined)
    throw new Complaint('--head takes <number>-<hash> or a hash of 8 to 64 hex digits.', CANNOT_READ)
  return n === undefined ? { hash } : { n: Number(n), hash }
}

/** A line for every thousandth commit of a long log. */
function progressTo(io: Io): (done: number, of: number) => void {
  return (done, of) => {
    if (of > 2000 && done % 1000 === 0) io.err(`${done} of ${of} commits`)
  }
}
