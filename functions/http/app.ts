/** The routes: who asks, what is asked, the use case it is given to, the reply. */

import { type Context, Hono } from 'hono'
import { DamagedLog } from '../../shared/application/load-game.ts'
import { malformed } from '../../shared/application/outcome.ts'
import type { Person } from '../../shared/application/ports.ts'
import { OutcomeUnknown, StoreUnavailable } from '../../shared/event-store/event-store.ts'
import { MalformedKeyRing } from '../../shared/fair-dice/key-ring.ts'
import { CALLS, type Call, type CallName } from '../../shared/http-contract/calls.ts'
import type { HttpProblem } from '../../shared/http-contract/problems.ts'
import { DamagedCommit } from '../adapters/dynamodb/commit-codec.ts'
import { faultLine, type Log } from '../log.ts'
import { createHandlers, type Given, type HandlerPorts } from './handlers.ts'
import { type Claims, personOf } from './identity.ts'
import { readJson } from './json-body.ts'
import { problemResponse } from './problems.ts'
import { type Reply, responseOf } from './reply.ts'

export interface Bindings {
  readonly claims: Claims | undefined
  readonly requestId: string
}

export type AppDependencies = HandlerPorts & { readonly log: Log }

type Handler = (given: Given<CallName>) => Promise<Reply | HttpProblem>

/** The whole API as one function of a request. */
export function createApp(dependencies: AppDependencies): Hono<{ Bindings: Bindings }> {
  const { log } = dependencies
  const { now } = dependencies.ports
  const app = new Hono<{ Bindings: Bindings }>()
  const handlers = createHandlers(dependencies) as unknown as Record<CallName, Handler>

  for (const [name, call] of Object.entries(CALLS) as [CallName, Call][]) {
    app.on(call.method, call.path.replace(/\{(\w+)\}/g, ':$1'), async (context) => {
      const given = await givenIn(call, context)
      if ('problem' in given) return problemResponse(given, now())
      const reply = await handlers[name](given)
      return 'problem' in reply ? problemResponse(reply, now()) : responseOf(reply, call.status, context.req.raw)
    })
  }
  for (const path of new Set(Object.values(CALLS).map((call) => call.path))) {
    const methods = Object.values(CALLS).flatMap((call) => (call.path === path ? [call.method] : []))
    app.all(path.replace(/\{(\w+)\}/g, ':$1'), (context) => {
      const detail = `${context.req.method} is not for this address.`
      return problemResponse({ problem: 'method-not-allowed', detail }, now(), { allow: methods.join(', ') })
    })
  }
  app.notFound(() => problemResponse({ problem: 'not-found', detail: 'There is nothing at this address.' }, now()))
  app.onError((fault, context) => {
    log({ level: 'error', requestId: context.env.requestId, method: context.req.method, ...faultLine(fault) })
    return problemResponse(problemOf(fault), now())
  })
  return app
}

/** What a fault is to whoever asked: nothing of its own message. */
function problemOf(fault: unknown): HttpProblem {
  if (fault instanceof OutcomeUnknown)
    return { problem: 'outcome-unknown', detail: 'Send the very same again to find out.' }
  if (fault instanceof StoreUnavailable) return { problem: 'unavailable', detail: 'Try again in a moment.' }
  if (fault instanceof DamagedLog || fault instanceof DamagedCommit || fault instanceof MalformedKeyRing) {
    const detail = 'Nothing is served from it or added to it until whoever runs this server has looked into it.'
    return { problem: 'damaged-log', detail }
  }
  return { problem: 'internal', detail: 'It has been written down, and somebody will look into it.' }
}

async function givenIn(
  call: Call,
  { req, env }: Context<{ Bindings: Bindings }>,
): Promise<Given<CallName> | HttpProblem> {
  const person: Person | null = call.open ? null : personOf(env.claims)
  if (!call.open && person === null) return { problem: 'unauthorised', detail: 'Send a token of your sign-in.' }
  const params = call.params.safeParse(req.param())
  if (!params.success) return { problem: 'not-found', detail: 'There is no such thing, or it is not open to you.' }
  const fields = fieldsOf(new URL(req.url).searchParams)
  if ('problem' in fields) return fields
  const query = call.query.safeParse(fields.fields)
  if (!query.success) return malformed(query.error)
  const accept = req.header('accept') ?? null
  const given = { person, params: params.data, query: query.data, body: null, accept } as unknown as Given<CallName>
  if (call.body === null) return given
  const sent = await readJson(req.raw)
  if ('problem' in sent) return sent
  const body = call.body.safeParse(sent.json)
  return body.success ? ({ ...given, body: body.data } as Given<CallName>) : malformed(body.error)
}

function fieldsOf(query: URLSearchParams): { readonly fields: Record<string, string> } | HttpProblem {
  const names = [...query.keys()]
  const twice = names.find((name, place) => names.indexOf(name) !== place)
  if (twice !== undefined) return { problem: 'malformed', path: twice.slice(0, 100), detail: 'It is given twice.' }
  return { fields: Object.fromEntries(query) }
}
