/** The audit: what it finds, where, and that nothing a file may hold makes it fail. */

import { describe, expect, test } from 'vitest'
import { AUDIT_FAULTS, type AuditFault, type AuditReport, audit } from '../../shared/application/audit.ts'
import { describeAudit } from '../../shared/application/audit-text.ts'
import { evolve, type GameState } from '../../shared/application/game-state.ts'
import { conquest } from '../../shared/conquest/conquest.ts'
import { digestOf, hashOfExported } from '../../shared/event-store/chain.ts'
import type { Fact } from '../../shared/event-store/commit.ts'
import { saltFor } from '../../shared/fair-dice/secret.ts'
import type { GameRules, Viewer } from '../../shared/game-rules.ts'
import { gamesOf } from '../../shared/games.ts'
import { parsedLog } from '../golden/manifest.ts'
import { copyOf, forge, type Log, linesOf, MEANINGS, soakMutations, WRAPPINGS } from '../support/log-mutations.ts'
import { EVERYTHING, type LoggedTable, openTable, SPECTATOR } from '../support/logged-table.ts'
import { tally } from '../support/tally-game.ts'

const rules = conquest as unknown as GameRules
const games = gamesOf([rules, tally])

describe('random changes', () => {
  const count = Number(process.env['HAZARD_MUTATIONS'] ?? 200)

  test(`${count} of them are found, each at its commit`, { timeout: 60_000 + count * 100 }, () => {
    const made = soakMutations(count)
    const kinds = new Set([...MEANINGS, ...WRAPPINGS].map(({ name }) => name))
    if (count >= 5000) expect(new Set(Object.keys(made).map((name) => name.split(', forged')[0]))).toEqual(kinds)
    expect(Object.values(made).reduce((sum, each) => sum + each, 0)).toBeGreaterThan(count * 0.7)
  })
})

/** A short game of three on the small map, some cards drawn, ended by resignations. */
function shortGame(): LoggedTable {
  const table = openTable({ rules, options: { map: 'small' }, seats: 3, name: 'audited' }).fill()
  table.play(['greedy'], { most: 30, until: () => cardsDrawn(table) >= 3 })
  return table
}

function cardsDrawn({ commits }: LoggedTable): number {
  return commits.flatMap(({ events }) => events).filter(({ type }) => type === 'cardDrawn').length
}

function ended(table: LoggedTable): LoggedTable {
  for (const seat of [1, 2, 3]) if (!table.ended) table.order(seat, { type: 'resign' })
  return table
}

const running = shortGame()
const whole = ended(shortGame())
const log = () => copyOf(parsedLog(whole.lines()))
const place = (type: string, of: Log = log()) => of.commits.findIndex(({ command }) => command.type === type)

function forged(change: (commits: Log['commits'], log: Log) => void): string[] {
  const copy = log()
  change(copy.commits, copy)
  forge(copy, rules, whole.secret)
  return linesOf(copy)
}

function altered(change: (commits: Log['commits'], log: Log) => void, of: Log = log()): string[] {
  change(of.commits, of)
  return linesOf(of)
}

/** A running log, its end not known, forged by one who knows the secret: only what needs no dice can be found. */
function forgedRunning(change: (commits: Log['commits']) => void): string[] {
  const copy = copyOf(parsedLog(running.lines(EVERYTHING)))
  change(copy.commits)
  forge(copy, rules, running.secret)
  return linesOf(copy)
}

const [join, deploy, last] = [place('join'), place('deploy'), log().commits.length - 1]
const started = place('start')
const drawn = log().commits.findIndex(({ events }) => events.some(({ type }) => type === 'cardDrawn'))
const head = whole.lines()[0]!

