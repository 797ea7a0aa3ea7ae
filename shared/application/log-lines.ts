/** Reading a log from its lines: a header, then commits, up to the first line that is neither. */

import { COMMIT_FORMAT, type ExportedCommit } from '../event-store/commit.ts'
import { doubledKey } from '../event-store/doubled-key.ts'
import { MalformedCommit, parseExportedCommit } from '../event-store/exported-commit.ts'
import { type LogHeader, logHeader } from '../event-store/exported-log.ts'

export type LineFault = 'empty' | 'not-a-line' | 'doubled-key' | 'not-a-header' | 'not-a-commit' | 'format-unknown'

export interface ReadLog {
  /** null: there is none, and `broken` says why. */
  readonly header: LogHeader | null
  readonly commits: readonly ExportedCommit[]
  /** The first line that is no commit, by the number the commit should have. */
  readonly broken: { readonly n: number; readonly reason: LineFault; readonly detail: string } | null
}

/** Never throws for what the lines may hold. */
export function readLogLines(lines: Iterable<string>): ReadLog {
  let header: LogHeader | null = null
  const commits: ExportedCommit[] = []
  const broken = (reason: LineFault, detail: string): ReadLog => ({
    header,
    commits,
    broken: { n: commits.length + 1, reason, detail },
  })
  for (const line of lines) {
    if (line.trim() === '') continue
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      return broken('not-a-line', line.slice(0, 60))
    }
    const doubled = doubledKey(line)
    if (doubled !== null) return broken('doubled-key', doubled.slice(0, 60))
    if (header === null) {
      const parsed = logHeader.safeParse(value)
      if (!parsed.success) return broken('not-a-header', parsed.error.issues[0]?.message ?? '')
      header = parsed.data as LogHeader
      continue
    }
    try {
      commits.push(parseExportedCommit(value))
    } catch (thrown) {
      if (!(thrown instanceof MalformedCommit)) throw thrown
      return broken(isOfOtherFormat(value) ? 'format-unknown' : 'not-a-commit', thrown.message)
    }
  }
  return commits.length === 0 ? broken('empty', '') : { header, commits, broken: null }
}

function isOfOtherFormat(value: unknown): boolean {
  const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : COMMIT_FORMAT
  return Number.isInteger(format) && format !== COMMIT_FORMAT
}
