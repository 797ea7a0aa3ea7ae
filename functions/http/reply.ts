/** Answers as responses: JSON unless said otherwise; what is read carries a tag and is kept by nobody else. */

import { matches, tagOf } from './etag.ts'

export interface Reply {
  /** JSON to be, or text with its type. */
  readonly body: object | { readonly text: string; readonly type: string }
  readonly headers?: Readonly<Record<string, string>>
  /** Whether it is the same for all who ask. */
  readonly open?: boolean
}

/** The response to a call; a reader who has it already gets 304. */
export function responseOf(reply: Reply, status: number, request: Request): Response {
  const { text, type } =
    'text' in reply.body && 'type' in reply.body && typeof reply.body.text === 'string'
      ? (reply.body as { text: string; type: string })
      : { text: JSON.stringify(reply.body), type: 'application/json' }
  const headers: Record<string, string> = {
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...reply.headers,
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return new Response(text, { status, headers })
  headers['etag'] = tagOf(text)
  headers['cache-control'] = reply.open ? 'public, max-age=300' : 'private, no-cache'
  headers['vary'] = reply.open ? 'Accept' : 'Accept, Authorization'
  if (matches(request.headers.get('if-none-match'), headers['etag'])) {
    delete headers['content-type']
    return new Response(null, { status: 304, headers })
  }
  return new Response(text, { status, headers })
}