/** For every word what brings it about, and at which commit it is found. */
const REACHED: Readonly<Record<AuditFault, readonly [lines: readonly string[], n: number, given?: object]>> = {
  empty: [[], 1],
  'not-a-line': [[...whole.lines().slice(0, 4), whole.lines()[4]!.slice(0, 100)], 4],
  'doubled-key': [[...whole.lines().slice(0, 3), whole.lines()[3]!.replace('{', '{"n":9,')], 3],
  'not-a-header': [whole.lines().slice(1), 1],
  'not-a-commit': [[...whole.lines().slice(0, 3), '{"format":1}'], 3],
  'foreign-rules': [
    altered((_, { header }) => {
      header.kind = 'chess'
    }),
    1,
  ],
  'schema-too-new': [
    forged((commits) => {
      commits[4]!.schema = 9
    }),
    5,
  ],
  'format-unknown': [
    altered((commits) => {
      commits[2]!.format = 7 as 1
    }),
    3,
  ],
  'other-game': [
    altered((commits) => {
      commits[2]!.game = 'a'.repeat(20) as never
    }),
    3,
  ],
  'number-not-next': [altered((commits) => void commits.splice(3, 1)), 4],
  'previous-differs': [
    altered((commits) => {
      commits[3]!.previous = commits[1]!.hash
    }),
    4,
  ],
  'time-backwards': [
    forged((commits) => {
      commits[5]!.at = commits[4]!.at - 1
    }),
    6,
  ],
  'content-differs': [
    altered((commits) => {
      commits[deploy]!.command = { type: 'deploy', placements: [] }
    }),
    deploy + 1,
  ],
  'hash-differs': [
    altered((commits) => {
      commits[6]!.seal = commits[5]!.seal
    }),
    7,
  ],
  'head-differs': [whole.lines(), 4, { head: { n: 4, hash: 'f'.repeat(32) } }],
  truncated: [whole.lines().slice(0, -1), last],
  'opening-differs': [
    forged((commits) => {
      commits[0]!.events[1] = { type: 'seatTaken', seat: 2, member: commits[0]!.by }
    }),
    1,
  ],
  'unknown-fact': [
    forged((commits) => {
      commits[deploy]!.events[0] = { type: 'meteorStruck' }
    }),
    deploy + 1,
  ],
  'impossible-event': [
    forgedRunning((commits) => {
      commits[deploy]!.events[0] = { type: 'seatTaken', seat: 1, member: commits[0]!.by }
    }),
    deploy + 1,
  ],
  nobody: [
    forged((commits) => {
      commits[deploy]!.by = 'ab'.repeat(16) as never
    }),
    deploy + 1,
  ],
  'after-the-end': [forged((commits) => void commits.push(structuredClone(commits.at(-1)!))), last + 2],
  'secret-early': [
    forged((commits) => {
      commits[3]!.secret = commits.at(-1)!.secret
    }),
    4,
  ],
  'secret-missing': [
    forged((commits) => {
      commits.at(-1)!.secret = null
    }),
    last + 1,
  ],
  'commitment-differs': [
    forged((commits) => {
      commits.at(-1)!.secret = 'ab'.repeat(32)
    }),
    last + 1,
  ],
  'salt-differs': [altered((_, copy) => saltAnew(copy, drawn)), drawn + 1],
  'command-refused': [
    forged((commits) => {
      commits[deploy]!.command = { type: 'endTurn' }
    }),
    deploy + 1,
  ],
  'decision-differs': [
    forged((commits) => {
      commits[started]!.events[0] = { type: 'gameStarted', commanders: 2 }
    }),
    started + 1,
  ],
  'seal-differs': [altered((_, copy) => sealAnew(copy, deploy)), deploy + 1],
  'hidden-still': [hiddenStill(), 7],
}

/** Another salt than the secret's, and all hashes after it made to fit. */
function saltAnew(copy: Log, index: number): void {
  const commit = copy.commits[index]!
  const at = commit.events.findIndex(({ type }) => type === 'cardDrawn')
  commit.eventSalts[at] = 'cd'.repeat(32)
  commit.eventDigests[at] = digestOf(commit.events[at]!, 'cd'.repeat(32))
  relink(copy, index)
}

function sealAnew(copy: Log, index: number): void {
  copy.commits[index]!.seal = 'ef'.repeat(32)
  relink(copy, index)
}

