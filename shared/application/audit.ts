/** Whether a log is one that was played by the rules with untouched dice: the same code on the server, in a terminal, in a browser. */

import { hexToBytes } from '@noble/hashes/utils.js'
import { NotCanonical } from '../event-store/canonical-json.ts'
import { digestOf, type Link, redactedIn, verifyExported } from '../event-store/chain.ts'
import type { ExportedCommit, Fact, GameId, Head } from '../event-store/commit.ts'
import type { LogHeader } from '../event-store/exported-log.ts'
import { commitment, saltFor, sealFor } from '../fair-dice/secret.ts'
import { type Chance, type Decision, type GameRules, type Ranking, UNKNOWN } from '../game-rules.ts'
import { chanceAfter } from './commit-chance.ts'
import { decide } from './decide.ts'
import { redactEvent } from './export-log.ts'
import { evolve, type GameState, isPlatformEvent, type Opening, positionOf, rankingOf, seatOf } from './game-state.ts'
import { readLogLines } from './log-lines.ts'
import { createLuckLedger, type LuckOfSeat } from './luck.ts'
import { companyCommand, isCompanyCommand, type OpenCommand, openCommand } from './platform-commands.ts'
import type { Games } from './ports.ts'
import { SchemaTooNew, upcast } from './upcast.ts'

/** Everything that can be wrong with a log, each with its sentence. */
export const AUDIT_FAULTS = {
  empty: 'There is no commit in it.',
  'not-a-line': 'A line is not JSON.',
  'doubled-key': 'A key stands twice, so that readers may read different things.',
  'not-a-header': 'The first line is not the header of a log.',
  'not-a-commit': 'A line is JSON, but not a commit.',
  'foreign-rules': 'It was played by rules this code does not have.',
  'schema-too-new': 'It was written by newer code than this.',
  'format-unknown': 'The commit has a format this code does not know.',
  'other-game': 'The commit is of another game.',
  'number-not-next': 'The commit has not the number that follows: one was removed, repeated or moved.',
  'previous-differs': 'The commit does not follow the one before it: its previous hash is another.',
  'time-backwards': 'The commit is older than the one before it.',
  'content-differs': 'A content does not match its digest: it was changed.',
  'hash-differs': 'The hash does not match the commit: it was changed.',
  'head-differs': 'The log does not hold the head you name: it was rewritten.',
  truncated: 'The log ends before the head you name: its end was cut off.',
  'opening-differs': 'The first commit is not the opening of this game as its command asks for it.',
  'unknown-fact': 'A command or an event is none of this game, or has not its form.',
  'impossible-event': 'An event cannot happen in this position.',
  nobody: 'The order is of somebody who has no seat.',
  'after-the-end': 'There is a commit after the end of the game.',
  'secret-early': 'The secret is revealed though the game has not ended.',
  'secret-missing': 'The game has ended and its secret is not revealed.',
  'commitment-differs': 'The secret is not the one whose commitment was published before anyone joined.',
  'salt-differs': 'A salt is not the one the secret gives.',
  'command-refused': 'By the rules the command would have been refused.',
  'decision-differs': 'By the rules and the dice of the secret something else happened.',
  'seal-differs': 'The seal is not that of the position.',
  'hidden-still': 'The game has ended, but a command is hidden still: export the log again.',
} as const satisfies Record<string, string>
export type AuditFault = keyof typeof AUDIT_FAULTS

/** What says nothing against a log: it is none, or this code cannot judge it. */
const UNREADABLE: readonly AuditFault[] = [
  'empty',
  'not-a-header',
  'foreign-rules',
  'schema-too-new',
  'format-unknown',
  'hidden-still',
]

export const VERDICTS = ['sound', 'broken', 'unreadable'] as const
export type Verdict = (typeof VERDICTS)[number]

