/** An audit report in sentences. */

import { AUDIT_CHECKS, AUDIT_WAITS, type AuditCheck, type AuditReport, type AuditWait } from './audit.ts'
import type { LuckOfSeat } from './luck.ts'

const CHECK_WORDS: Readonly<Record<AuditCheck, string>> = {
  links: 'commits follow each other without a gap, each hashed over the one before',
  contents: 'commands and events match their digests',
  salts: 'salts are those the secret gives',
  decisions: 'commits decided again: the same events',
  seals: 'positions match their seals',
}

const WAIT_WORDS: Readonly<Record<AuditWait, string>> = {
  'hidden contents': 'hidden contents, whose digests are fixed',
  decisions: 'commits to decide again',
  seals: 'seals',
}

const FAULT_WORDS = { sound: 'SOUND at commit', broken: 'BROKEN at commit', unreadable: 'CANNOT BE JUDGED at commit' }

function soundWords({ complete }: AuditReport): string {
  return complete
    ? 'SOUND: played by the rules, with the dice fixed before play, and nothing changed since.'
    : 'SOUND so far: nothing was changed; the dice can be checked when the game has ended.'
}

/** The lines of a report, for a terminal or a page. */
export function describeAudit(report: AuditReport): readonly string[] {
  const { game, kind, rulesVersion, commits, events, head, fault } = report
  const lines = [
    fault === null ? soundWords(report) : `${FAULT_WORDS[report.verdict]} ${fault.n}: ${fault.sentence}`,
    ...(fault === null || fault.detail === '' ? [] : [`  ${fault.detail}`]),
  ]
  if (game !== null) lines.push(`Game ${game}, ${kind}, rules ${rulesVersion}: ${commits} commits, ${events} events.`)
  if (head !== null) lines.push(`Head ${head.n}-${head.hash}`)
  lines.push('Checked:')
  for (const check of AUDIT_CHECKS)
    if (report.checked[check] > 0) lines.push(`  ${String(report.checked[check]).padStart(6)}  ${CHECK_WORDS[check]}`)
  const waits = AUDIT_WAITS.filter((wait) => report.waiting[wait] > 0)
  if (waits.length > 0) lines.push('Waiting for the secret, which the end of the game reveals:')
  for (const wait of waits) lines.push(`  ${String(report.waiting[wait]).padStart(6)}  ${WAIT_WORDS[wait]}`)
  if (report.luck.length > 0) lines.push('Luck, against exact expectation:', ...report.luck.map(luckLine))
  return lines
}

function luckLine({ seat, measure, actual, expected, score, count }: LuckOfSeat): string {
  const sign = score >= 0 ? '+' : '−'
  const spread = `${sign}${Math.abs(score).toFixed(2)} standard deviations`
  return `  seat ${seat}: ${measure} ${actual}, expected ${expected.toFixed(1)} over ${count} rolls (${spread})`
}
