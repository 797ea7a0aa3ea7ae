/** An OpenID provider for the browser page: code with PKCE, one public client, tokens that the gateway takes. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import type { Account, Accounts } from './accounts.ts'
import type { Pages } from './gateway.ts'
import { allows, escaped, sendPage } from './page.ts'
import { refuse, signInByForm, signInForm } from './sign-in.ts'
import { ALGORITHM, AUDIENCE, type SignInKeys } from './tokens.ts'

export const WEB_CLIENT = 'hazard-web'
const SCOPE = 'play'
const HOUR = 3_600
const DAY = 24 * HOUR

export interface OpenIdSettings {
  readonly accounts: Accounts
  readonly keys: SignInKeys
  /** Where the page lives, without a path; the issuer is this with `/oidc`. */
  readonly origin: string
}

export interface OpenId {
  /** Everything under `/oidc`. */
  readonly provider: Pages
  /** `/sign-in/<id>`, where the provider sends who has to say who they are. */
  readonly interaction: Pages
}

export function issuerOf(origin: string): string {
  return `${origin}/oidc`
}

/** Starts the provider. Its sessions are kept in memory, keys and accounts in the data folder. */
export async function createOpenId({ accounts, keys, origin }: OpenIdSettings): Promise<OpenId> {
  const OpenIdProvider = await quietly(() => import('oidc-provider'))
  const api = `${origin}/api`
  const kept = keeper()
  const provider: Provider = new OpenIdProvider.default(issuerOf(origin), {
    adapter: kept,
    clients: [
      {
        client_id: WEB_CLIENT,
        client_name: 'Hazard',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [`${origin}/`, `${origin}/signed-in`],
        post_logout_redirect_uris: [`${origin}/`],
      },
    ],
    jwks: { keys: [keys.signing] },
    cookies: { keys: keys.cookies },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    scopes: ['openid', 'offline_access'],
    conformIdTokenClaims: false,
    clientBasedCORS: () => false,
    findAccount: (_context: unknown, id: string) => {
      const account = accounts.find(id)
      return account && { accountId: id, claims: () => ({ sub: id, ...claimsOf(account) }) }
    },
    extraTokenClaims: (_context: unknown, { accountId }: { accountId?: string }) => {
      const account = accounts.find(accountId ?? '')
      return account && claimsOf(account)
    },
    issueRefreshToken: () => true,
    // Nobody is asked for consent: the page is this server's own.
    loadExistingGrant: async ({ oidc }: { oidc: { client: { clientId: string }; session: { accountId: string } } }) => {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid email profile offline_access')
      grant.addResourceScope(api, SCOPE)
      await grant.save()
      return grant
    },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/sign-in/${uid}` },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context: { res: ServerResponse; respond?: boolean }, form: string) => {
          context.respond = false
          sendPage(
            context.res,
            200,
            'Sign out',
            `<h1>Sign out?</h1>\n${form}\n<button form="op.logoutForm" name="logout" value="yes">Sign out</button>`,
          )
        },
        postLogoutSuccessSource: (context: { res: ServerResponse; respond?: boolean }) => {
          context.respond = false
          sendPage(context.res, 200, 'Signed out', '<h1>Signed out</h1>\n<p><a href="/">Back to the start</a></p>')
        },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => api,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: SCOPE,
          audience: AUDIENCE,
          accessTokenTTL: 12 * HOUR,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: ALGORITHM } },
        }),
      },
    },
    renderError: (
      context: { res: ServerResponse; respond?: boolean },
      said: { error?: string; error_description?: string },
    ) => {
      context.respond = false
      const why = said.error_description ?? said.error ?? 'no reason given'
      sendPage(
        context.res,
        400,
        'Sign-in failed',
        `<h1>Sign-in failed</h1>\n<p>${escaped(why)}.</p>\n<p><a href="/">Back to the start</a></p>`,
      )
    },
    ttl: {
      AccessToken: 12 * HOUR,
      AuthorizationCode: 60,
      Grant: 14 * DAY,
      IdToken: HOUR,
      Interaction: HOUR,
      RefreshToken: 14 * DAY,
      Session: 14 * DAY,
    },
  })
  const answer = provider.callback()

  return {
    provider: async (request, response) => {
      const mounted = request as IncomingMessage & { originalUrl?: string }
      mounted.originalUrl = request.url ?? ''
      request.url = (request.url ?? '').slice('/oidc'.length) || '/'
      await answer(request, response)
    },
    interaction: async (request, response, path) => {
      if (!allows(response, 'GET', 'POST')) return
      const interaction = await provider.interactionDetails(request, response).catch(() => null)
      if (!interaction || path !== `/sign-in/${interaction.uid}`) {
        const body =
          '<h1>Too late</h1>\n<p>This sign-in has ended or was begun elsewhere.</p>\n<p><a href="/">Begin again</a></p>'
        return sendPage(response, 400, 'Too late', body)
      }
      const finish = async (result: object) => {
        const location = await provider.interactionResult(request, response, result)
        response.writeHead(303, { location, 'content-length': 0, 'cache-control': 'no-store' }).end()
      }
      if (interaction.prompt.name === 'consent') return finish({ consent: {} })
      if (request.method !== 'POST') return sendPage(response, 200, 'Sign in to Hazard', signInForm(path))
      try {
        const account = await signInByForm(request, accounts)
        await finish({ login: { accountId: account.id } })
      } catch (error) {
        refuse(response, error, path)
      }
    },
  }
}

function claimsOf({ email, name }: Account) {
  return { email, email_verified: true, name }
}

/** The provider tells on import that it is not made for older runtimes; it is tried on those this project supports. */
async function quietly<T>(load: () => Promise<T>): Promise<T> {
  const { warn } = console
  console.warn = (...said: unknown[]) => {
    if (!String(said[0]).includes('oidc-provider')) warn(...said)
  }
  try {
    return await load()
  } finally {
    console.warn = warn
  }
}

interface Kept {
  readonly content: Record<string, unknown>
  readonly until: number
}

const MOST_KEPT = 10_000

/** Where the provider keeps sessions, codes and grants: in memory, the oldest forgotten first. */
function keeper(): (kind: string) => object {
  const all = new Map<string, Kept>()
  const find = (key: string) => {
    const kept = all.get(key)
    if (kept && kept.until > Date.now()) return kept.content
    all.delete(key)
    return undefined
  }
  const findBy = (kind: string, field: string, value: string) => {
    for (const [key, { content }] of all) if (key.startsWith(`${kind}:`) && content[field] === value) return find(key)
    return undefined
  }
  return (kind) => ({
    upsert: async (id: string, content: Record<string, unknown>, seconds?: number) => {
      const key = `${kind}:${id}`
      all.delete(key)
      all.set(key, { content, until: seconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + seconds * 1000 })
      for (const oldest of all.keys()) {
        if (all.size <= MOST_KEPT) break
        all.delete(oldest)
      }
    },
    find: async (id: string) => find(`${kind}:${id}`),
    findByUid: async (uid: string) => findBy(kind, 'uid', uid),
    findByUserCode: async (code: string) => findBy(kind, 'userCode', code),
    consume: async (id: string) => {
      const content = find(`${kind}:${id}`)
      if (content) content['consumed'] = Math.floor(Date.now() / 1000)
    },
    destroy: async (id: string) => void all.delete(`${kind}:${id}`),
    revokeByGrantId: async (grant: string) => {
      for (const [key, { content }] of all) if (content['grantId'] === grant) all.delete(key)
    },
  })
}
