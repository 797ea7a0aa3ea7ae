/** The calls: who asks and what is settled before; each gives it to a use case and replies. */

import type * as z from 'zod'
import { auditGame, createAuditReports } from '../../shared/application/audit-game.ts'
import { describeAudit } from '../../shared/application/audit-text.ts'
import { giveCommand } from '../../shared/application/give-command.ts'
import { listGames } from '../../shared/application/list-games.ts'
import { openGame } from '../../shared/application/open-game.ts'
import { isProblem } from '../../shared/application/outcome.ts'
import type { Person, Ports } from '../../shared/application/ports.ts'
import { readChronicle } from '../../shared/application/read-chronicle.ts'
import { previewInvitation, readGame, readLegal, readLog, readOdds } from '../../shared/application/read-game.ts'
import type { ReadModels } from '../../shared/application/read-models.ts'
import type { CALLS, CallName } from '../../shared/http-contract/calls.ts'
import type { HttpProblem } from '../../shared/http-contract/problems.ts'
import { exportReply, linkTo, logTypeOf } from './log-reply.ts'
import type { Reply } from './reply.ts'

type Calls = typeof CALLS

/** What a call has been given, parsed. */
export interface Given<Name extends CallName> {
  readonly person: Calls[Name]['open'] extends true ? null : Person
  readonly params: z.output<Calls[Name]['params']>
  readonly query: z.output<Calls[Name]['query']>
  readonly body: Calls[Name]['body'] extends z.ZodType ? z.output<Calls[Name]['body']> : null
  readonly accept: string | null
}

export type Handlers = {
  readonly [Name in CallName]: (given: Given<Name>) => Promise<Reply | HttpProblem>
}

export interface HandlerPorts {
  readonly ports: Ports
  readonly readModels: ReadModels
}

const WITHOUT_ZONE = 'UTC'
/** Reports on ended games kept by a container: a few KB each. */
const MOST_REPORTS = 256

/** The handlers of all calls, by name. */
export function createHandlers({ ports, readModels }: HandlerPorts): Handlers {
  const reports = createAuditReports(MOST_REPORTS)
  const lists = { keyRing: ports.keyRing, lists: readModels }
  return {
    async openGame({ person, body: { commandId, options = {}, ...rest } }) {
      const answer = await openGame(ports, { person, commandId, request: { ...rest, options } })
      return isProblem(answer) ? answer : { body: answer, headers: { location: `/api/games/${answer.game.game}` } }
    },

    async listGames({ person, query: { show, cursor } }) {
      const answer = await listGames(lists, person, show, cursor)
      if (isProblem(answer)) return answer
      const link = answer.next && { link: `</api/games?show=${show}&cursor=${answer.next}>; rel="next"` }
      return { body: answer, headers: link || {} }
    },

    previewInvitation: async ({ person, params }) => replied(await previewInvitation(ports, person, params.code)),

    async giveCommand({ person, params, body: { commandId, seen, command, invitation } }) {
      const given = { game: params.id, person, commandId, seen, command }
      return replied(await giveCommand(ports, invitation === undefined ? given : { ...given, invitation }))
    },

    readGame: async ({ person, params, query }) => replied(await readGame(ports, params.id, person, query.at)),

    async readEvents({ person, params, query: { after = 0 }, accept }) {
      const type = logTypeOf(accept)
      if (type === 'text/plain') {
        const chronicle = await readChronicle(ports, params.id, person, after)
        if (isProblem(chronicle)) return chronicle
        const text = chronicle.lines.map((line) => `${line}\n`).join('')
        return { body: { text, type: `${type}; charset=utf-8` }, headers: linkTo(params.id, chronicle.next) }
      }
      const page = await readLog(ports, params.id, person, after)
      if (isProblem(page)) return page
      if (type === 'application/json') return { body: page, headers: linkTo(params.id, page.next) }
      return exportReply(params.id, after, page)
    },

    async auditGame({ person, params, accept }) {
      const report = await auditGame(ports, reports, params.id, person)
      if (isProblem(report) || logTypeOf(accept) !== 'text/plain') return replied(report)
      const text = describeAudit(report)
        .map((line) => `${line}\n`)
        .join('')
      return { body: { text, type: 'text/plain; charset=utf-8' } }
    },

    readOdds: async ({ person, params, query }) => replied(await readOdds(ports, params.id, person, query)),

    readLegal: async ({ person, params }) => replied(await readLegal(ports, params.id, person)),

    async readProfile({ person }) {
      const profile = await readModels.profileOf(person.subject)
      return { body: profile ?? { name: person.name, timeZone: WITHOUT_ZONE } }
    },

    async writeProfile({ person, body }) {
      await readModels.keepProfile(person.subject, body)
      return { body }
    },

    async readMap({ params }) {
      const map = await ports.games.map(params.id)
      if (map === null) return { problem: 'not-found', detail: 'There is no such map.' }
      return { body: map as object, open: true }
    },

    async readOpenApi() {
      const { default: document } = await import('../../docs/openapi.json', { with: { type: 'json' } })
      return { body: document, open: true }
    },
  }
}

function replied(answer: object): Reply | HttpProblem {
  return isProblem(answer) ? answer : { body: answer }
}
