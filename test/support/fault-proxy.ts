/** A proxy between the SDK and a DynamoDB endpoint that misbehaves to order: for tests of what happens when an answer is lost. */

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { listen, stopServer } from './loopback-dynamodb.ts'

export type Fault =
  /** Nothing goes wrong. */
  | 'none'
  /** The request is carried out, its answer never arrives: the connection breaks. */
  | 'lose-reply'
  /** The request never arrives: the connection breaks. */
  | 'lose-request'
  /** The request is carried out at once, the answer comes `ms` later. */
  | { readonly delayReply: number }
  /** The request is carried out `ms` later, even if nobody waits for the answer any more. */
  | { readonly delayRequest: number }
  /** Not carried out; answered with this status and this exception. */
  | { readonly status: number; readonly exception: string }

export const SERVER_ERROR: Fault = { status: 500, exception: 'InternalServerError' }
export const THROTTLED: Fault = { status: 400, exception: 'ProvisionedThroughputExceededException' }

export interface FaultProxy {
  readonly endpoint: string
  /** The next requests of this operation (as `PutItem`; of one table, if given) meet these faults, one each; adds to what is planned. */
  next(operation: string, faults: readonly Fault[], table?: string): void
  /** Each request of this operation (of one table, if given) meets this fault, once what `next` has planned is used up. */
  always(operation: string, fault: Fault, table?: string): void
  /** Nothing goes wrong any more. */
  heal(): void
  /** How many requests of this operation have come, and how many of them were carried out. */
  count(operation: string): { readonly received: number; readonly forwarded: number }
  /** Forgets the counts. */
  recount(): void
  stop(): Promise<void>
}

/** Starts a proxy before `target`, on a loopback port of its own. Without faults it passes everything on. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const planned = new Map<string, Fault[]>()
  const standing = new Map<string, Fault>()
  const received = new Map<string, number>()
  const forwarded = new Map<string, number>()
  const stopping = new AbortController()

  const faultFor = (operation: string, table: string): Fault => {
    for (const key of [keyOf(operation, table), keyOf(operation)]) {
      const fault = planned.get(key)?.shift() ?? standing.get(key)
      if (fault) return fault
    }
    return 'none'
  }

  const forward = async (incoming: IncomingMessage, operation: string, body: Buffer): Promise<Answer> => {
    add(forwarded, operation)
    return carryOut(target, incoming, body)
  }

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await bytesOf(incoming)
    const operation = String(incoming.headers['x-amz-target'] ?? '').split('.')[1] ?? ''
    add(received, operation)
    const fault = faultFor(operation, tableIn(body))
    if (fault === 'lose-request') {
      outgoing.destroy()
    } else if (fault === 'lose-reply') {
      await forward(incoming, operation, body)
      outgoing.destroy()
    } else if (fault === 'none') {
      send(outgoing, await forward(incoming, operation, body))
    } else if ('delayReply' in fault) {
      const answer = await forward(incoming, operation, body)
      await wait(fault.delayReply, undefined, { signal: stopping.signal })
      send(outgoing, answer)
    } else if ('delayRequest' in fault) {
      await wait(fault.delayRequest, undefined, { signal: stopping.signal })
      send(outgoing, await forward(incoming, operation, body))
    } else {
      send(outgoing, refusal(fault.status, fault.exception))
    }
  }

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy())
  })
  const endpoint = await listen(server)

  return {
    endpoint,
    next(operation, faults, table) {
      const key = keyOf(operation, table)
      planned.set(key, [...(planned.get(key) ?? []), ...faults])
    },
    always(operation, fault, table) {
      standing.set(keyOf(operation, table), fault)
    },
    heal() {
      planned.clear()
      standing.clear()
    },
    count: (operation) => ({ received: received.get(operation) ?? 0, forwarded: forwarded.get(operation) ?? 0 }),
    recount() {
      received.clear()
      forwarded.clear()
    },
    async stop() {
      stopping.abort()
      await stopServer(server)
    },
  }
}

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

function carryOut(target: string, incoming: IncomingMessage, body: Buffer): Promise<Answer> {
  const { method, headers } = incoming
  return new Promise((resolve, reject) => {
    const passedOn = request(target + (incoming.url ?? '/'), { method, headers, agent: false }, (answer) => {
      bytesOf(answer).then(
        (bytes) => resolve({ status: answer.statusCode ?? 500, headers: answer.headers, body: bytes }),
        reject,
      )
    })
    passedOn.on('error', reject)
    passedOn.end(body)
  })
}

function send(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  if (outgoing.destroyed) return
  const { connection: _, 'transfer-encoding': __, ...kept } = headers
  outgoing.writeHead(status, { ...kept, 'content-length': body.length })
  outgoing.end(body)
}

function refusal(status: number, exception: string): Answer {
  const body = { __type: `com.amazonaws.dynamodb.v20120810#${exception}`, message: 'a fault of the test' }
  return { status, headers: { 'content-type': 'application/x-amz-json-1.0' }, body: Buffer.from(JSON.stringify(body)) }
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function tableIn(body: Buffer): string {
  try {
    return String((JSON.parse(body.toString()) as { TableName?: unknown }).TableName ?? '')
  } catch {
    return ''
  }
}

function keyOf(operation: string, table?: string): string {
  return table === undefined ? operation : `${operation} ${table}`
}

function add(counts: Map<string, number>, operation: string): void {
  counts.set(operation, (counts.get(operation) ?? 0) + 1)
}