export interface AuditReport {
  /** `unreadable`: no log, or none that this code can judge. */
  readonly verdict: Verdict
  readonly game: GameId | null
  readonly kind: string | null
  readonly rulesVersion: number | null
  readonly commits: number
  readonly events: number
  readonly head: Head | null
  /** Whether the game has ended and all of it could be checked. */
  readonly complete: boolean
  /** The first thing found wrong: the number of the commit (of the line, if it is no commit) and why. */
  readonly fault: {
    readonly n: number
    readonly reason: AuditFault
    readonly sentence: string
    readonly detail: string
  } | null
  /** How often each check was made. */
  readonly checked: Readonly<Record<AuditCheck, number>>
  /** How many of each must wait until the end of the game reveals the secret. */
  readonly waiting: Readonly<Record<AuditWait, number>>
  readonly ranking: Ranking | null
  readonly luck: readonly LuckOfSeat[]
}

export const AUDIT_CHECKS = ['links', 'contents', 'salts', 'decisions', 'seals'] as const
export type AuditCheck = (typeof AUDIT_CHECKS)[number]
export const AUDIT_WAITS = ['hidden contents', 'decisions', 'seals'] as const
export type AuditWait = (typeof AUDIT_WAITS)[number]

export interface AuditSettings {
  /** A head known from elsewhere (a mail, a screenshot): its number if known, and at least 8 hex digits of the hash. */
  readonly head?: { readonly n?: number; readonly hash: string }
  /** Told after every commit. */
  readonly progress?: (done: number, of: number) => void
}

class Fault extends Error {
  constructor(
    readonly n: number,
    readonly reason: AuditFault,
    readonly detail: string = '',
  ) {
    super(reason)
  }
}

/** Text of a file, fit to be shown: without what a terminal would obey. */
function shown(text: string): string {
  return text.replace(/[^\x20-\x7e\u00a0-\uffff]/g, '?')
}

/** Audits the lines of a log. Never throws for what the lines may hold. */
export function audit(lines: Iterable<string>, games: Games, settings: AuditSettings = {}): AuditReport {
  const course = createCourse()
  let fault: Fault | null = null
  try {
    run(lines, games, settings, course)
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
    fault = thrown
  }
  const { header, before, state, rules } = course
  return {
    verdict: verdictOf(fault, header),
    game: header?.game ?? null,
    kind: header?.kind ?? null,
    rulesVersion: header?.rulesVersion ?? null,
    commits: before?.n ?? 0,
    events: course.events,
    head: before === null ? null : { n: before.n, hash: before.hash },
    complete: fault === null && course.secret !== null,
    fault:
      fault === null
        ? null
        : { n: fault.n, reason: fault.reason, sentence: AUDIT_FAULTS[fault.reason], detail: shown(fault.detail) },
    checked: course.checked,
    waiting: course.waiting,
    ranking: rules === null || state === null ? null : rankingOf(rules, state),
    luck: course.luck.perSeat(),
  }
}

function verdictOf(fault: Fault | null, header: LogHeader | null): Verdict {
  if (fault === null) return 'sound'
  const unreadable =
    UNREADABLE.includes(fault.reason) || (['not-a-line', 'doubled-key'].includes(fault.reason) && header === null)
  return unreadable ? 'unreadable' : 'broken'
}

/** What an audit knows on its way. */
interface Course {
  header: LogHeader | null
  rules: GameRules | null
  /** As the last commit reveals it, if it is the one whose commitment commit 1 publishes; else null. */
  secret: Uint8Array | null
  before: Link | null
  state: GameState | null
  events: number
  readonly checked: Record<AuditCheck, number>
  readonly waiting: Record<AuditWait, number>
  readonly luck: ReturnType<typeof createLuckLedger>
}

function createCourse(): Course {
  return {
    header: null,
    rules: null,
    secret: null,
    before: null,
    state: null,
    events: 0,
    checked: { links: 0, contents: 0, salts: 0, decisions: 0, seals: 0 },
    waiting: { 'hidden contents': 0, decisions: 0, seals: 0 },
    luck: createLuckLedger(),
  }
}

