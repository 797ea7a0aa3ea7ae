import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { APIGatewayProxyEventV2WithJWTAuthorizer } from 'aws-lambda'
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Folder, type LocalServing, partsWith, serveLocally, temporaryFolder } from '../support/local-serving.ts'

let folder: Folder
let hazard: LocalServing
beforeAll(async () => {
  folder = await temporaryFolder()
  hazard = await serveLocally(folder.path, partsWith())
})
afterAll(async () => {
  await hazard.close()
  await folder.remove()
})

const signIn = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${hazard.origin}/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

async function claimsSeenWith(token: string): Promise<Record<string, unknown> | number> {
  const response = await fetch(`${hazard.origin}/api/games`, { headers: { authorization: `Bearer ${token}` } })
  if (response.status !== 200) return response.status
  const event = (await response.json()) as APIGatewayProxyEventV2WithJWTAuthorizer
  return event.requestContext.authorizer.jwt.claims
}

describe('by curl', () => {
  test('a token speaks for the same commander at every sign-in, and the claims arrive as strings', async () => {
    const response = await signIn({ email: ' Anna@Example.org', name: 'Anna  Bö' })
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const { token, expiresAt, commander } = (await response.json()) as {
      token: string
      expiresAt: string
      commander: { id: string }
    }
    expect(commander).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: 'anna@example.org',
      name: 'Anna Bö',
    })
    expect(new Date(expiresAt).getTime() - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
    expect(await claimsSeenWith(token)).toEqual({
      iss: `${hazard.origin}/oidc`,
      sub: commander.id,
      aud: 'hazard',
      client_id: 'hazard-curl',
      scope: 'play',
      email: 'anna@example.org',
      email_verified: 'true',
      name: 'Anna Bö',
      jti: expect.any(String),
      iat: expect.stringMatching(/^\d+$/),
      exp: String(new Date(expiresAt).getTime() / 1000),
    })
    const again = (await (await signIn({ email: 'anna@example.org' })).json()) as { commander: object }
    expect(again.commander).toEqual(commander)
  })

  test('a form does as well, and whoever accepts plain text gets the token alone', async () => {
    const form = new URLSearchParams({ email: 'bela@example.org' })
    const text = await (
      await fetch(`${hazard.origin}/sign-in`, { method: 'POST', body: form, headers: { accept: 'text/plain' } })
    ).text()
    expect(await claimsSeenWith(text.trim())).toMatchObject({ email: 'bela@example.org', name: 'bela' })
    const page = await fetch(`${hazard.origin}/sign-in`, {
      method: 'POST',
      body: form,
      headers: { accept: 'text/html' },
    })
    expect(await page.text()).toContain('Welcome, bela')
    const json = JSON.stringify({ email: 'cleo@example.org' })
    expect((await signIn(json, { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(200)
  })

  test('fifty first sign-ins at once make one account', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => signIn({ email: 'many@example.org' })))
    const ids = await Promise.all(
      answers.map(async (answer) => ((await answer.json()) as { commander: { id: string } }).commander.id),
    )
    expect(new Set(ids).size).toBe(1)
  })

  test.each([
    ['{}', 400, 'email is missing'],
    ['', 400, 'the body is not JSON such as {"email": "anna@example.org", "name": "Anna"}'],
    ['[1]', 400, 'the body is not a JSON object'],
    ['null', 400, 'the body is not a JSON object'],
    ['{"email":1e308}', 400, 'email must be a string'],
    ['{"email":"  "}', 400, 'email is missing'],
    ['{"email":"anna"}', 400, 'email is not an address such as anna@example.org'],
    ['{"email":"anna@localhost"}', 400, 'email is not an address such as anna@example.org'],
    ['{"email":"a\\nb@example.org"}', 400, 'email is not an address such as anna@example.org'],
    ['{"email":"a@example.org\\r\\nBcc: b@example.org"}', 400, 'email is not an address such as anna@example.org'],
    [`{"email":"${'a'.repeat(250)}@example.org"}`, 400, 'email has more than 254 characters'],
    ['{"email":"a@example.org","name":["x"]}', 400, 'name must be a string'],
    ['{"email":"a@example.org","name":"  "}', 400, 'name is empty'],
    [`{"email":"a@example.org","name":"${'ä'.repeat(41)}"}`, 400, 'name has more than 40 characters'],
    ['{"email":"a@example.org","name":"a\\u0000b"}', 400, 'name has characters that cannot be shown'],
    ['{"email":"a@example.org","name":"\\ud800"}', 400, 'name has characters that cannot be shown'],
    ['{"email":"a@example.org","name":"a\\u202eb"}', 400, 'name has characters that cannot be shown'],
    ['{"email":"a@example.org","__proto__":{}}', 400, 'unknown field "__proto__"'],
    ['{"email":"a@example.org","admin":true}', 400, 'unknown field "admin"'],
  ])('%s: %i %s', async (body, status, detail) => {
    const response = await signIn(body)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect([response.status, ((await response.json()) as { detail: string }).detail]).toEqual([status, detail])
  })

  test('too much is 413, another type 415, another method 405; pages of other sites are turned away', async () => {
    expect((await signIn(`{"email":"${'a'.repeat(5000)}"}`)).status).toBe(413)
    expect((await signIn('{}', { 'content-type': 'text/xml' })).status).toBe(415)
    const put = await fetch(`${hazard.origin}/sign-in`, { method: 'PUT' })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST, HEAD, OPTIONS'])
    expect((await fetch(`${hazard.origin}/sign-in`, { method: 'OPTIONS' })).status).toBe(204)
    expect((await signIn({ email: 'a@example.org' }, { origin: 'https://evil.example' })).status).toBe(400)
    expect((await signIn({ email: 'a@example.org' }, { origin: 'null' })).status).toBe(400)
    expect((await signIn({ email: 'a@example.org' }, { origin: hazard.origin })).status).toBe(200)
  })
})

