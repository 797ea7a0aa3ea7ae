/** The few pages of this machine's own: plain HTML, no script, nothing from elsewhere. */

import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'

const STYLE = `
:root{color-scheme:light dark;--paper:#f6f1e4;--ink:#2b2620;--soft:#6f6558;--line:#d9cfba;--mark:#a3341f;--field:#fffdf7}
@media(prefers-color-scheme:dark){:root{--paper:#1f1c18;--ink:#ece4d4;--soft:#a89c88;--line:#3d372e;--mark:#e2765c;--field:#2a2620}}
*{box-sizing:border-box}
body{margin:0;padding:8vh 1.25rem;background:var(--paper);color:var(--ink);font:1.05rem/1.6 Georgia,'Times New Roman',serif}
main{max-width:36rem;margin:auto}
h1{font-size:2.4rem;line-height:1.1;margin:0 0 .4em;letter-spacing:-.01em}
h1+p{color:var(--soft);font-style:italic;margin-top:0}
a{color:var(--mark);text-underline-offset:.15em}
hr{border:0;border-top:1px solid var(--line);margin:2em 0}
ul{list-style:none;padding:0}li{padding:.35em 0;border-bottom:1px solid var(--line)}li a{font-weight:bold;margin-right:.6em}
label{display:block;margin:1em 0;font-size:.95rem;color:var(--soft)}
input{display:block;width:100%;margin-top:.25em;padding:.55em .7em;font:inherit;color:var(--ink);background:var(--field);border:1px solid var(--line);border-radius:4px}
button{font:inherit;padding:.5em 1.4em;color:var(--paper);background:var(--mark);border:0;border-radius:4px;cursor:pointer}
:focus-visible{outline:3px solid var(--mark);outline-offset:2px}
pre{overflow-x:auto;padding:.9em 1em;background:var(--field);border:1px solid var(--line);border-radius:4px;font:.85rem/1.5 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
[role=alert]{color:var(--mark);font-weight:bold}
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** What every page is sent with. */
export const PAGE_HEADERS = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
} as const

/** Text with everything that HTML would take for itself escaped. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** Sends a page; `body` is HTML. */
export function sendPage(response: ServerResponse, status: number, title: string, body: string): void {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><main>
${body}
</main></body></html>
`
  send(response, status, 'text/html; charset=utf-8', html, PAGE_HEADERS)
}

/** Sends text or JSON of this machine's own, never cached. */
export function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: Readonly<Record<string, string>> = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' },
): void {
  response.writeHead(status, { ...headers, 'content-type': type, 'content-length': Buffer.byteLength(body) })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

/** The methods a page understands; false once an answer has been sent. */
export function allows(response: ServerResponse, ...methods: readonly string[]): boolean {
  const { method = '' } = response.req
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
  if (method !== 'OPTIONS' && allowed.includes(method)) return true
  response.writeHead(method === 'OPTIONS' ? 204 : 405, { allow: allowed.join(', '), 'cache-control': 'no-store' })
  response.end()
  return false
}
