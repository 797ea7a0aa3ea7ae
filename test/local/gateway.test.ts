import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { APIGatewayProxyEventV2WithJWTAuthorizer, APIGatewayProxyResultV2 } from 'aws-lambda'
import { afterEach, describe, expect, test } from 'vitest'
import { createGateway, type GatewaySettings } from '../../local/gateway.ts'

const CLAIMS = { sub: 'b1d3', exp: '1700000000', email_verified: 'true' }
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function gateway(settings: Partial<GatewaySettings> = {}) {
  const events: APIGatewayProxyEventV2WithJWTAuthorizer[] = []
  const complaints: string[] = []
  const server = createGateway({
    check: async (token) => (token === 'good' ? { claims: CLAIMS } : { refused: 'the token has expired' }),
    pages: async (_request, response, path) => void response.end(`page ${path}`),
    complain: (message) => void complaints.push(message),
    ...settings,
    api: async (event, context) => {
      events.push(event)
      return settings.api?.(event, context) ?? { statusCode: 200, body: 'taken' }
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => void server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers: { authorization: 'Bearer good', ...init.headers } })
  return { ask, events, complaints, port }
}

/** Sends a request byte for byte, and gives all that comes back until the server hangs up. */
async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.end(text)
  let answer = ''
  for await (const piece of socket) answer += piece
  return answer
}

