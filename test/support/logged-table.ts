/** A game played at a table in a test, kept as a log as it would be in earnest: real commits, dice from a secret that the name gives. */

import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { chanceAfter } from '../../shared/application/commit-chance.ts'
import { draftCommit } from '../../shared/application/commit-draft.ts'
import { decide, isFull } from '../../shared/application/decide.ts'
import { exportFor, headerOf } from '../../shared/application/export-log.ts'
import { type GameState, seatOf, waitingFor } from '../../shared/application/game-state.ts'
import { invitationTo, markOf } from '../../shared/application/invitations.ts'
import { headOf } from '../../shared/event-store/chain.ts'
import type { CommandId, Commit, ExportedCommit, Fact, GameId, MemberId } from '../../shared/event-store/commit.ts'
import { seededChance } from '../../shared/fair-dice/chance.ts'
import { type KeyRing, withNewKey } from '../../shared/fair-dice/key-ring.ts'
import { commitment, gameIdFor, gameSecret, memberIdFor, serverCommandId } from '../../shared/fair-dice/secret.ts'
import type { GameRules, Json, Seat, Viewer } from '../../shared/game-rules.ts'

export const EVERYTHING: Viewer = { seat: null, open: true }
export const SPECTATOR: Viewer = { seat: null, open: false }

const FIRST_DAY = Date.UTC(2026, 0, 1)
const MINUTE = 60_000

export interface TableSettings {
  readonly rules: GameRules
  readonly options: object
  readonly seats: number
  readonly visibility?: 'public' | 'private'
  /** The same name, the same game. */
  readonly name: string
}

export type LoggedTable = ReturnType<typeof openTable>

/** Opens a game whose opener sits on seat 1. */
export function openTable({ rules, options: wished, seats, visibility = 'public', name }: TableSettings) {
  const keyRing: KeyRing = withNewKey(null, sha256(utf8ToBytes(`table ${name}`)))
  const masterKey = keyRing.keys[0]!.key
  const id: GameId = gameIdFor(keyRing, name, 'golden-table')
  const secret = gameSecret(masterKey, id)
  const options = rules.schemas.options.parse(wished) as Json
  const thinking = seededChance(`${name} bots`)
  const memberOf = (person: string): MemberId => memberIdFor(masterKey, id, person)
  const commits: Commit[] = []
  let later = 0

  function append(
    before: GameState | null,
    by: MemberId | 'server',
    command: Fact,
    events: readonly Fact[],
    task: string,
  ) {
    const last = commits.at(-1)
    const n = commits.length + 1
    const commandId = by === 'server' ? serverCommandId(secret, task) : (`order-${n}-${name}`.slice(0, 64) as CommandId)
    const draft = draftCommit(
      { game: id, rules, secret, state: before, head: headOf(last), at: last?.at ?? 0, wantsSnapshot: false },
      { by, commandId, command, events },
      FIRST_DAY + later + n * MINUTE,
    )
    commits.push(draft.stored.commit)
    return draft.state
  }

  function give(by: MemberId | 'server', command: Fact, task = ''): void {
    const decision = decide(rules, state, command, by, chanceAfter({ secret, state, head: headOf(commits.at(-1)) }))
    if ('refusal' in decision) throw new Error(`${name}, commit ${commits.length + 1}: ${decision.refusal}`)
    state = append(state, by, command, decision.events, task)
  }

  const host = memberOf('person 1')
  const wishes = { kind: rules.kind, options, seats, visibility }
  const invitation = visibility === 'public' ? null : markOf(masterKey, invitationTo(masterKey, id))
  const opening = { rulesVersion: rules.rulesVersion, invitation, key: keyRing.current, commitment: commitment(secret) }
  let state: GameState = append(
    null,
    host,
    { type: 'open', ...wishes },
    [
      { type: 'gameOpened', ...wishes, ...opening },
      { type: 'seatTaken', seat: 1, member: host },
    ],
    'open',
  )

  const table = {
    rules,
    id,
    secret,
    commits,
    get state() {
      return state
    },
    /** The game's own state; the game must have started. */
    get game(): unknown {
      return (state as Extract<GameState, { phase: 'running' | 'over' }>).game
    },
    get ended() {
      return state.phase === 'over' || state.phase === 'closed'
    },
    join(person: number) {
      give(memberOf(`person ${person}`), { type: 'join' })
      return table
    },
    leave(person: number) {
      give(memberOf(`person ${person}`), { type: 'leave' })
      return table
    },
    /** The host starts, or the server where all seats are taken. */
    start() {
      if (isFull(state)) give('server', { type: 'start' }, 'start')
      else give(state.members[0]!, { type: 'start' })
      return table
    },
    /** All seats are taken and the game starts. */
    fill() {
      for (let person = 2; person <= seats; person++) table.join(person)
      return table.start()
    },
    order(seat: Seat, command: Fact) {
      give(state.members[seat - 1]!, command)
      return table
    },
    /** The first awaited seat lets its time run out. */
    expire() {
      const [awaited] = waitingFor(rules, state)
      later += Math.max(0, (awaited!.until ?? 0) - (FIRST_DAY + later + commits.length * MINUTE))
      give('server', rules.expire(awaited!.task) as Fact, `expire ${awaited!.task}`)
      return table
    },
    /** The order a bot would give for the first awaited seat. */
    thought(bot: string): { seat: Seat; command: Fact } {
      const [awaited] = waitingFor(rules, state)
      const { seat } = awaited!
      const view = rules.view(table.game, { seat, open: false })
      const command = rules.bots[bot]!.choose(view, rules.legal(table.game, seat), seat, thinking.pick)
      return { seat, command: command as Fact }
    },
    /** Bots, one a seat and dealt round, play on until `until`, the end, or `most` orders. */
    play(bots: readonly string[], { until = () => false, most = 5000 }: { until?: () => boolean; most?: number } = {}) {
      for (let orders = 0; orders < most && !table.ended && !until(); orders++) {
        const { seat } = waitingFor(rules, state)[0]!
        const { command } = table.thought(bots[(seat - 1) % bots.length]!)
        table.order(seat, command)
      }
      return table
    },
    /** The commits as a viewer may see them, the first `upTo`. */
    exported(viewer: Viewer = EVERYTHING, upTo = commits.length): ExportedCommit[] {
      const actorOf = (by: Commit['by']) => (by === 'server' ? ('server' as const) : (seatOf(state, by) ?? 0))
      return commits.slice(0, upTo).map((commit) => exportFor(rules, commit, secret, actorOf(commit.by), viewer))
    },
    /** The lines of its log. */
    lines(viewer: Viewer = EVERYTHING, upTo = commits.length): string[] {
      const header = headerOf(rules, id, headOf(commits[upTo - 1]))
      return [header, ...table.exported(viewer, upTo)].map((line) => JSON.stringify(line))
    },
  }
  return table
}
