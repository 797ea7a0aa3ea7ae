// The independent verifier, written from docs/log-format.md alone, finds every golden log sound and every mutated one not.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const VERIFIER = fileURLToPath(new URL('./verify.py', import.meta.url))
const GOLDEN = fileURLToPath(new URL('../golden/conquest', import.meta.url))
const MUTATED = ['two-greedy.ndjson', 'three-forced-trade.ndjson']

type Shown = { type: string } & Record<string, unknown>

interface Commit {
  n: number
  at: number
  events: Shown[]
  previous: string
  secret: string | null
  hash: string
  command: Shown
  commandDigest: string
  commandSalt: string | null
  eventDigests: string[]
  eventSalts: (string | null)[]
  [field: string]: unknown
}

interface Log {
  header: { head: { n: number; hash: string } } & Record<string, unknown>
  commits: Commit[]
}

/** A changed log, and how the first line about it must begin. */
interface Mutation {
  name: string
  text: string
  expected: string
  head?: string
}

const python = spawnSync('python3', ['--version']).status === 0
const logs = existsSync(GOLDEN) ? readdirSync(GOLDEN).filter((file) => file.endsWith('.ndjson')) : []
const missing = python ? '' : ' (skipped: python3 is missing)'

/** Runs the verifier once. */
const verify = (args: string[], options: { cwd?: string; input?: string | Buffer } = {}) => {
  const { status, stdout, stderr } = spawnSync('python3', [VERIFIER, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    ...options,
  })
  return { status, lines: stdout.split('\n').filter((line) => line !== ''), stderr }
}

const read = (file: string): Log => {
  const [header, ...commits] = readFileSync(join(GOLDEN, file), 'utf8').trimEnd().split('\n')
  return { header: JSON.parse(header!), commits: commits.map((line) => JSON.parse(line)) }
}

const write = ({ header, commits }: Log) => [header, ...commits].map((line) => `${JSON.stringify(line)}\n`).join('')

/** Canonical JSON, for what stands in the golden logs. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonical(entry)}`).join()}}`
}

const digest = (value: unknown, salt: string | null = null) =>
  createHash('sha256')
    .update(Buffer.from(salt ?? '', 'hex'))
    .update(canonical(value))
    .digest('hex')

/** What a dishonest server would do: computes digests, hashes and links anew, so that only the secret contradicts. */
const reseal = ({ header, commits }: Log) => {
  let previous = '0'.repeat(64)
  for (const commit of commits) {
    commit.previous = previous
    commit.eventDigests = commit.events.map((event, index) => digest(event, commit.eventSalts[index]))
    const { hash: _, commandDigest, commandSalt: __, eventDigests, eventSalts: ___, ...hashed } = commit
    previous = digest({ ...hashed, command: commandDigest, events: eventDigests })
    commit.hash = previous
  }
  header.head = { n: commits.length, hash: previous }
}

