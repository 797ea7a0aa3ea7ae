declare module 'dynalite' {
  import type { Server } from 'node:http'

  interface DynaliteOptions {
    /** Folder of the database; in memory without. */
    readonly path?: string
    readonly createTableMs?: number
    readonly deleteTableMs?: number
    readonly updateTableMs?: number
    readonly maxItemSizeKb?: number
    readonly verbose?: boolean
    readonly debug?: boolean
  }

  /** An HTTP server that answers as DynamoDB does. */
  export default function dynalite(options?: DynaliteOptions): Server
}
