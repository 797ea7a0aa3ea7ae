/** What a use case answers when it does not do what was asked: a closed list, which the HTTP contract turns into statuses. */

import { assertCanonical, NotCanonical } from '../event-store/canonical-json.ts'
import type { Head } from '../event-store/commit.ts'

export type Problem =
  /** There is no such game, or it is private and the asker no member. */
  | { readonly problem: 'not-found'; readonly detail: string }
  /** A field has not the form it must have; `path` names it. */
  | { readonly problem: 'malformed'; readonly path: string; readonly detail: string }
  /** The asker has no seat in the game. */
  | { readonly problem: 'not-seated'; readonly detail: string }
  /** Well-formed, but against the rules: one word from a closed list, with its sentence. */
  | { readonly problem: 'refused'; readonly refusal: string; readonly detail: string }
  /** The game has grown since what the sender saw. */
  | { readonly problem: 'overtaken'; readonly detail: string; readonly head: Head }
  /** What the sender saw is not in this log: it was restored from a backup. */
  | { readonly problem: 'history-rewound'; readonly detail: string; readonly head: Head }
  /** The same sender used this command id for another command. */
  | { readonly problem: 'command-id-reused'; readonly detail: string }
  /** Too often for now. */
  | { readonly problem: 'too-often'; readonly detail: string }
  /** It may or may not have happened: sending the same again finds out. */
  | { readonly problem: 'outcome-unknown'; readonly detail: string }
  /** The store did not answer. */
  | { readonly problem: 'unavailable'; readonly detail: string }

/** Whether an answer is a problem. */
export function isProblem(answer: object): answer is Problem {
  return 'problem' in answer
}

/** The problem of a field that has not the form it must have, from the first finding of a zod error. */
export function malformed(
  error: {
    readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]
  },
  within = '',
): Problem {
  const [issue] = error.issues
  const path = [within, ...(issue?.path ?? []).map(String)].filter((part) => part !== '').join('.')
  return { problem: 'malformed', path, detail: issue?.message ?? 'malformed' }
}

/** The problem of a value that no digest could be made of (a fraction, a character outside ASCII), or null. */
export function uncanonical(value: unknown, within: string): Problem | null {
  try {
    assertCanonical(value, within)
    return null
  } catch (fault) {
    if (fault instanceof NotCanonical) return { problem: 'malformed', path: within, detail: fault.message }
    throw fault
  }
}

/** The problem of a game that is not there, or not for the asker: the two look alike. */
export const NO_SUCH_GAME: Problem = {
  problem: 'not-found',
  detail: 'There is no such game, or it is not open to you.',
}

/** The problem of one command id for two commands. */
export function commandIdReused(): Problem {
  return { problem: 'command-id-reused', detail: 'You used this command id for another command. Choose a new one.' }
}

/** The problem of an append without an answer. */
export function outcomeUnknown(): Problem {
  return { problem: 'outcome-unknown', detail: 'It may or may not have been played. Send the very same order again.' }
}
