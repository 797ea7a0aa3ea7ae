/** The audit of a game's log as its reader may see it, on the server that keeps it. */

import type { GameId } from '../event-store/commit.ts'
import { type AuditReport, audit } from './audit.ts'
import { headerOf } from './export-log.ts'
import { isProblem, type Problem } from './outcome.ts'
import type { Person, Ports } from './ports.ts'
import { type LogPage, readLog } from './read-game.ts'

/** Reports of games that have ended, by head: they never change, and all is open to whoever may read them. */
export interface AuditReports {
  get(head: string): AuditReport | undefined
  keep(head: string, report: AuditReport): void
}

/** Keeps at most `most`; the oldest goes first. */
export function createAuditReports(most: number): AuditReports {
  const reports = new Map<string, AuditReport>()
  return {
    get: (head) => reports.get(head),
    keep(head, report) {
      reports.set(head, report)
      if (reports.size > most) reports.delete(reports.keys().next().value!)
    },
  }
}

/** The report on the log as the person may see it. Each takes one from the person's allowance, but those kept from before. */
export async function auditGame(
  ports: Ports,
  reports: AuditReports,
  id: GameId,
  person: Person,
): Promise<AuditReport | Problem> {
  const first = await readLog(ports, id, person, 0)
  if (isProblem(first)) return first
  const kept = reports.get(keyOf(id, first))
  if (kept !== undefined) return kept
  if (!(await ports.allowance.take(person.subject, 'audit', String(ports.now()))))
    return {
      problem: 'too-often',
      detail: 'You have asked for too many audits of late. Export the log and audit it yourself.',
    }
  const rules = ports.games.version(first.kind, first.rulesVersion)!
  const lines = [JSON.stringify(headerOf(rules, id, first.head))]
  for (let page: LogPage = first; ; ) {
    lines.push(...page.commits.map((commit) => JSON.stringify(commit)))
    if (page.next === null) break
    const next = await readLog(ports, id, person, page.next)
    if (isProblem(next)) return next
    page = next
  }
  const report = audit(lines, ports.games)
  if (report.complete && report.head?.hash === first.head.hash) reports.keep(keyOf(id, first), report)
  return report
}

function keyOf(id: GameId, { head }: LogPage): string {
  return `${id} ${head.n} ${head.hash}`
}
