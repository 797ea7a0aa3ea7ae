/** What the functions write down: one line of JSON for each thing that a person should look into. */

import { DamagedLog } from '../shared/application/load-game.ts'
import { ProjectionBehind } from '../shared/application/project.ts'
import { CommitTooLarge, OutcomeUnknown, StoreUnavailable } from '../shared/event-store/event-store.ts'
import { MalformedKeyRing } from '../shared/fair-dice/key-ring.ts'
import { DamagedCommit } from './adapters/dynamodb/commit-codec.ts'

export type Log = (line: Readonly<Record<string, unknown>>) => void

/** To standard error. */
export const logToStderr: Log = (line) => console.error(JSON.stringify(line))

const OF_OURS = [
  DamagedLog,
  DamagedCommit,
  ProjectionBehind,
  CommitTooLarge,
  OutcomeUnknown,
  StoreUnavailable,
  MalformedKeyRing,
]

/** A fault as it may be written down: only messages of ours, for one from elsewhere may hold a token, an address or a key. */
export function faultLine(fault: unknown): Readonly<Record<string, unknown>> {
  if (!(fault instanceof Error)) return { fault: typeof fault }
  const ours = OF_OURS.some((each) => fault instanceof each)
  const frames = (fault.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return { fault: fault.name, ...(ours ? { message: fault.message } : {}), frames: frames.slice(0, 12) }
}
