/** Who asks: the subject of the token that the gateway has checked, never a field of a body. */

import type { Person } from '../../shared/application/ports.ts'
import { fitName, MOST_NAME_LENGTH } from '../../shared/http-contract/requests.ts'

export type Claims = Readonly<Record<string, unknown>>

const MOST_SUBJECT_LENGTH = 256
/** The name of one whose token has none that is fit to be shown. */
const NAMELESS = 'Commander'

/** The person a token speaks of, or null if it names none. The name is what to show until the person chooses another. */
export function personOf(claims: Claims | undefined): Person | null {
  const subject = claims?.['sub']
  if (typeof subject !== 'string' || subject === '' || subject.length > MOST_SUBJECT_LENGTH) return null
  return { subject, name: nameIn(claims?.['name']) ?? nameIn(claims?.['preferred_username']) ?? NAMELESS }
}

function nameIn(claim: unknown): string | null {
  if (typeof claim !== 'string') return null
  return fitName([...claim.slice(0, 400)].slice(0, MOST_NAME_LENGTH).join(''))
}
