/** A body as JSON: its type, size and depth are judged before it is parsed, its characters after. */

import type { HttpProblem } from '../../shared/http-contract/problems.ts'

export const MOST_BODY_BYTES = 64 * 1024
export const MOST_BODY_DEPTH = 16

/** The JSON of a request's body, or what is wrong with it. */
export async function readJson(request: Request): Promise<{ readonly json: unknown } | HttpProblem> {
  if (!isJson(request.headers.get('content-type')))
    return { problem: 'unsupported-media-type', detail: 'Send the body as application/json.' }
  const bytes = new Uint8Array(await request.arrayBuffer())
  if (bytes.length > MOST_BODY_BYTES)
    return { problem: 'too-large', detail: `A body has at most ${MOST_BODY_BYTES} bytes.` }
  const text = textOf(bytes)
  if (text === null) return malformed('', 'The body is not UTF-8.')
  if (isDeeper(text)) return malformed('', `The body is nested more than ${MOST_BODY_DEPTH} deep.`)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return malformed('', 'The body is not JSON.')
  }
  const path = brokenText(json, '')
  return path === null ? { json } : malformed(path, 'Half of a character: a lone surrogate.')
}

function malformed(path: string, detail: string): HttpProblem {
  return { problem: 'malformed', path, detail }
}

function isJson(type: string | null): boolean {
  return type !== null && /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type.trim())
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Whether brackets outside strings are open more than MOST_BODY_DEPTH deep. */
function isDeeper(text: string): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (inString) {
      if (character === '\\') index += 1
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{' || character === '[') {
      depth += 1
      if (depth > MOST_BODY_DEPTH) return true
    } else if (character === '}' || character === ']') depth -= 1
  }
  return false
}

/** Where a string or key holds a lone surrogate, or null. */
function brokenText(value: unknown, path: string): string | null {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value) ? path : null
  if (typeof value !== 'object' || value === null) return null
  for (const [key, each] of Object.entries(value)) {
    if (/\p{Surrogate}/u.test(key)) return path
    const broken = brokenText(each, path === '' ? key : `${path}.${key}`)
    if (broken !== null) return broken
  }
  return null
}