describe('the gateway refuses', () => {
  let key: JWK
  const good = () => ({
    issuer: `${hazard.origin}/oidc`,
    audience: 'hazard',
    expires: Math.floor(Date.now() / 1000) + 60,
    subject: 'someone' as string | null,
  })
  async function sign(change: Partial<ReturnType<typeof good>> = {}, signing = key): Promise<string> {
    const { issuer, audience, expires, subject } = { ...good(), ...change }
    const token = new SignJWT(subject === null ? {} : { sub: subject })
      .setProtectedHeader({ alg: 'RS256', kid: key.kid! })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(expires - 120)
      .setExpirationTime(expires)
    return token.sign(await importJWK(signing, 'RS256'))
  }
  beforeAll(async () => {
    key = (JSON.parse(await readFile(join(folder.path, 'sign-in', 'keys.json'), 'utf8')) as { signing: JWK }).signing
  })

  test('none of what it should take', async () => {
    expect(await claimsSeenWith(await sign())).toMatchObject({ sub: 'someone' })
  })

  test.each([
    ['expired', () => sign({ expires: Math.floor(Date.now() / 1000) - 60 })],
    ['of another issuer', () => sign({ issuer: 'https://evil.example/oidc' })],
    ['for another audience', () => sign({ audience: 'hazard-web' })],
    ['naming nobody', () => sign({ subject: null })],
    ['naming the empty name', () => sign({ subject: '' })],
    [
      'signed with another key under the same name',
      async () => sign({}, await exportJWK((await generateKeyPair('RS256', { extractable: true })).privateKey)),
    ],
    [
      'with no signature',
      async () => {
        const [, payload] = (await sign()).split('.')
        return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
      },
    ],
    [
      'signed with the public key as if it were a shared secret',
      async () => {
        const secret = Buffer.from(JSON.stringify({ kty: key.kty, n: key.n, e: key.e }))
        return new SignJWT({ sub: 'someone' })
          .setProtectedHeader({ alg: 'HS256', kid: key.kid! })
          .setIssuer(good().issuer)
          .setAudience('hazard')
          .setIssuedAt()
          .setExpirationTime('1h')
          .sign(secret)
      },
    ],
    [
      'altered',
      async () => {
        const [header, payload, signature] = (await sign()).split('.')
        const other = Buffer.from(
          Buffer.from(payload!, 'base64url').toString().replace('someone', 'anotherr'),
        ).toString('base64url')
        return `${header}.${other}.${signature}`
      },
    ],
    ['no token at all', async () => 'x'.repeat(200)],
  ])('a token %s', async (_, make) => {
    expect(await claimsSeenWith(await make())).toBe(401)
  })
})

