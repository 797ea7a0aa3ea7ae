/** The HTTP front: `/api` goes to the function as API Gateway would hand it on, everything else to the pages. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import {
  API_ROUTES,
  type ApiFunction,
  answerWith,
  apiEvent,
  decodedPath,
  functionContext,
  matchRoute,
  type Route,
} from './api-event.ts'
import type { Verdict } from './tokens.ts'

/** Answers a request outside `/api`. `path` is decoded and without query. */
export type Pages = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>

export interface GatewaySettings {
  readonly api: ApiFunction
  readonly check: (token: string) => Promise<Verdict>
  readonly pages: Pages
  readonly routes?: readonly Route[]
  /** Hosts a request may name; anything else may be a page of another site that has pointed its name here. Default: any. */
  readonly isOurs?: (host: string) => boolean
  readonly limits?: Partial<Limits>
  /** Told of what must not happen: a function that throws, or is late. */
  readonly complain?: (message: string) => void
}

export interface Limits {
  /** Bytes; 10 MB on AWS. */
  readonly body: number
  /** Bytes of the request line and all headers. */
  readonly headers: number
  /** ms until a function counts as late. */
  readonly timeout: number
}

export const AWS_LIMITS: Limits = { body: 10 * 1024 * 1024, headers: 10_240, timeout: 29_000 }

/** An HTTP server, not yet listening. */
export function createGateway(settings: GatewaySettings): Server {
  const { pages, isOurs, complain } = settings
  const limits = { ...AWS_LIMITS, ...settings.limits }
  const server = createServer(
    { maxHeaderSize: 64 * 1024, requestTimeout: 60_000, headersTimeout: 20_000 },
    (request, response) => {
      request.on('error', () => {})
      answer(request, response).catch((error) => {
        complain?.(`${request.method} ${request.url?.split('?', 1)[0]} failed: ${(error as Error)?.stack ?? error}`)
        if (response.headersSent) response.destroy()
        else say(response, 500, 'Internal Server Error')
      })
    },
  )
  server.keepAliveTimeout = 5_000
  return server

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? ''
    if (!url.startsWith('/')) return say(response, 400, 'Bad Request')
    if (isOurs && !isOurs(request.headers.host ?? '')) return say(response, 421, 'Misdirected Request')
    const path = decodedPath(url)
    if (path === null) return say(response, 400, 'Bad Request')
    if (path === '/api' || path.startsWith('/api/')) return answerApi(request, response, path)
    await pages(request, response, path)
  }

  async function answerApi(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const matched = matchRoute(settings.routes ?? API_ROUTES, request.method ?? '', path)
    if (!matched) return say(response, 404, 'Not Found')
    if (headerBytes(request) > limits.headers) return say(response, 431, 'Request Header Fields Too Large')

    let verdict: Verdict | null = null
    if (!matched.route.open) {
      const token = bearerToken(request.headers.authorization)
      verdict = token === null ? { refused: '' } : await settings.check(token)
      if ('refused' in verdict) {
        const why = verdict.refused
          ? `Bearer scope="" error="invalid_token" error_description="${verdict.refused}"`
          : 'Bearer'
        return say(response, 401, 'Unauthorized', { 'www-authenticate': why })
      }
    }
    const body = await readBody(request, limits.body)
    if (body === 'too large') return say(response, 413, 'Request Entity Too Large')
    if (body === 'cut short') return void response.destroy()

    const event = apiEvent({
      request,
      matched,
      body,
      claims: verdict && 'claims' in verdict ? verdict.claims : null,
      at: new Date(),
    })
    const { requestId } = event.requestContext
    const context = functionContext('api', requestId, Date.now() + limits.timeout)
    const late = Symbol('late')
    let timer: NodeJS.Timeout | undefined
    try {
      const deadline = new Promise<typeof late>((resolve) => {
        timer = setTimeout(() => resolve(late), limits.timeout)
      })
      const result = await Promise.race([settings.api(event, context), deadline])
      if (result === late) {
        complain?.(`${request.method} ${path}: no answer from the function within ${limits.timeout} ms`)
        return say(response, 503, 'Service Unavailable')
      }
      answerWith(result, response, requestId)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Reads a request's body up to a limit. What is beyond it is read no further than politeness asks. */
export async function readBody(request: IncomingMessage, most: number): Promise<Buffer | 'too large' | 'cut short'> {
  if (Number(request.headers['content-length'] ?? 0) > most) return 'too large'
  const pieces: Buffer[] = []
  let length = 0
  return new Promise((resolve) => {
    const onData = (piece: Buffer) => {
      length += piece.length
      if (length > most) {
        request.off('data', onData)
        resolve('too large')
      } else pieces.push(piece)
    }
    request.on('data', onData)
    request.on('end', () => resolve(Buffer.concat(pieces)))
    request.on('close', () => resolve('cut short'))
  })
}

const MOST_IGNORED_BYTES = 64 * 1024 * 1024
const MOST_IGNORED_MS = 10_000

/** An answer of the gateway's own, with AWS's body. */
export function say(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  const { req } = response
  const body = JSON.stringify({ message })
  const ended = req.method === 'HEAD' ? undefined : body
  response.setHeader('content-type', 'application/json')
  response.setHeader('content-length', Buffer.byteLength(body))
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.statusCode = status
  if (req.complete) return void response.end(ended)

  // The rest of a request nobody wants: read past it, so that its sender gets to read the answer, but not without end.
  response.shouldKeepAlive = false
  if (ended) response.write(ended)
  else response.flushHeaders()
  const tooLong = setTimeout(() => req.socket.destroy(), MOST_IGNORED_MS)
  let ignored = 0
  req.on('data', (piece: Buffer) => {
    ignored += piece.length
    if (ignored > MOST_IGNORED_BYTES) req.socket.destroy()
  })
  req.on('close', () => clearTimeout(tooLong))
  req.on('end', () => response.end())
  req.resume()
}

function bearerToken(header: string | undefined): string | null {
  if (header === undefined) return null
  // AWS's authorizer takes the token with or without its scheme.
  const [, token] = /^\s*(?:bearer\s+)?(\S+)\s*$/i.exec(header) ?? []
  return token ?? ''
}

function headerBytes({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, part) => sum + Buffer.byteLength(part) + 2, method.length + url.length + 11)
}