/** Hashes and links from a commit on, over the digests as they stand. */
function relink({ commits, header }: Log, from: number): void {
  for (let index = from; index < commits.length; index++) {
    const commit = commits[index]!
    if (index > 0) commit.previous = commits[index - 1]!.hash
    commit.hash = hashOfExported(commit)
  }
  header.head = { n: commits.length, hash: commits.at(-1)!.hash }
}

/** A hidden command, exported while the game ran, in a log that goes on to the end. */
function hiddenStill(): string[] {
  const table = openTable({ rules: tally, options: { goal: 1 }, seats: 2, name: 'hidden-command' }).fill()
  const first = () => seatAwaited(table)
  const stasher = first()
  table.order(stasher, { type: 'stash' }).order(first(), { type: 'stash' }).order(stasher, { type: 'greet', seat: 1 })
  table.order(stasher, { type: 'mark', number: 3 })
  while (!table.ended) table.order(first(), { type: 'roll', dice: 3 })
  const veiled = table.lines(SPECTATOR)
  return table.lines().map((line, index) => (index <= 7 && index > 0 ? veiled[index]! : line))
}

function seatAwaited(table: LoggedTable): number {
  return table.rules.waitingFor(table.game)[0]!.seat
}

describe('every fault', () => {
  test.each(Object.keys(AUDIT_FAULTS) as AuditFault[])('%s is found', (word) => {
    const [lines, n, settings] = REACHED[word]
    const report = audit(lines, games, settings)
    expect(report.fault).toMatchObject({ reason: word, n, sentence: AUDIT_FAULTS[word] })
    expect(report.verdict).not.toBe('sound')
    expect(report.complete).toBe(false)
    const text = describeAudit(report).join('\n')
    expect(text).toContain(AUDIT_FAULTS[word])
    expect(text).toContain(String(n))
  })
})

describe('whoever makes all hashes anew', () => {
  test.each<[string, (commits: Log['commits']) => void, AuditFault]>([
    ['an opening by other rules', (commits) => opening(commits, { rulesVersion: 2 }), 'opening-differs'],
    ['an option that does not exist', (commits) => optionsOf(commits, { weather: 'rain' }), 'opening-differs'],
    ['options that leave one out', (commits) => optionsOf(commits, { cards: undefined }), 'opening-differs'],
    ['more seats than can be', (commits) => bothOf(commits, { seats: 50 }), 'opening-differs'],
    ['another kind', (commits) => bothOf(commits, { kind: 'chess' }), 'opening-differs'],
    [
      'an invitation to a public game',
      (commits) => opening(commits, { invitation: 'ab'.repeat(32) }),
      'opening-differs',
    ],
    ['a commitment that is none', (commits) => opening(commits, { commitment: 'secret' }), 'opening-differs'],
    ['an opening by the server', (commits) => byServer(commits), 'opening-differs'],
  ])('%s', (_, change, reason) => {
    expect(audit(forged(change), games).fault).toMatchObject({ n: 1, reason })
  })

  test.each<[string, Fact]>([
    ['joins as the server', { type: 'join' }],
    ['leaves as the server', { type: 'leave' }],
  ])('%s', (_, command) => {
    const lines = forged((commits) => Object.assign(commits[join]!, { by: 'server', command }))
    expect(audit(lines, games).fault).toMatchObject({ n: join + 1, reason: 'command-refused' })
  })
})

function opening(commits: Log['commits'], change: object): void {
  commits[0]!.events[0] = { ...commits[0]!.events[0]!, ...change }
}

function bothOf(commits: Log['commits'], change: object): void {
  commits[0]!.command = { ...commits[0]!.command, ...change }
  opening(commits, change)
}

function optionsOf(commits: Log['commits'], change: object): void {
  const options = { ...(commits[0]!.command['options'] as object), ...change }
  bothOf(commits, { options: JSON.parse(JSON.stringify(options)) })
}

function byServer([first]: Log['commits']): void {
  Object.assign(first!, { by: 'server' })
  first!.events[1] = { type: 'seatTaken', seat: 1, member: 'server' }
}

function emptied(commit: Log['commits'][number]): void {
  Object.assign(commit, { events: [], eventDigests: [], eventSalts: [] })
}

