/** Hazard on this machine with functions of the test's own, in a folder that is thrown away. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EVENTS_TABLE, READ_MODELS_TABLE } from '../../functions/adapters/dynamodb/tables.ts'
import type { Functions, Parts, World } from '../../local/parts.ts'
import { type ServeOptions, type Serving, serve } from '../../local/serve.ts'

export interface Folder {
  readonly path: string
  remove(): Promise<void>
}

export async function temporaryFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'hazard-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

export const TABLES = {
  eventsTable: { TableName: 'events', ...EVENTS_TABLE },
  readModelsTable: { TableName: 'read-models', ...READ_MODELS_TABLE },
}

/** Parts whose functions do nothing but what is given. */
export function partsWith(make: (world: World) => Partial<Functions> = () => ({})): Parts {
  return {
    ...TABLES,
    passes: () => true,
    firstGame: {},
    assemble: async (world) => ({
      api: async (event) => ({ statusCode: 200, body: JSON.stringify(event) }),
      projectCommits: async () => ({ batchItemFailures: [] }),
      reconcile: async () => {},
      close: async () => {},
      ...make(world),
    }),
  }
}

export interface LocalServing extends Serving {
  readonly complaints: readonly string[]
}

export async function serveLocally(
  data: string,
  parts: Parts,
  options: Partial<ServeOptions> = {},
): Promise<LocalServing> {
  const complaints: string[] = []
  const complain = (message: string) => void complaints.push(message)
  const serving = await serve({ host: '127.0.0.1', port: 0, data, clockSpeed: 1, complain, ...options }, parts)
  return { ...serving, complaints }
}