describe('by OpenID, code with PKCE', () => {
  /** A browser as far as needed: keeps cookies, follows no redirect by itself. */
  function browser() {
    const cookies = new Map<string, string>()
    return async (url: string, init: RequestInit = {}) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(url, { redirect: 'manual', ...init, headers: { cookie, ...init.headers } })
      for (const set of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
        if (/expires=Thu, 01 Jan 1970/i.test(set)) cookies.delete(name!)
        else cookies.set(name!, value!)
      }
      return response
    }
  }

  const verifier = randomBytes(32).toString('base64url')
  const authorization = (change: Record<string, string> = {}) =>
    `${hazard.origin}/oidc/auth?${new URLSearchParams({
      client_id: 'hazard-web',
      response_type: 'code',
      redirect_uri: `${hazard.origin}/`,
      scope: 'openid email profile',
      state: 'state-1',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...change,
    })}`

  async function code(go: ReturnType<typeof browser>, fields: Record<string, string>): Promise<string> {
    let response = await go(authorization())
    let at = new URL(response.headers.get('location')!, hazard.origin).href
    expect(await (await go(at)).text()).toContain('<form method="post"')
    response = await go(at, { method: 'POST', body: new URLSearchParams(fields), headers: { origin: hazard.origin } })
    for (let hops = 0; hops < 5 && response.status === 303; hops += 1) {
      at = new URL(response.headers.get('location')!, hazard.origin).href
      if (at.startsWith(`${hazard.origin}/?`)) break
      response = await go(at)
    }
    const back = new URL(at)
    expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual(['state-1', `${hazard.origin}/oidc`])
    return back.searchParams.get('code')!
  }

  const exchange = (form: Record<string, string>) =>
    fetch(`${hazard.origin}/oidc/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'hazard-web', ...form }),
    })

  test('from sign-in to an access token that the gateway takes, and a refreshed one', async () => {
    const discovery = (await (await fetch(`${hazard.origin}/oidc/.well-known/openid-configuration`)).json()) as Record<
      string,
      string
    >
    expect(discovery).toMatchObject({
      issuer: `${hazard.origin}/oidc`,
      authorization_endpoint: `${hazard.origin}/oidc/auth`,
      token_endpoint: `${hazard.origin}/oidc/token`,
    })
    const keys = (await (await fetch(discovery['jwks_uri']!)).json()) as { keys: object[] }
    expect(keys.keys[0]).not.toHaveProperty('d')

    const go = browser()
    const form = {
      grant_type: 'authorization_code',
      code: await code(go, { email: 'dora@example.org', name: 'Dora' }),
      redirect_uri: `${hazard.origin}/`,
    }
    expect((await exchange({ ...form, code_verifier: 'x'.repeat(43) })).status).toBe(400)
    form.code = await code(browser(), { email: 'dora@example.org', name: 'Dora' })
    const tokens = (await (await exchange({ ...form, code_verifier: verifier })).json()) as Record<string, string>
    expect(decodeProtectedHeader(tokens['access_token']!)).toMatchObject({ alg: 'RS256', typ: 'at+jwt' })

    const { commander } = (await (await signIn({ email: 'dora@example.org' })).json()) as { commander: { id: string } }
    expect(await claimsSeenWith(tokens['access_token']!)).toMatchObject({
      sub: commander.id,
      aud: 'hazard',
      client_id: 'hazard-web',
      email: 'dora@example.org',
      email_verified: 'true',
      name: 'Dora',
    })
    expect(decodeJwt(tokens['id_token']!)).toMatchObject({ sub: commander.id, email: 'dora@example.org', name: 'Dora' })
    expect(await claimsSeenWith(tokens['id_token']!)).toBe(401)
    const refreshed = (await (
      await exchange({ grant_type: 'refresh_token', refresh_token: tokens['refresh_token']! })
    ).json()) as Record<string, string>
    expect(await claimsSeenWith(refreshed['access_token']!)).toMatchObject({ sub: commander.id })
    expect((await exchange({ ...form, code_verifier: verifier })).status).toBe(400)
  })

  test('a wrong address is told on the page, which can be sent again', async () => {
    const go = browser()
    const at = new URL((await go(authorization())).headers.get('location')!, hazard.origin).href
    const response = await go(at, { method: 'POST', body: new URLSearchParams({ email: '<b>' }) })
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('email is not an address')])
    expect((await fetch(at)).status).toBe(400)
  })

  test('no way around PKCE, to another place, or past an unknown client', async () => {
    const noPkce = await browser()(authorization({ code_challenge: '', code_challenge_method: '' }))
    expect(noPkce.headers.get('location')).toContain('error=invalid_request')
    for (const change of [{ redirect_uri: 'https://evil.example/' }, { client_id: 'other' }]) {
      const response = await browser()(authorization(change as Record<string, string>))
      expect([response.status, response.headers.get('location')]).toEqual([400, null])
      expect(await response.text()).toContain('Sign-in failed')
    }
  })
})

test('pages send what keeps them to themselves', async () => {
  for (const path of ['/', '/sign-in', '/nothing']) {
    const { headers } = await fetch(`${hazard.origin}${path}`)
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-.*frame-ancestors 'none'$/,
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  const odd = await (await fetch(`${hazard.origin}/<script>alert(1)</script>`)).text()
  expect(odd).not.toContain('<script')
})

test('keys and accounts are for their owner alone, outlive a restart, and leave no drafts behind', async () => {
  const before = (await (await signIn({ email: 'anna@example.org' })).json()) as { commander: object }
  const { port } = new URL(hazard.origin)
  const { token } = (await (await signIn({ email: 'anna@example.org' })).json()) as { token: string }
  expect(hazard.complaints).toEqual([])
  await hazard.close()
  hazard = await serveLocally(folder.path, partsWith(), { port: Number(port) })
  const after = (await (await signIn({ email: 'anna@example.org' })).json()) as { commander: object }
  expect(after.commander).toEqual(before.commander)
  expect(await claimsSeenWith(token)).toMatchObject({ email: 'anna@example.org' })
  const names = await readdir(join(folder.path, 'sign-in'))
  expect(names.sort()).toEqual(['accounts.json', 'keys.json'])
  for (const file of ['master-keys.json', 'sign-in/keys.json', 'sign-in/accounts.json']) {
    expect((await stat(join(folder.path, file))).mode & 0o777).toBe(0o600)
  }
})