function thousandDice(): Fact {
  const [attack, defence] = [Array.from({ length: 1000 }, () => 6), [1]]
  const where = { origin: 'foxfire', target: 'rushlight', rival: 1 }
  return { type: 'battleFought', seat: 1, ...where, attack, defence, attackersLost: 0, defendersLost: 1 }
}

describe('before the end, without the secret', () => {
  test.each<[string, (commits: Log['commits']) => void, number, AuditFault]>([
    [
      'a seat that is not the next',
      (commits) => {
        commits[join]!.events[0] = { ...commits[join]!.events[0]!, seat: 5 }
      },
      join,
      'decision-differs',
    ],
    [
      'more commanders than have joined',
      (commits) => {
        commits[started]!.events[0] = { type: 'gameStarted', commanders: 5 }
      },
      started,
      'decision-differs',
    ],
    [
      'a game opened again',
      (commits) => void commits[deploy]!.events.push(commits[0]!.events[0]!),
      deploy,
      'impossible-event',
    ],
    [
      'an end that hides its secret',
      (commits) => void commits[deploy]!.events.push({ type: 'gameOver', ranking: [[1]], ending: 'conquest' }),
      deploy,
      'secret-missing',
    ],
    ['a commit without events', (commits) => emptied(commits[deploy]!), deploy, 'impossible-event'],
    [
      'a roll of a thousand dice',
      (commits) => {
        commits[deploy]!.events[0] = thousandDice()
      },
      deploy,
      'sound' as AuditFault,
    ],
  ])('%s', (_, change, index, reason) => {
    const report = audit(forgedRunning(change), games)
    if (reason === ('sound' as AuditFault)) expect(report.waiting.decisions).toBeGreaterThan(0)
    else expect(report.fault).toMatchObject({ n: index + 1, reason })
  })
})

describe('what is no log', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  test.each<[string, string[], AuditReport['verdict']]>([
    ['nothing', [], 'unreadable'],
    ['empty lines', ['', '  ', ''], 'unreadable'],
    ['half a header', [head.slice(0, 30)], 'unreadable'],
    ['a key twice', [head, whole.lines()[1]!.replace('{', '{"n":7,')], 'broken'],
    ['a key twice within an event', [head, whole.lines()[1]!.replace('"seat":1', '"seat":2,"seat":1')], 'broken'],
    ['a key twice in the header', [head.replace('{', '{"kind":"x",')], 'unreadable'],
    ['half a line', [...whole.lines().slice(0, 5), whole.lines()[5]!.slice(0, -1)], 'broken'],
    [
      'binary garbage',
      [String.fromCharCode(...Array.from({ length: 2000 }, (_, i) => (i * 7919) % 65_536))],
      'unreadable',
    ],
    ['a line of 50 MB', [head, `"${'a'.repeat(50_000_000)}"`], 'broken'],
    ['a header of 50 MB', [`{"hazardLog":1,"game":"${'a'.repeat(50_000_000)}"}`], 'unreadable'],
    ['deep JSON', [deep], 'unreadable'],
    ['deep JSON after a header', [head, deep], 'broken'],
    [
      'deep JSON within a commit',
      [head, whole.lines()[1]!.replace('"events":[', `"events":[{"type":"x","y":${deep}},`)],
      'broken',
    ],
    ['a commit of numbers', [head, whole.lines()[1]!.replace(/"[0-9a-f]{64}"/g, '1e999')], 'broken'],
    [
      'a poisoned key',
      [head, whole.lines()[1]!.replace('"command":{', '"command":{"__proto__":{"type":"open"},')],
      'broken',
    ],
    ['a header alone', [head], 'unreadable'],
    ['another page of JSON', ['{"status":404}'], 'unreadable'],
  ])('%s', (_, lines, verdict) => {
    const report = audit(lines, games)
    expect(report.verdict).toBe(verdict)
    expect(describeAudit(report)[0]!.length).toBeGreaterThan(20)
    expect(describeAudit(report).join('\n').length).toBeLessThan(1000)
  })
})