function run(lines: Iterable<string>, games: Games, settings: AuditSettings, course: Course): void {
  const { header, commits, broken } = readLogLines(lines)
  course.header = header
  if (header === null) throw new Fault(broken!.n, broken!.reason, broken!.detail)
  const rules = games.version(header.kind, header.rulesVersion)
  if (rules === null) throw new Fault(1, 'foreign-rules', `${header.kind}/${header.rulesVersion}`)
  course.rules = rules
  course.secret = secretIn(commits)
  for (const commit of commits) {
    checkCommit(commit, rules, course)
    settings.progress?.(commit.n, commits.length)
  }
  if (broken !== null) throw new Fault(broken.n, broken.reason, broken.detail)
  checkHead(header.head, commits)
  if (settings.head !== undefined) checkHead(settings.head, commits)
}

/** A secret that is not the published one is never used: the commit that reveals it is then the first bad one. */
function secretIn(commits: readonly ExportedCommit[]): Uint8Array | null {
  const revealed = commits.at(-1)?.secret ?? null
  if (revealed === null) return null
  const secret = hexToBytes(revealed)
  return commitment(secret) === commits[0]!.events[0]?.['commitment'] ? secret : null
}

function checkCommit(commit: ExportedCommit, rules: GameRules, course: Course): void {
  // The place in the log, until it is certain that the commit has its number.
  const n = (course.before?.n ?? 0) + 1
  if (commit.game !== course.header!.game) throw new Fault(n, 'other-game', commit.game)
  checkLink(n, commit, rules, course)
  const ended = course.state !== null && (course.state.phase === 'over' || course.state.phase === 'closed')
  if (ended) throw new Fault(n, 'after-the-end')
  checkSalts(commit, rules, course)
  const today = inTodaysShapes(commit, rules)
  checkForm(today, rules)
  let { events } = today
  if (n === 1) checkOpening(today, rules)
  else if (course.secret === null) checkWithoutSecret(today, rules, course)
  else events = decidedEvents(today, rules, course, course.secret)
  course.state = follow({ ...today, events }, rules, course)
  checkEnd(commit, course.state, course.secret)
  checkSeal(commit, rules, course)
  course.before = commit
  course.events += commit.events.length
}

function checkLink(n: number, commit: ExportedCommit, rules: GameRules, course: Course): void {
  try {
    const fault = verifyExported(course.before, commit, rules.hidden)
    if (fault !== null) throw new Fault(n, fault)
  } catch (thrown) {
    if (thrown instanceof NotCanonical) throw new Fault(n, 'content-differs', thrown.message)
    throw thrown
  }
  const redacted = redactedIn(commit, rules.hidden).length
  course.checked.links += 1
  course.checked.contents += 1 + commit.events.length - redacted
  if (course.secret === null) course.waiting['hidden contents'] += redacted
}

function checkSalts(commit: ExportedCommit, rules: GameRules, course: Course): void {
  const { secret } = course
  const salts = [commit.commandSalt, ...commit.eventSalts]
  for (const [index, fact] of [commit.command, ...commit.events].entries()) {
    const types = index === 0 ? rules.hidden.commands : rules.hidden.events
    const salt = salts[index] ?? null
    if (!types.includes(fact.type)) {
      if (salt !== null) throw new Fault(commit.n, 'salt-differs', `${fact.type} has none`)
    } else if (salt === null) {
      // Whoever is shown a content gets its salt.
      if (!Object.values(fact).includes(UNKNOWN))
        throw new Fault(commit.n, 'salt-differs', `${fact.type} is shown without`)
    } else if (secret !== null) {
      if (saltFor(secret, commit.n, index) !== salt) throw new Fault(commit.n, 'salt-differs', fact.type)
      course.checked.salts += 1
    }
  }
}

function inTodaysShapes(commit: ExportedCommit, rules: GameRules): ExportedCommit {
  try {
    return upcast(rules, commit)
  } catch (thrown) {
    const { message } = thrown as Error
    throw new Fault(commit.n, thrown instanceof SchemaTooNew ? 'schema-too-new' : 'unknown-fact', message)
  }
}

