/** DynamoDB in this process, on a loopback port of its own, in memory. */

import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import dynalite from 'dynalite'

export interface LoopbackDynamo {
  readonly endpoint: string
  stop(): Promise<void>
}

export async function startLoopbackDynamo(): Promise<LoopbackDynamo> {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 })
  return { endpoint: await listen(server), stop: () => stopServer(server) }
}

/** The endpoint of a server made to listen on a free loopback port. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export async function stopServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}