describe('a game under way', () => {
  const viewers: Viewer[] = [SPECTATOR, ...[1, 2, 3].map((seat) => ({ seat, open: false }))]

  test.each(viewers)('is sound as $seat sees it, and says what waits', (viewer) => {
    for (const upTo of [1, 3, 4, running.commits.length]) {
      const report = audit(running.lines(viewer, upTo), games)
      expect(report).toMatchObject({ verdict: 'sound', complete: false, fault: null, commits: upTo })
      expect(report.waiting.seals).toBe(upTo)
      expect(report.waiting.decisions + report.checked.decisions).toBe(upTo - 1)
      const hidden = running
        .exported(viewer, upTo)
        .flatMap(({ events }) => events.filter((event) => event['card'] === 'unknown'))
      expect(report.waiting['hidden contents']).toBe(hidden.length)
    }
    expect(describeAudit(audit(running.lines(viewer), games)).join('\n')).toContain('Waiting for the secret')
  })

  test.each(viewers)(
    'agrees with the whole log in every digest, and all that was hidden from $seat opens',
    (viewer) => {
      const before = running.exported(viewer)
      const after = whole.exported(EVERYTHING)
      let opened = 0
      for (const [index, commit] of before.entries()) {
        const full = after[index]!
        expect([commit.commandDigest, ...commit.eventDigests]).toEqual([full.commandDigest, ...full.eventDigests])
        expect(commit.hash).toBe(full.hash)
        for (const [at, event] of commit.events.entries()) {
          if (event === full.events[at] || commit.eventSalts[at] === full.eventSalts[at]) continue
          expect(event).not.toEqual(full.events[at])
          expect(digestOf(full.events[at]!, saltFor(whole.secret, commit.n, at + 1))).toBe(commit.eventDigests[at])
          opened += 1
        }
      }
      expect(opened).toBeGreaterThan(0)
      const known = audit(whole.lines(), games, { head: before.at(-1)! })
      expect(known.verdict).toBe('sound')
    },
  )

  test.each(viewers)('pages fetched by $seat before and after the end make one sound log', (viewer) => {
    const lines = [
      whole.lines()[0]!,
      ...running.lines(viewer).slice(1),
      ...whole.lines().slice(running.commits.length + 1),
    ]
    const report = audit(lines, games)
    expect(report).toMatchObject({ verdict: 'sound', complete: true, fault: null })
    const lying = lines.map((line) => line.replace('"card":"unknown"', '"card":"wild-2"'))
    if (lying.join() !== lines.join()) expect(audit(lying, games).fault?.reason).toBe('salt-differs')
  })

  test('a hidden content that is shown without its salt is broken', () => {
    const bare = whole
      .lines()
      .map((line) => line.replace(/"eventSalts":\[[^\]]*\]/, (salts) => salts.replaceAll(/"[0-9a-f]{64}"/g, 'null')))
    expect(audit(bare, games).fault?.reason).toBe('salt-differs')
  })

  test.each(viewers)('folded to any commit it shows $seat what the view of then shows', (viewer) => {
    let [full, seen] = [null as GameState | null, null as GameState | null]
    const shown = running.exported(viewer)
    for (const [index, commit] of running.commits.entries()) {
      full = evolve(rules, full, commit)
      seen = evolve(rules, seen, shown[index]!)
      if (full.phase === 'running' && seen.phase === 'running')
        expect(rules.view(seen.game, viewer)).toEqual(rules.view(full.game, viewer))
    }
  })
})

test('a long log in well under a second', () => {
  const table = openTable({ rules, options: { map: 'small' }, seats: 3, name: 'small3-2' })
    .fill()
    .play(['random'], { most: 2900 })
  for (const seat of [1, 2, 3]) if (!table.ended) table.order(seat, { type: 'resign' })
  const lines = table.lines()
  const begun = performance.now()
  const report = audit(lines, games)
  const ms = performance.now() - begun
  expect(report).toMatchObject({ verdict: 'sound', complete: true })
  expect(report.events).toBeGreaterThan(5000)
  console.log(`${report.commits} commits, ${report.events} events audited in ${ms.toFixed(0)} ms`)
})