/** Commands and events have the form their schemas ask for; hidden ones may hold `unknown`. */
function checkForm(commit: ExportedCommit, rules: GameRules): void {
  const { n, command, events } = commit
  const redacted = redactedIn(commit, rules.hidden)
  if (events.length === 0) throw new Fault(n, 'impossible-event', 'none at all')
  if (n > 1 && !redacted.includes(0)) {
    const ofGame = commit.by === 'server' ? rules.schemas.serverCommand : rules.schemas.command
    const parsed = (isCompanyCommand(command) ? companyCommand : ofGame).safeParse(command)
    if (!parsed.success) throw new Fault(n, 'unknown-fact', `command ${command.type}`)
  }
  for (const event of events) {
    if (!isPlatformEvent(event) && !rules.schemas.event.safeParse(event).success)
      throw new Fault(n, 'unknown-fact', `event ${event.type}`)
  }
}

/** Commit 1: the game opened as its command asks, its opener on seat 1. */
function checkOpening(commit: ExportedCommit, rules: GameRules): void {
  const [opened, taken, ...more] = commit.events
  const wishes = openCommand.safeParse(commit.command)
  const right =
    wishes.success &&
    commit.by !== 'server' &&
    opened?.type === 'gameOpened' &&
    more.length === 0 &&
    same(taken ?? null, { type: 'seatTaken', seat: 1, member: commit.by }) &&
    isPlayable(wishes.data, rules) &&
    opensAsWished(opened, wishes.data, rules)
  if (!right) throw new Fault(1, 'opening-differs')
}

/** Whether these rules are played so, with all options written out. */
function isPlayable({ kind, options: wished, seats }: OpenCommand, rules: GameRules): boolean {
  const options = rules.schemas.options.safeParse(wished)
  if (kind !== rules.kind || !options.success || !same(options.data, wished)) return false
  const { least, most } = rules.seats(options.data)
  return seats >= least && seats <= most
}

const HASH = /^[0-9a-f]{64}$/

function opensAsWished(opened: Fact, wishes: OpenCommand, rules: GameRules): boolean {
  const { type: _, invitation, key, commitment: published, ...rest } = opened as unknown as Opening & Fact
  const { type: __, ...wished } = wishes
  return (
    same(rest, { ...wished, rulesVersion: rules.rulesVersion }) &&
    (wishes.visibility === 'public' ? invitation === null : HASH.test(String(invitation))) &&
    typeof key === 'string' &&
    HASH.test(String(published))
  )
}

/** A decision needs the dice, which are not known yet. */
class ChanceNeeded extends Error {}

const NO_CHANCE: Chance = {
  pick() {
    throw new ChanceNeeded()
  },
}

/** What can be said before the end: joining, leaving and starting hide nothing, and are decided as far as no dice enter. */
function checkWithoutSecret(commit: ExportedCommit, rules: GameRules, course: Course): void {
  const { n, command, events } = commit
  const state = course.state!
  if (isCompanyCommand(command)) {
    const decision = judge(commit, rules, state, NO_CHANCE)
    const decided =
      decision === null ? [{ type: 'gameStarted', commanders: state.members.length }] : allowed(n, decision).events
    const shown = decision === null ? events.slice(0, 1) : events
    compare(n, decided, shown)
    if (decision !== null) {
      course.checked.decisions += 1
      return
    }
  } else {
    assertSeated(commit, state)
    const foreign = events.find(isPlatformEvent)
    if (foreign !== undefined) throw new Fault(n, 'impossible-event', `${foreign.type} by ${command.type}`)
  }
  course.waiting.decisions += 1
}

/** The events that the rules and the dice give: exactly those shown, and those hidden have the digests they must have. */
function decidedEvents(commit: ExportedCommit, rules: GameRules, course: Course, secret: Uint8Array): readonly Fact[] {
  const { n, events } = commit
  const state = course.state!
  const redacted = redactedIn(commit, rules.hidden)
  if (redacted.includes(0)) throw new Fault(n, 'hidden-still', commit.command.type)
  const chance = chanceAfter({ secret, state, head: course.before! })
  const decided = allowed(n, judge(commit, rules, state, chance)!).events
  const shown = events.map((event, place) => {
    const fact = decided[place]
    if (!redacted.includes(place + 1) || fact === undefined) return event
    const veiled = same(event, redactEvent(rules, fact, { seat: null, open: false })) || same(event, fact)
    const known = commit.schema < rules.schemaVersion || fixed(commit, place, fact, secret)
    course.checked.contents += 1
    return veiled && known ? fact : event
  })
  compare(n, decided, shown)
  course.checked.decisions += 1
  return decided
}

