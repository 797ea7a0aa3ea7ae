/** Every way a call can fail, as RFC 9457 tells it: a closed list, each with its status and title. */

import type { Problem } from '../application/outcome.ts'
import type { Head } from '../event-store/commit.ts'

export const PROBLEMS = {
  malformed: { status: 400, title: 'The request has not the form it must have' },
  unauthorised: { status: 401, title: 'Sign in first' },
  'not-seated': { status: 403, title: 'You have no seat in this game' },
  'not-found': { status: 404, title: 'There is no such thing, or it is not open to you' },
  'method-not-allowed': { status: 405, title: 'This cannot be done here' },
  overtaken: { status: 409, title: 'The game has grown since what you saw' },
  'history-rewound': { status: 409, title: 'What you saw is not in the log of this game' },
  'too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body must be JSON' },
  refused: { status: 422, title: 'The rules do not allow this' },
  'command-id-reused': { status: 422, title: 'This command id was used for another command' },
  'too-often': { status: 429, title: 'Too often for now' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  'damaged-log': { status: 500, title: 'The stored log of this game is not what was written' },
  'outcome-unknown': { status: 503, title: 'It may or may not have been done' },
  unavailable: { status: 503, title: 'The game cannot be reached for the moment' },
} as const satisfies Record<Problem['problem'] | HttpOnly, { readonly status: number; readonly title: string }>

/** What only the way over HTTP brings forth; all others come from the use cases. */
export type HttpOnly =
  | 'unauthorised'
  | 'method-not-allowed'
  | 'too-large'
  | 'unsupported-media-type'
  | 'internal'
  | 'damaged-log'

export type HttpProblem = Problem | { readonly problem: HttpOnly; readonly detail: string }
export type ProblemWord = keyof typeof PROBLEMS

export const PROBLEM_WORDS = Object.keys(PROBLEMS) as [ProblemWord, ...ProblemWord[]]

export interface ProblemBody {
  readonly type: `/problems/${ProblemWord}`
  readonly title: string
  readonly status: number
  readonly detail: string
  /** Why the rules refuse: one word from a closed list. */
  readonly refusal?: string
  /** The bad field. */
  readonly path?: string
  /** The newest head. */
  readonly head?: Head
}

/** The body that tells of a problem. */
export function problemBody(problem: HttpProblem): ProblemBody {
  const { problem: word, detail, ...extras } = problem
  const { status, title } = PROBLEMS[word]
  return { type: `/problems/${word}`, title, status, detail, ...extras }
}
