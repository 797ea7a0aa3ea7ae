/** Sign-in without passwords: one call for curl and a page for people. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Account, type Accounts, NotAnAccount } from './accounts.ts'
import { type Pages, readBody, say } from './gateway.ts'
import { allows, escaped, send, sendPage } from './page.ts'
import type { Tokens } from './tokens.ts'

const MOST_BODY_BYTES = 4 * 1024

export interface SignInSettings {
  readonly accounts: Accounts
  readonly tokens: Tokens
  /** Where this server is reached, without a path. */
  readonly origin: string
}

/** What came instead of an e-mail address and a name. */
class Malformed extends Error {
  override readonly name = 'Malformed'
  readonly status: 400 | 413 | 415
  readonly field: string | null

  constructor(status: 400 | 413 | 415, sentence: string, field: string | null = null) {
    super(sentence)
    this.status = status
    this.field = field
  }
}

/** `GET /sign-in`, a page with a form; `POST /sign-in`, a token as JSON, as plain text or on a page, as the asker accepts. */
export function createSignIn({ accounts, tokens, origin }: SignInSettings): Pages {
  return async (request, response) => {
    if (!allows(response, 'GET', 'POST')) return
    if (request.method !== 'POST') return sendPage(response, 200, 'Sign in to Hazard', signInForm('/sign-in'))
    const wanted = wantedType(request)
    try {
      const account = await signInByForm(request, accounts)
      const { token, expiresAt } = await tokens.issue(account)
      if (wanted === 'html') return sendPage(response, 200, 'Signed in to Hazard', signedIn(account, token, origin))
      if (wanted === 'text') return send(response, 200, 'text/plain; charset=utf-8', `${token}\n`)
      const { id, email, name } = account
      send(
        response,
        200,
        'application/json',
        `${JSON.stringify({ token, expiresAt: expiresAt.toISOString(), commander: { id, email, name } })}\n`,
      )
    } catch (error) {
      refuse(response, error, wanted === 'html' ? '/sign-in' : null)
    }
  }
}

/** Reads who wants to sign in from a request's JSON or form, and signs them in. */
export async function signInByForm(request: IncomingMessage, accounts: Accounts): Promise<Account> {
  const { origin: from, host } = request.headers
  // A page of another site must not sign its visitors in here; programs send no Origin.
  if (from !== undefined && from !== `http://${host}`)
    throw new Malformed(400, `sign-in is not open to pages of ${from}`)
  const { email, name } = await readForm(request)
  if (email === undefined) throw new Malformed(400, 'email is missing', 'email')
  return accounts.signIn(email, name === '' ? undefined : name)
}

/** Answers a sign-in that failed: by the form again with what is wrong, or as a problem in JSON. Throws what it does not know. */
export function refuse(response: ServerResponse, error: unknown, form: string | null): void {
  if (!(error instanceof Malformed || error instanceof NotAnAccount)) throw error
  const status = error instanceof Malformed ? error.status : 400
  if (status === 413) say(response, 413, 'Request Entity Too Large')
  else if (form !== null) sendPage(response, status, 'Sign in to Hazard', signInForm(form, error.message))
  else {
    const title = status === 415 ? 'Unsupported Media Type' : 'Bad Request'
    const field = error.field === null ? {} : { field: error.field }
    const problem = { type: 'about:blank', title, status, detail: error.message, ...field }
    send(response, status, 'application/problem+json', `${JSON.stringify(problem)}\n`)
  }
}

export function signInForm(action: string, wrong = ''): string {
  return `<h1>Sign in</h1>
<p>It is one machine among friends: say who you are, and you are in.</p>
${wrong ? `<p role="alert">${escaped(wrong)}</p>` : ''}
<form method="post" action="${escaped(action)}">
<label>E-mail<input name="email" type="email" autocomplete="email" required autofocus maxlength="254"></label>
<label>Name, as the others shall see it<input name="name" autocomplete="nickname" maxlength="40"></label>
<button>Sign in</button>
</form>`
}

function signedIn({ name, email }: Account, token: string, origin: string): string {
  const lines = `TOKEN=${token}\n\ncurl -s '${origin}/api/games?show=mine' -H "authorization: Bearer $TOKEN"`
  return `<h1>Welcome, ${escaped(name)}</h1>
<p>You are signed in as ${escaped(email)}. This token speaks for you for a week; keep it to yourself.</p>
<pre>${escaped(lines)}</pre>
<p><a href="/">Back to the start</a></p>`
}

async function readForm(request: IncomingMessage): Promise<{ readonly email?: string; readonly name?: string }> {
  const body = await readBody(request, MOST_BODY_BYTES)
  if (body === 'too large') throw new Malformed(413, `more than ${MOST_BODY_BYTES} bytes`)
  if (body === 'cut short') throw new Malformed(400, 'the request ended too early')
  const text = body.toString()
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded') {
    const fields = new URLSearchParams(text)
    // What `curl -d '{…}'` sends when its content type has been forgotten.
    if (!fields.has('email') && text.trimStart().startsWith('{')) return fieldsOf(parsed(text))
    const twice = [...fields.keys()].find((field, place, all) => all.indexOf(field) !== place)
    if (twice !== undefined) throw new Malformed(400, `${twice.slice(0, 40)} is given twice`, twice.slice(0, 40))
    return fieldsOf(Object.fromEntries(fields))
  }
  if (type === 'application/json' || type === undefined) return fieldsOf(parsed(text))
  throw new Malformed(415, 'the body must be application/json or application/x-www-form-urlencoded')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Malformed(400, 'the body is not JSON such as {"email": "anna@example.org", "name": "Anna"}')
  }
}

function fieldsOf(body: unknown): { readonly email?: string; readonly name?: string } {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Malformed(400, 'the body is not a JSON object')
  const fields: { email?: string; name?: string } = {}
  for (const [field, value] of Object.entries(body)) {
    if (field !== 'email' && field !== 'name')
      throw new Malformed(400, `unknown field ${JSON.stringify(field.slice(0, 40))}`, field.slice(0, 40))
    if (typeof value !== 'string') throw new Malformed(400, `${field} must be a string`, field)
    fields[field] = value
  }
  return fields
}

/** JSON unless the asker would rather have a page or plain text. */
function wantedType(request: IncomingMessage): 'html' | 'text' | 'json' {
  const accept = request.headers.accept ?? ''
  if (/\btext\/html\b/i.test(accept)) return 'html'
  return /\btext\/plain\b/i.test(accept) && !/json/i.test(accept) ? 'text' : 'json'
}
