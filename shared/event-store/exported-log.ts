/** The log as a file: a header line, then one exported commit a line. `docs/log-format.md` describes it for others. */

import * as z from 'zod'
import type { GameId } from './commit.ts'
import { parseGameId } from './ids.ts'

export const LOG_FORMAT = 1

export const logHeader = z.strictObject({
  hazardLog: z.literal(LOG_FORMAT),
  game: z.string().refine((text) => parseGameId(text) !== null, 'no id of a game'),
  kind: z.string().max(40),
  rulesVersion: z.int().min(1),
  /** The newest commit when the export began. */
  head: z.strictObject({ n: z.int().min(1), hash: z.string().regex(/^[0-9a-f]{64}$/) }),
})
export type LogHeader = Omit<z.infer<typeof logHeader>, 'game'> & { readonly game: GameId }
