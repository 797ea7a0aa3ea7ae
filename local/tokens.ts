/** Tokens signed with this folder's own key: given at sign-in, checked at the gateway as AWS's JWT authorizer does. */

import { randomBytes, randomUUID } from 'node:crypto'
import {
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  errors as joseErrors,
  jwtVerify,
  SignJWT,
} from 'jose'
import type { Account } from './accounts.ts'
import { Complaint, EXIT } from './complaint.ts'
import { readParsed, writeDurably } from './durable-file.ts'

/** RSA only, as AWS's authorizer has it. */
export const ALGORITHM = 'RS256'
export const AUDIENCE = 'hazard'
export const CURL_CLIENT = 'hazard-curl'
const TOKEN_DAYS = 7

export interface SignInKeys {
  /** Private. */
  readonly signing: JWK
  readonly cookies: readonly string[]
}

/** The claims as AWS hands them to a function: every value a string. */
export type Claims = Readonly<Record<string, string>>

export type Verdict = { readonly claims: Claims } | { readonly refused: string }

export interface Tokens {
  issue(account: Account): Promise<{ readonly token: string; readonly expiresAt: Date }>
  check(token: string): Promise<Verdict>
}

/** The keys of this folder, made at the first start. Throws Complaint if the file is damaged; it is never written over. */
export async function openKeys(file: string): Promise<SignInKeys> {
  const kept = await readParsed(file, parseKeys)
  if (kept) {
    if (!(await canSign(kept))) {
      throw new Complaint(`${file} is damaged (its signing key is no key): put back a copy of it.`, EXIT.damaged)
    }
    return kept
  }
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true, modulusLength: 2048 })
  const signing = { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: ALGORITHM, use: 'sig' }
  const keys = { signing, cookies: [randomBytes(32).toString('base64url')] }
  await writeDurably(file, `${JSON.stringify(keys)}\n`)
  return keys
}

async function canSign(keys: SignInKeys): Promise<boolean> {
  try {
    const { issue, check } = await createTokens('trial', keys)
    const { token } = await issue({ id: 'trial', email: '', name: '' })
    return 'claims' in (await check(token))
  } catch {
    return false
  }
}

const MOST_REMEMBERED = 1000

/** Tokens of one issuer: this server's address with `/oidc`. */
export async function createTokens(issuer: string, { signing }: SignInKeys): Promise<Tokens> {
  const privateKey = await importJWK(signing, ALGORITHM)
  const { kty, n, e, kid, alg, use } = signing as Required<JWK>
  const publicKeys = createLocalJWKSet({ keys: [{ kty, n, e, kid, alg, use }] })
  /** Tokens found good, until they expire: a signature is not checked anew for each call. */
  const good = new Map<string, { readonly claims: Claims; readonly expires: number }>()

  return {
    async issue({ id, email, name }) {
      const expiresAt = new Date((Math.floor(Date.now() / 1000) + TOKEN_DAYS * 86_400) * 1000)
      const token = await new SignJWT({ email, email_verified: true, name, client_id: CURL_CLIENT, scope: 'play' })
        .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'at+jwt' })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(id)
        .setJti(randomUUID())
        .setIssuedAt()
        .setExpirationTime(expiresAt)
        .sign(privateKey)
      return { token, expiresAt }
    },
    async check(token) {
      const known = good.get(token)
      if (known !== undefined && known.expires > Date.now()) return { claims: known.claims }
      good.delete(token)
      try {
        const { payload } = await jwtVerify(token, publicKeys, {
          issuer,
          audience: AUDIENCE,
          algorithms: [ALGORITHM],
          requiredClaims: ['sub', 'exp', 'iat'],
        })
        if (payload.sub === '') return { refused: 'the token names nobody' }
        const claims = asAwsHandsThem(payload)
        if (good.size >= MOST_REMEMBERED) good.delete(good.keys().next().value!)
        good.set(token, { claims, expires: payload.exp! * 1000 })
        return { claims }
      } catch (error) {
        return { refused: reasonFor(error) }
      }
    },
  }
}

/** Numbers and truth values become strings, lists `[a b]`. */
function asAwsHandsThem(payload: JWTPayload): Claims {
  return Object.fromEntries(
    Object.entries(payload)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => {
        if (Array.isArray(value)) return [name, `[${value.join(' ')}]`]
        return [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]
      }),
  )
}

function reasonFor(error: unknown): string {
  if (error instanceof joseErrors.JWTExpired) return 'the token has expired'
  if (error instanceof joseErrors.JWTClaimValidationFailed) {
    return error.claim === 'iss' || error.claim === 'aud'
      ? `invalid ${error.claim === 'iss' ? 'issuer' : 'audience'}`
      : `invalid claim ${error.claim}`
  }
  if (error instanceof joseErrors.JWSSignatureVerificationFailed) return 'signature error'
  if (error instanceof joseErrors.JWKSNoMatchingKey || error instanceof joseErrors.JOSEAlgNotAllowed)
    return 'unknown key or algorithm'
  return 'not a token'
}

function parseKeys(text: string): SignInKeys {
  const { signing, cookies } = JSON.parse(text) as { signing?: Record<string, unknown>; cookies?: unknown }
  for (const part of ['kty', 'kid', 'alg', 'use', 'n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi']) {
    if (typeof signing?.[part] !== 'string') throw new Error('its signing key is not whole')
  }
  if (
    !Array.isArray(cookies) ||
    cookies.length === 0 ||
    cookies.some((key) => typeof key !== 'string' || key.length < 32)
  ) {
    throw new Error('its cookie keys are not whole')
  }
  return { signing: signing as JWK, cookies }
}
