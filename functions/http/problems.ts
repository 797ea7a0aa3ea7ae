/** Problems as responses: application/problem+json, and the headers that go with some. */

import { type HttpProblem, problemBody } from '../../shared/http-contract/problems.ts'

const DAY_S = 24 * 3600
const SOON_S = 2

/** The response that tells of a problem. `now`: ms since 1970. */
export function problemResponse(problem: HttpProblem, now: number, headers: Record<string, string> = {}): Response {
  const body = problemBody(problem)
  return new Response(JSON.stringify(body), {
    status: body.status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headersOf(problem, now),
      ...headers,
    },
  })
}

function headersOf({ problem }: HttpProblem, now: number): Record<string, string> {
  switch (problem) {
    case 'unauthorised':
      return { 'www-authenticate': 'Bearer' }
    case 'too-often':
      return { 'retry-after': String(DAY_S - (Math.floor(now / 1000) % DAY_S)) }
    case 'outcome-unknown':
    case 'unavailable':
      return { 'retry-after': String(SOON_S) }
    case 'malformed':
    case 'not-seated':
    case 'not-found':
    case 'method-not-allowed':
    case 'overtaken':
    case 'history-rewound':
    case 'too-large':
    case 'unsupported-media-type':
    case 'refused':
    case 'command-id-reused':
    case 'internal':
    case 'damaged-log':
      return {}
  }
}
