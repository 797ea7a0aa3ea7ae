/** Appending a commit, and how often and how patiently an order is tried when others are faster. */

import type { StoredCommit } from '../event-store/commit.ts'
import { OutcomeUnknown } from '../event-store/event-store.ts'
import type { Ports } from './ports.ts'

/** How often an order that may be retried is decided anew when others were faster. */
export const MOST_TRIES = 6
const PAUSE_MS = 50

/** Waits before the try after the given one: longer each time, with full jitter. */
export async function pauseAfter(ports: Pick<Ports, 'pause'>, tries: number): Promise<void> {
  await ports.pause(PAUSE_MS * tries)
}

/** Appends a commit; `unknown`: no answer told whether it stands. */
export async function append(
  ports: Pick<Ports, 'store'>,
  stored: StoredCommit,
): Promise<'appended' | 'taken' | 'unknown'> {
  try {
    return await ports.store.append(stored)
  } catch (fault) {
    if (fault instanceof OutcomeUnknown) return 'unknown'
    throw fault
  }
}
