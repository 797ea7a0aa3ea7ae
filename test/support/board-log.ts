/** A log in the likeness of a long war of four, for sizes and prices: events as rich as a game of 42 places writes them. */

import { bytesToHex } from '@noble/hashes/utils.js'
import { NO_HEAD, sealCommit } from '../../shared/event-store/chain.ts'
import {
  COMMIT_FORMAT,
  type CommandId,
  type GameId,
  type MemberId,
  type StoredCommit,
} from '../../shared/event-store/commit.ts'
import { seededChance } from '../../shared/fair-dice/chance.ts'
import { keyedHash } from '../../shared/fair-dice/keyed-hash.ts'
import { saltFor, sealFor } from '../../shared/fair-dice/secret.ts'
import { COUNTER_HIDDEN, COUNTER_SECRET } from './counter-game.ts'

const PLACES = Array.from(
  { length: 42 },
  (_, index) =>
    `${['north', 'old', 'upper', 'lost'][index % 4]}-${['vale', 'march', 'coast', 'fell', 'moor', 'isle'][index % 6]}-${index}`,
)

/** `count` commits with snapshots at every eighth; sizes vary as turns do, and ids and hashes are as random as real ones. */
export function boardLog(game: GameId, count: number): StoredCommit[] {
  const { pick } = seededChance('board')
  const place = () => PLACES[pick(42)]!
  const owners = PLACES.map(() => ({ seat: pick(4) + 1, armies: pick(12) + 1 }))
  const log: StoredCommit[] = []
  let head = NO_HEAD
  for (let n = 1; n <= count; n += 1) {
    const [from, to] = [place(), place()]
    const dice = (some: number) => Array.from({ length: some }, () => pick(6) + 1)
    const turnEnds = n % 6 === 0
    const draft = {
      format: COMMIT_FORMAT,
      schema: 1,
      game,
      n,
      at: 1_796_083_200_000 + n * 61_017,
      by: bytesToHex(keyedHash(COUNTER_SECRET, 'member', pick(4))).slice(0, 32) as MemberId,
      commandId: uuid(n),
      command: turnEnds ? { type: 'fortify', from, to, armies: pick(9) + 1 } : { type: 'attack', from, to, dice: 3 },
      events: turnEnds
        ? [
            { type: 'fortified', seat: 1, from, to, armies: pick(9) + 1 },
            { type: 'cardDrawn', seat: 1, card: pick(44) },
            { type: 'turnEnded', seat: 1 },
            {
              type: 'turnBegan',
              seat: 2,
              round: n,
              armies: { places: 4, regions: pick(8) },
              until: 1_796_083_200_000 + n * 61_017,
            },
          ]
        : [
            {
              type: 'battleFought',
              seat: 1,
              from,
              to,
              attack: dice(3),
              defence: dice(2),
              losses: { attack: pick(3), defence: pick(3) },
            },
            ...(pick(3) === 0
              ? [{ type: 'placeTaken', seat: 1, place: to, from: pick(4) + 1, moved: pick(5) + 3 }]
              : []),
          ],
      previous: head.hash,
      seal: sealFor(COUNTER_SECRET, n, String(n)),
      secret: null,
    } as const
    const commit = sealCommit(draft, COUNTER_SECRET, COUNTER_HIDDEN)
    head = commit
    Object.assign(owners[pick(42)]!, { seat: pick(4) + 1, armies: pick(20) + 1 })
    const state = {
      phase: { name: 'attack', seat: 2, conquered: true, deadline: draft.at + 86_400_000 },
      round: n,
      board: Object.fromEntries(PLACES.map((name, index) => [name, { ...owners[index] }])),
      commanders: [1, 2, 3, 4].map((seat) => ({
        seat,
        member: draft.by,
        hand: dice(4),
        left: null,
        conquests: pick(30),
      })),
    }
    log.push({
      commit,
      snapshot: n % 8 === 0 ? { stateVersion: 1, state } : null,
      changesAwaited: turnEnds,
    })
  }
  return log
}

function uuid(n: number): CommandId {
  const hex = saltFor(COUNTER_SECRET, n, 0)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}` as CommandId
}