function fixed({ n, eventDigests }: ExportedCommit, place: number, fact: Fact, secret: Uint8Array): boolean {
  return digestOf(fact, saltFor(secret, n, place + 1)) === eventDigests[place]
}

/** null: it cannot be decided without dice. */
function judge(
  commit: ExportedCommit,
  rules: GameRules,
  state: GameState,
  chance: Chance,
): Decision<Fact, string> | null {
  const { n, by, command } = commit
  if (command.type !== 'join') assertSeated(commit, state)
  try {
    return decide(rules, state, command, by, chance)
  } catch (thrown) {
    if (thrown instanceof ChanceNeeded) return null
    throw new Fault(n, 'command-refused', (thrown as Error).message)
  }
}

function assertSeated({ n, by }: ExportedCommit, state: GameState): void {
  if (by !== 'server' && seatOf(state, by) === null) throw new Fault(n, 'nobody')
}

function allowed(n: number, decision: Decision<Fact, string>): { readonly events: readonly Fact[] } {
  if ('refusal' in decision) throw new Fault(n, 'command-refused', decision.refusal)
  return decision
}

function compare(n: number, decided: readonly Fact[], shown: readonly Fact[]): void {
  const length = Math.max(decided.length, shown.length)
  for (let place = 0; place < length; place++) {
    const [expected, found] = [decided[place], shown[place]]
    if (expected === undefined || found === undefined || !same(expected, found))
      throw new Fault(n, 'decision-differs', `event ${place + 1}: ${brief(found)} instead of ${brief(expected)}`)
  }
}

function brief(event: Fact | undefined): string {
  return event === undefined ? 'nothing' : JSON.stringify(event).slice(0, 200)
}

/** Whether two values are the same JSON, whatever the order of keys. */
function same(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  const [mine, theirs] = [one as Record<string, unknown>, other as Record<string, unknown>]
  const keys = Object.keys(mine)
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(theirs).length &&
    keys.every((key) => Object.hasOwn(theirs, key) && same(mine[key], theirs[key]))
  )
}

/** The state after the commit; with the luck of its dice taken down. */
function follow(commit: ExportedCommit, rules: GameRules, course: Course): GameState {
  let state = course.state
  for (const event of commit.events) {
    try {
      if (state?.phase === 'running' && !isPlatformEvent(event)) course.luck.add(rules.luck(state.game, event))
      state = evolve(rules, state, { ...commit, events: [event] })
    } catch (thrown) {
      throw new Fault(commit.n, 'impossible-event', `${event.type}: ${(thrown as Error).message}`)
    }
  }
  return state!
}

function checkEnd(commit: ExportedCommit, state: GameState, secret: Uint8Array | null): void {
  const ended = state.phase === 'over' || state.phase === 'closed'
  if (!ended && commit.secret !== null) throw new Fault(commit.n, 'secret-early')
  if (ended && commit.secret === null) throw new Fault(commit.n, 'secret-missing')
  if (ended && secret === null) throw new Fault(commit.n, 'commitment-differs')
}

function checkSeal(commit: ExportedCommit, rules: GameRules, course: Course): void {
  if (course.secret === null) {
    course.waiting.seals += 1
    return
  }
  if (sealFor(course.secret, commit.n, positionOf(rules, course.state!)) !== commit.seal)
    throw new Fault(commit.n, 'seal-differs')
  course.checked.seals += 1
}

function checkHead(head: NonNullable<AuditSettings['head']>, commits: readonly ExportedCommit[]): void {
  const hash = head.hash.toLowerCase()
  const last = commits.at(-1)!
  if (head.n === undefined) {
    if (!commits.some((commit) => commit.hash.startsWith(hash))) throw new Fault(last.n, 'head-differs', hash)
    return
  }
  const at = commits[head.n - 1]
  if (at === undefined)
    throw new Fault(last.n, 'truncated', `${last.n} of at least ${head.n} commits: has every page been fetched?`)
  if (!at.hash.startsWith(hash)) throw new Fault(head.n, 'head-differs', at.hash)
}
