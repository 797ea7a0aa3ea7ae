/** `hazard log`: the chronicle of a log, to read or to paste into a chat. */

import { parseArgs } from 'node:util'
import { Complaint, EXIT } from '../../local/complaint.ts'
import { AUDIT_FAULTS } from '../../shared/application/audit.ts'
import { BY_SEAT, chronicleOf } from '../../shared/application/chronicle.ts'
import { readLogLines } from '../../shared/application/log-lines.ts'
import { SchemaTooNew } from '../../shared/application/upcast.ts'
import { games } from '../../shared/games.ts'
import type { Io } from '../hazard.ts'
import { CANNOT_READ, readLines } from './log-source.ts'

export const summary = 'tell a log in plain sentences'
export const usage = `hazard log <file|->

Tells an export (Accept: application/x-ndjson) in plain sentences; - reads the standard input. It believes what it reads:
hazard audit says whether it is true.

Exit codes: 0 told; 2 it cannot be read as a log, or not to its end.`

/** Prints the chronicle, as far as the log can be read. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} })
  if (positionals.length !== 1) throw new Complaint('log takes one file, or - for the standard input.', CANNOT_READ)
  const { header, commits, broken } = readLogLines(await readLines(positionals[0]!))
  const rules = header && games.version(header.kind, header.rulesVersion)
  if (header !== null && rules === null) throw new Complaint(AUDIT_FAULTS['foreign-rules'], CANNOT_READ)
  const opened = commits[0]?.events[0]
  if (rules !== null && opened !== undefined) {
    const options = rules.schemas.options.safeParse(opened['options'])
    if (!options.success) throw new Complaint(AUDIT_FAULTS['opening-differs'], CANNOT_READ)
    try {
      io.out(chronicleOf(rules, options.data, commits, BY_SEAT).join('\n'))
    } catch (fault) {
      if (fault instanceof SchemaTooNew) throw new Complaint(AUDIT_FAULTS['schema-too-new'], CANNOT_READ)
      throw fault
    }
  }
  if (broken === null) return EXIT.done
  throw new Complaint(`Commit ${broken.n} cannot be read. ${AUDIT_FAULTS[broken.reason]}`, CANNOT_READ)
}
