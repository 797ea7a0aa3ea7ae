/** Tags of bodies: whoever has the body already is told so and is not sent it again. */

import { createHash } from 'node:crypto'

/** The tag of a body. */
export function tagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
}

/** Whether the tags of an If-None-Match header name this one. */
export function matches(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false
  return ifNoneMatch.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === tag)
}
