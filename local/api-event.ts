/** HTTP requests as API Gateway's HTTP API tells a function of them (payload format 2.0), and a function's results as HTTP answers. */

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type {
  APIGatewayProxyEventV2,
  APIGatewayProxyEventV2WithJWTAuthorizer,
  APIGatewayProxyResultV2,
  Context,
} from 'aws-lambda'
import type { Claims } from './tokens.ts'

export type ApiFunction = (
  event: APIGatewayProxyEventV2WithJWTAuthorizer,
  context?: Context,
) => Promise<APIGatewayProxyResultV2>

/** A route of the HTTP API. `{proxy+}` stands for the rest of a path, `{name}` for one part of it. */
export interface Route {
  readonly method: string
  readonly path: string
  /** Open to all: no token is asked for, and none is read. */
  readonly open: boolean
}

/** The routes of the HTTP API on AWS, the more exact first. */
export const API_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/api/openapi.json', open: true },
  { method: 'GET', path: '/api/maps/{proxy+}', open: true },
  { method: 'POST', path: '/api/unsubscribe/{proxy+}', open: true },
  { method: 'ANY', path: '/api/{proxy+}', open: false },
]

export interface Matched {
  readonly route: Route
  readonly pathParameters: Readonly<Record<string, string>>
}

/** The first route for a method and a decoded path. HEAD goes where GET goes. */
export function matchRoute(routes: readonly Route[], method: string, path: string): Matched | null {
  for (const route of routes) {
    if (route.method !== 'ANY' && route.method !== method && !(method === 'HEAD' && route.method === 'GET')) continue
    const names: string[] = []
    const pattern = route.path.replace(/\{(\w+)(\+?)\}|[.*+?^$()|[\]\\]/g, (found, name?: string, rest?: string) => {
      if (name === undefined) return `\\${found}`
      names.push(name)
      return rest ? '(.+)' : '([^/]+)'
    })
    const parts = new RegExp(`^${pattern}$`, 's').exec(path)
    if (parts) return { route, pathParameters: Object.fromEntries(names.map((name, i) => [name, parts[i + 1] ?? ''])) }
  }
  return null
}

export interface Asked {
  readonly request: IncomingMessage
  readonly matched: Matched
  readonly body: Buffer
  /** Null on a route open to all. */
  readonly claims: Claims | null
  readonly at: Date
}

/** The path as AWS hands it on: decoded, and null if it cannot be. */
export function decodedPath(url: string): string | null {
  try {
    // A `?` that was encoded ends the path, there as here.
    return decodeURIComponent(url.split('?', 1)[0] ?? '').split('?', 1)[0] ?? ''
  } catch {
    return null
  }
}

export function apiEvent({ request, matched, body, claims, at }: Asked): APIGatewayProxyEventV2WithJWTAuthorizer {
  const url = request.url ?? '/'
  const rawPath = decodedPath(url) ?? '/'
  const rawQueryString = url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
  const headers = joinedHeaders(request)
  const { cookie, ...others } = headers
  const method = request.method ?? 'GET'
  const host = headers['host'] ?? 'localhost'
  const text = isText(headers['content-type'], headers['content-encoding'])
  const { route, pathParameters } = matched
  const routeKey = `${route.method} ${route.path}`
  const query = joinedQuery(rawQueryString)

  const event: APIGatewayProxyEventV2 = {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString,
    ...(cookie === undefined ? {} : { cookies: cookie.split(/;\s*/).filter(Boolean) }),
    headers: others,
    ...(query ? { queryStringParameters: query } : {}),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: host.replace(/:\d+$/, ''),
      domainPrefix: host.split(/[.:]/)[0] ?? '',
      http: {
        method,
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress ?? '',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey,
      stage: '$default',
      time: commonLogTime(at),
      timeEpoch: at.getTime(),
    },
    ...(Object.keys(pathParameters).length > 0 ? { pathParameters } : {}),
    ...(body.length > 0 ? { body: body.toString(text ? 'utf8' : 'base64') } : {}),
    isBase64Encoded: body.length > 0 && !text,
  }
  if (claims) Object.assign(event.requestContext, { authorizer: { jwt: { claims, scopes: null } } })
  return event as APIGatewayProxyEventV2WithJWTAuthorizer
}

/** What a function on AWS is given beside the event. */
export function functionContext(name: string, requestId: string, deadline: number): Context {
  return {
    functionName: name,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${name}`,
    memoryLimitInMB: '1024',
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${name}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    done: () => {},
    fail: () => {},
    succeed: () => {},
  }
}

/** Sends what a function returned. Throws if it is nothing that AWS would take. */
export function answerWith(result: APIGatewayProxyResultV2, response: ServerResponse, requestId: string): void {
  // Without a status code the result itself is the body.
  const shaped = typeof result === 'object' && result !== null && 'statusCode' in result
  const {
    statusCode = 200,
    headers = {},
    cookies,
    body = '',
    isBase64Encoded,
  } = shaped
    ? result
    : {
        headers: { 'content-type': 'application/json' },
        body: typeof result === 'string' ? result : JSON.stringify(result ?? null),
      }
  if (!Number.isInteger(statusCode) || statusCode < 200 || statusCode > 599) throw new Error(`status ${statusCode}`)
  if (typeof body !== 'string') throw new Error('a body that is not a string')

  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
  if (!named.has('content-type') && bytes.length > 0) named.set('content-type', 'text/plain;charset=utf-8')
  for (const name of ['connection', 'transfer-encoding', 'content-length']) named.delete(name)
  for (const [name, value] of named) response.setHeader(name, value)
  if (cookies && cookies.length > 0) response.setHeader('set-cookie', [...cookies])
  response.setHeader('apigw-requestid', requestId)
  if (statusCode !== 204 && statusCode !== 304) response.setHeader('content-length', bytes.length)
  response.statusCode = statusCode
  response.end(response.req.method === 'HEAD' || statusCode === 204 || statusCode === 304 ? undefined : bytes)
}

function joinedHeaders(request: IncomingMessage): Record<string, string> {
  const joined = new Map<string, string>()
  for (const [name, values] of Object.entries(request.headersDistinct)) {
    joined.set(name, (values ?? []).join(name === 'cookie' ? '; ' : ','))
  }
  return Object.fromEntries(joined)
}

function joinedQuery(raw: string): Record<string, string> | null {
  const joined = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(raw)) {
    const before = joined.get(name)
    joined.set(name, before === undefined ? value : `${before},${value}`)
  }
  return joined.size > 0 ? Object.fromEntries(joined) : null
}

/** What is handed on as text; all else, forms too, as base64. */
function isText(type = 'application/json', encoding = 'identity'): boolean {
  return (
    encoding === 'identity' &&
    /^\s*(text\/|application\/(json|javascript|xml)\b|application\/[\w.-]+\+json\b)/i.test(type)
  )
}

/** `12/Mar/2020:19:03:58 +0000` */
function commonLogTime(at: Date): string {
  const [, day, month, year, time] = at.toUTCString().split(' ')
  return `${day}/${month}/${year}:${time} +0000`
}
