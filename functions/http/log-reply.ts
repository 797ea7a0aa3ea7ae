/** The log in the form a reader asks for: pages of JSON, lines for audits, or a chronicle for people. */

import { parseAccept } from 'hono/utils/accept'
import type { LogPage } from '../../shared/application/read-game.ts'
import type { GameId } from '../../shared/event-store/commit.ts'
import { CHRONICLE_TYPE, EXPORT_TYPE } from '../../shared/http-contract/calls.ts'
import type { Reply } from './reply.ts'

const TYPES = ['application/json', EXPORT_TYPE, CHRONICLE_TYPE] as const
export type LogType = (typeof TYPES)[number]

/** The type that an Accept header likes best of ours; JSON if it names none. */
export function logTypeOf(accept: string | null): LogType {
  const liked = parseAccept(accept ?? '')
    .filter(({ q }) => q > 0)
    .toSorted((one, other) => other.q - one.q)
  for (const { type } of liked) {
    const ours = TYPES.find((each) => each === type.toLowerCase())
    if (ours !== undefined) return ours
  }
  return 'application/json'
}

/** The header of a response that has a next page. */
export function linkTo(game: GameId, next: number | null): Record<string, string> {
  return next === null ? {} : { link: `</api/games/${game}/events?after=${next}>; rel="next"` }
}

/** One line a commit; the first page begins with a header, so that the pages put together are one file. */
export function exportReply(game: GameId, after: number, { head, kind, rulesVersion, commits, next }: LogPage): Reply {
  const header = after === 0 ? [{ hazardLog: 1, game, kind, rulesVersion, head }] : []
  const text = [...header, ...commits].map((line) => `${JSON.stringify(line)}\n`).join('')
  return { body: { text, type: EXPORT_TYPE }, headers: linkTo(game, next) }
}