/** Numbers below a bound, the same in every run. */
const seeded = (seed: number) => {
  let state = seed
  return (bound: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

/** Some thirty mutations of one log, of each kind of change. */
const mutations = (file: string, seed: number): Mutation[] => {
  const below = seeded(seed)
  const list: Mutation[] = []
  const last = read(file).commits.length

  const add = (name: string, expected: string, text: string, head?: string) =>
    list.push({ name: `${file}: ${name}`, expected, text, ...(head === undefined ? {} : { head }) })

  /** Changes one commit that has an event of the type (or any), as it stands and, if wished, with all hashes made to fit. */
  const change = (
    name: string,
    type: string | null,
    by: (commit: Commit, index: number) => void,
    alsoSealed = false,
  ) => {
    const { commits } = read(file)
    const able = commits.filter(({ n, events }) => n > 1 && (!type || events.some((event) => event.type === type)))
    const n = able[below(able.length)]!.n
    for (const sealed of alsoSealed ? [false, true] : [false]) {
      const log = read(file)
      const commit = log.commits[n - 1]!
      by(
        commit,
        commit.events.findIndex((event) => !type || event.type === type),
      )
      if (sealed) reseal(log)
      add(`${name} of commit ${n}${sealed ? ', resealed' : ''}`, `commit ${n}: `, write(log))
    }
  }

  /** Another hex digit at a place of chance. */
  const flip = (hex: string) => {
    const at = below(hex.length)
    return hex.slice(0, at) + ((Number.parseInt(hex[at]!, 16) + 1 + below(15)) % 16).toString(16) + hex.slice(at + 1)
  }

  for (const side of ['attack', 'defence', 'attack']) {
    change(
      `a die (${side})`,
      'battleFought',
      (commit, index) => {
        const dice = commit.events[index]![side] as number[]
        dice[0] = (dice[0]! % 6) + 1
      },
      true,
    )
  }
  for (const side of ['attackersLost', 'defendersLost']) {
    change(
      `a loss (${side})`,
      'battleFought',
      (commit, index) => {
        const event = commit.events[index]!
        event[side] = (event[side] as number) + 1
      },
      true,
    )
  }
  for (let i = 0; i < 2; i++) {
    change(
      'a card',
      'cardDrawn',
      (commit, index) => {
        const event = commit.events[index]!
        event['card'] = event['card'] === 'wild-1' ? 'wild-2' : 'wild-1'
      },
      true,
    )
  }
  change(
    'the order',
    'turnOrderRolled',
    (commit, index) => (commit.events[index]!['order'] as number[]).reverse(),
    true,
  )
  change('the deal', 'armiesDealt', (commit, index) => (commit.events[index]!['placements'] as unknown[]).pop(), true)
  for (let i = 0; i < 2; i++) {
    change('the time', null, (commit) => {
      commit.at -= 10_000_000_000
    })
    change('the hash', null, (commit) => {
      commit.hash = flip(commit.hash)
    })
    change('the link', null, (commit) => {
      commit.previous = flip(commit.previous)
    })
    change('a salt', 'cardDrawn', (commit, index) => {
      commit.eventSalts[index] = flip(commit.eventSalts[index]!)
    })
    change('a digest', null, (commit, index) => {
      commit.eventDigests[index] = flip(commit.eventDigests[index]!)
    })
  }
  change('the secret', 'gameOver', (commit) => {
    commit.secret = flip(commit.secret!)
  })

  for (const name of ['swapped with the next', 'taken out', 'repeated', 'taken out, resealed']) {
    const log = read(file)
    const n = 2 + below(last - 3)
    const [commit, next] = log.commits.slice(n - 1, n + 1)
    if (name === 'swapped with the next') log.commits.splice(n - 1, 2, next!, commit!)
    else if (name === 'repeated') log.commits.splice(n, 0, commit!)
    else log.commits.splice(n - 1, 1)
    if (name === 'taken out, resealed') reseal(log)
    // Commit n of the file is line 1 + n: the one repeated stands where the next should.
    add(`commit ${n} ${name}`, `commit ${name === 'repeated' ? n + 1 : n}: `, write(log))
  }

  const header = read(file)
  header.header.head.hash = flip(header.header.head.hash)
  add('the head', 'header: ', write(header))

  const text = write(read(file))
  const n = 2 + below(last - 2)
  const half = text.split('\n').slice(0, n + 1)
  add(`half of line ${1 + n}`, `commit ${n}: `, `${half.slice(0, n).join('\n')}\n${half[n]!.slice(0, 40 + below(200))}`)

  for (let i = 0; i < 2; i++) {
    const log = read(file)
    const { hash } = log.header.head
    log.commits.length = 2 + below(last - 2)
    log.header.head = { n: log.commits.length, hash: log.commits.at(-1)!.hash }
    add(`cut after ${log.commits.length}`, 'noted head: ', write(log), i === 0 ? `${last}-${hash}` : hash)
  }
  return list
}

/** A log as another than the winner saw it, up to commit n: hidden cards, no salts. */
const redact = (log: Log, n: number) => {
  log.commits.length = n
  for (const commit of log.commits) {
    for (const [index, event] of commit.events.entries()) {
      if (event.type !== 'cardDrawn' && event.type !== 'handTaken') continue
      event[event.type === 'cardDrawn' ? 'card' : 'cards'] = 'unknown'
      commit.eventSalts[index] = null
    }
  }
  log.header.head = { n, hash: log.commits[n - 1]!.hash }
  return log
}

describe.skipIf(missing !== '')(`the independent verifier${missing}`, () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hazard-verifier-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('has the golden logs', () => {
    expect(logs, `the logs in ${GOLDEN}`).toEqual(expect.arrayContaining(MUTATED))
  })

  it('finds every golden log sound', () => {
    const { status, lines, stderr } = verify(logs, { cwd: GOLDEN })
    expect(lines.filter((line) => !/^\S+: sound: /.test(line))).toEqual([])
    expect({ status, stderr, count: lines.length }).toEqual({ status: 0, stderr: '', count: logs.length })
  })

  it('accepts a head noted elsewhere, alone or with its number', () => {
    const [file] = MUTATED
    const { head } = read(file!).header
    const { status } = verify([file!, file!, '--head', head.hash, '--head', `${head.n}-${head.hash}`], { cwd: GOLDEN })
    expect(status).toBe(0)
  })

  it('checks a redacted log of a running game as far as it goes', () => {
    const { status, lines } = verify(['-'], { input: write(redact(read(MUTATED[1]!), 60)) })
    expect(status).toBe(0)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^sound as far as it goes: 60 commits.* hidden events wait for the secret$/)
  })

  it(`finds every mutation of ${MUTATED.join(' and ')}`, () => {
    const all = MUTATED.flatMap((file, index) => mutations(file, 20261201 + index))
    for (const [i, { text }] of all.entries()) writeFileSync(join(folder, `${i}.ndjson`), text)

    // A start of the program for those with a noted head, and one for the others.
    const found = new Map<string, string>()
    for (const headed of [true, false]) {
      const some = all.map((mutation, i) => ({ ...mutation, i })).filter(({ head }) => (head !== undefined) === headed)
      const heads = some.flatMap(({ head }) => (head === undefined ? [] : ['--head', head]))
      const { status, lines, stderr } = verify([...some.map(({ i }) => `${i}.ndjson`), ...heads], { cwd: folder })
      expect(status).not.toBe(0)
      expect(stderr).toBe('')
      for (const line of lines) {
        const [, name, finding] = /^(\S+): (.*)$/.exec(line)!
        if (!found.has(name!)) found.set(name!, finding!)
      }
    }
    const wrong = all.flatMap(({ name, expected }, i) => {
      const finding = found.get(`${i}.ndjson`) ?? 'nothing'
      return finding.startsWith(expected) ? [] : [{ name, expected, finding }]
    })
    expect(wrong).toEqual([])
    expect(all.length).toBeGreaterThan(60)
  })

  it('exits with 1 for a log that is not sound, with 2 for what is none, and never with a traceback', () => {
    const text = write(read(MUTATED[0]!))
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const inputs: [number, string | Buffer][] = [
      [0, text],
      [0, text.replaceAll('\n', '\n\n')],
      [1, text.replaceAll('"seats":2', '"seats":true')],
      [1, text.replaceAll('"seats":2', `"seats":${'['.repeat(40)}${']'.repeat(40)}`)],
      [1, text.replaceAll('"key":"k1"', '"key":"\\ud800"')],
      [1, text.replace('"by"', '"byte"')],
      [2, ''],
      [2, '{}\n'],
      [0, text.slice(0, -1)],
      [2, text.slice(0, -2)],
      [2, text.replaceAll('"seats":2', '"seats":2,"seats":2')],
      ...['NaN', '-Infinity', '1.5', '1e999', '9'.repeat(10_000), deep].map((value): [number, string] => [
        2,
        text.replaceAll('"seats":2', `"seats":${value}`),
      ]),
      [2, Buffer.from([0xff, 0xfe, 0, 10, 0x80])],
    ]
    const names = inputs.map(([expected], i) => `input-${i}-${expected}.ndjson`)
    for (const [i, [, input]] of inputs.entries()) writeFileSync(join(folder, names[i]!), input)
    const { status, lines, stderr } = verify([...names, 'input-none-2.ndjson'], { cwd: folder })
    expect({ status, stderr }).toEqual({ status: 2, stderr: '' })
    const verdicts = { sound: 0, 'not sound': 1, 'cannot be checked': 2 }
    for (const name of [...names, 'input-none-2.ndjson']) {
      const verdict = lines.filter((line) => line.startsWith(`${name}: `)).at(-1)!
      const words = /: (sound|not sound|cannot be checked)/.exec(verdict)![1] as keyof typeof verdicts
      expect(`${name}: ${verdicts[words]}`).toBe(`${name}: ${name.at(-8)}`)
    }
    const worst = names.findLast((name) => name.endsWith('-1.ndjson'))!
    expect(verify([names[0]!, worst], { cwd: folder }).status).toBe(1)
  })
})