test('an event has the documented shape of payload format 2.0', async () => {
  const { port, events } = await gateway()
  const body = '{"order":"Sturm auf Grönland"}'
  const headers = [
    'Host: hazard.example:8787',
    'Authorization: Bearer good',
    'Content-Type: application/json',
    'User-Agent: agent',
    'Header1: value1',
    'Header2: value1',
    'HEADER2: value2',
    'Cookie: cookie1=a; cookie2=b',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  const query = 'parameter1=value1&parameter1=value2&parameter2=value%20x&empty='
  await raw(port, `POST /api/my/p%C3%A4th?${query} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`)

  const { requestContext, ...event } = events[0]!
  expect(event).toEqual({
    version: '2.0',
    routeKey: 'ANY /api/{proxy+}',
    rawPath: '/api/my/päth',
    rawQueryString: query,
    cookies: ['cookie1=a', 'cookie2=b'],
    headers: {
      host: 'hazard.example:8787',
      authorization: 'Bearer good',
      'content-type': 'application/json',
      'user-agent': 'agent',
      header1: 'value1',
      header2: 'value1,value2',
      'content-length': `${Buffer.byteLength(body)}`,
      connection: 'close',
    },
    queryStringParameters: { parameter1: 'value1,value2', parameter2: 'value x', empty: '' },
    pathParameters: { proxy: 'my/päth' },
    body,
    isBase64Encoded: false,
  })
  expect(requestContext).toEqual({
    accountId: expect.stringMatching(/^\d{12}$/),
    apiId: expect.any(String),
    authorizer: { jwt: { claims: CLAIMS, scopes: null } },
    domainName: 'hazard.example',
    domainPrefix: 'hazard',
    http: { method: 'POST', path: '/api/my/päth', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'agent' },
    requestId: expect.any(String),
    routeKey: 'ANY /api/{proxy+}',
    stage: '$default',
    time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
    timeEpoch: expect.any(Number),
  })
})

test('what has no cookies, query or body has no such fields; what is no text comes as base64', async () => {
  const { ask, events } = await gateway()
  await ask('/api/games')
  for (const absent of ['cookies', 'queryStringParameters', 'body']) expect(events[0]).not.toHaveProperty(absent)
  await ask('/api/games', {
    method: 'POST',
    body: new Uint8Array([0, 255, 1]),
    headers: { 'content-type': 'image/png' },
  })
  expect(events[1]).toMatchObject({ body: 'AP8B', isBase64Encoded: true })
  await ask('/api/games', { method: 'POST', body: new URLSearchParams({ a: '1' }) })
  expect(events[2]).toMatchObject({ body: btoa('a=1'), isBase64Encoded: true })
})

test('a path that cannot be decoded is a bad request; a header or field called __proto__ is just that', async () => {
  const { ask, events, port } = await gateway()
  expect((await ask('/api/%zz')).status).toBe(400)
  const answer = await raw(
    port,
    'GET /api/games?__proto__=1 HTTP/1.1\r\nHost: x\r\nAuthorization: good\r\n__proto__: y\r\nConnection: close\r\n\r\n',
  )
  expect(answer).toContain('200 OK')
  expect(Object.entries(events[0]!.queryStringParameters!)).toEqual([['__proto__', '1']])
  expect(Object.keys(events[0]!.headers)).toContain('__proto__')
})

describe('the token', () => {
  test.each([
    ['none', undefined, 'Bearer'],
    ['an empty one', 'Bearer ', 'Bearer scope="" error="invalid_token" error_description="the token has expired"'],
    ['a bad one', 'Bearer bad', 'Bearer scope="" error="invalid_token" error_description="the token has expired"'],
    ['two', 'Bearer good good', 'Bearer scope="" error="invalid_token" error_description="the token has expired"'],
    ['another scheme', 'Basic good', 'Bearer scope="" error="invalid_token" error_description="the token has expired"'],
  ])('%s is refused in the words of AWS', async (_, authorization, why) => {
    const { port, events } = await gateway()
    const response = await fetch(
      `http://127.0.0.1:${port}/api/games`,
      authorization === undefined ? {} : { headers: { authorization } },
    )
    expect([response.status, await response.text()]).toEqual([401, '{"message":"Unauthorized"}'])
    expect(response.headers.get('www-authenticate')).toBe(why)
    expect(events).toEqual([])
  })

  test.each([
    ['GET', '/api/openapi.json', 200],
    ['HEAD', '/api/openapi.json', 200],
    ['GET', '/api/maps/world', 200],
    ['POST', '/api/unsubscribe/abc', 200],
    ['POST', '/api/openapi.json', 401],
    ['GET', '/api/unsubscribe/abc', 401],
    ['GET', '/api/maps/', 401],
    ['GET', '/api/mapsx/world', 401],
    ['OPTIONS', '/api/games', 401],
    ['GET', '/api', 404],
  ])('%s %s without one: %i', async (method, path, status) => {
    const { port, events } = await gateway()
    expect((await fetch(`http://127.0.0.1:${port}${path}`, { method })).status).toBe(status)
    if (status === 200) expect(events[0]!.requestContext).not.toHaveProperty('authorizer')
  })
})

describe('limits', () => {
  test.each([
    ['declared', (body: string) => ({ body })],
    ['in pieces', (body: string) => ({ body: new Blob([body]).stream(), duplex: 'half' }) as RequestInit],
  ])('a body too large, %s, is 413 and never reaches the function', async (_, send) => {
    const { ask, events } = await gateway({ limits: { body: 1000 } })
    expect((await ask('/api/games', { method: 'POST', ...send('x'.repeat(1000)) })).status).toBe(200)
    const response = await ask('/api/games', { method: 'POST', ...send('x'.repeat(5_000_000)) })
    expect([response.status, await response.text()]).toEqual([413, '{"message":"Request Entity Too Large"}'])
    expect(events).toHaveLength(1)
  })

  test('headers too large are 431', async () => {
    const { ask } = await gateway()
    expect((await ask('/api/games', { headers: { much: 'x'.repeat(11_000) } })).status).toBe(431)
    expect((await ask('/api/games', { headers: { much: 'x'.repeat(9_000) } })).status).toBe(200)
  })

  test('a function that is late is 503; one that throws is 500, told on stderr and to nobody else', async () => {
    const late = await gateway({ limits: { timeout: 30 }, api: () => new Promise(() => {}) })
    const response = await late.ask('/api/games')
    expect([response.status, await response.text()]).toEqual([503, '{"message":"Service Unavailable"}'])
    expect(late.complaints).toEqual(['GET /api/games: no answer from the function within 30 ms'])

    const broken = await gateway({ api: () => Promise.reject(new Error('the secret reason')) })
    const other = await broken.ask('/api/games?token=x')
    expect([other.status, await other.text()]).toEqual([500, '{"message":"Internal Server Error"}'])
    expect(broken.complaints[0]).toContain('GET /api/games failed: Error: the secret reason')
  })

  test('a sender that hangs up in the middle harms nobody', async () => {
    const { port, ask, events } = await gateway()
    const socket = connect(port, '127.0.0.1')
    socket.write('POST /api/games HTTP/1.1\r\nHost: x\r\nAuthorization: good\r\nContent-Length: 100\r\n\r\nabc')
    await new Promise((resolve) => setTimeout(resolve, 30))
    socket.destroy()
    expect((await ask('/api/games')).status).toBe(200)
    expect(events).toHaveLength(1)
  })
})

describe('answers', () => {
  async function answered(result: unknown, method = 'GET') {
    const { ask } = await gateway({ api: async () => result as APIGatewayProxyResultV2 })
    return ask('/api/games', { method })
  }

  test('status, headers, cookies and binary bodies are passed on', async () => {
    const response = await answered({
      statusCode: 201,
      headers: { ETag: '"x"', 'content-type': 'image/png', 'Content-Length': 99 },
      cookies: ['a=1; Path=/', 'b=2'],
      body: 'AP8B',
      isBase64Encoded: true,
    })
    expect(response.status).toBe(201)
    expect(response.headers.get('etag')).toBe('"x"')
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2'])
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([0, 255, 1]))
  })

  test('a result without a status code is itself the body', async () => {
    const response = await answered({ head: 1 })
    expect([response.status, await response.json()]).toEqual([200, { head: 1 }])
  })

  test('to HEAD, and with 204 or 304, there is no body', async () => {
    const head = await answered({ statusCode: 200, body: 'four' }, 'HEAD')
    expect([head.headers.get('content-length'), await head.text()]).toEqual(['4', ''])
    expect(await (await answered({ statusCode: 304, body: 'four' })).text()).toBe('')
  })

  test.each([
    [{ statusCode: 99 }],
    [{ statusCode: 'ok' }],
    [{ statusCode: 200, body: {} }],
    [{ statusCode: 200, headers: { x: 'a\nb' } }],
  ])('%j is nothing that AWS would pass on: 500', async (result) => {
    expect((await answered(result)).status).toBe(500)
  })
})

test('pages get all that is not under /api, and only for our own names', async () => {
  const { port } = await gateway({ isOurs: (host) => host === 'ours' })
  const get = (host: string, path: string) =>
    new Promise<[number, string]>((resolve, reject) => {
      httpRequest({ port, path, headers: { host } }, async (response) => {
        let text = ''
        for await (const piece of response) text += piece
        resolve([response.statusCode!, text])
      })
        .on('error', reject)
        .end()
    })
  expect(await get('ours', '/apix/y')).toEqual([200, 'page /apix/y'])
  expect(await get('evil.example', '/')).toEqual([421, '{"message":"Misdirected Request"}'])
})
