/** A database that answers as DynamoDB does, on disk, inside this process; what is written to the events table also comes on a stream. */

import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb'
import dynalite from 'dynalite'
import { levelComplaint, openLevel } from './level.ts'
import type { StoredItem } from './stream.ts'

export type Table = CreateTableCommandInput & { readonly TableName: string }

export interface EmbeddedSettings {
  readonly folder: string
  /** Made if missing. */
  readonly tables: readonly Table[]
  /** Whose writes come on the stream; nothing in it can be changed or deleted, as the grants on AWS have it. */
  readonly eventsTable: string
  /** Told of each item after its writer has been answered. */
  readonly onWritten?: (item: StoredItem) => void
}

export interface EmbeddedDynamoDb {
  /** On the loopback interface; its path is a secret of this process, without which nobody is answered. */
  readonly endpoint: string
  close(): Promise<void>
}

export const LOCAL_REGION = 'local'

const FORBIDDEN_ON_EVENTS = ['UpdateItem', 'DeleteItem', 'DeleteTable', 'UpdateTable', 'BatchWriteItem']

/** Opens the files, mends what a kill while making a table has left half done, and answers. Throws Complaint: in use, damaged, not writable. */
export async function startEmbeddedDynamoDb(settings: EmbeddedSettings): Promise<EmbeddedDynamoDb> {
  const { folder, tables, eventsTable, onWritten } = settings
  const level = await openLevel(folder)
  try {
    for (const { TableName } of tables) await finishTable(level, TableName)
  } catch (error) {
    throw levelComplaint(folder, error)
  } finally {
    await level.close()
  }

  const secret = `/${randomBytes(24).toString('hex')}`
  const server = dynalite({ path: folder, createTableMs: 0 })
  const [answer] = server.listeners('request') as RequestListener[]
  if (!answer) throw new Error('dynalite listens to no requests')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (!knows(request.url ?? '', secret)) return refuse(response, 'AccessDeniedException', 'this database is private')
    guardEvents(request, response, eventsTable, onWritten, () => answer(request, response))
    // dynalite throws, and so would end the process, when a client hangs up too early.
    request.removeAllListeners('error').on('error', () => {})
  })
  server.keepAliveTimeout = 60_000
  await listen(server)
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}${secret}`

  const client = new DynamoDBClient({
    endpoint,
    region: LOCAL_REGION,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
  try {
    for (const table of tables) await makeIfMissing(client, table)
  } catch (error) {
    await close(server)
    throw error
  } finally {
    client.destroy()
  }
  return { endpoint, close: () => close(server) }
}

/** A table whose making was cut short stays CREATING for ever in dynalite; its entry is all there is to it, so it is as good as made. */
async function finishTable(level: Awaited<ReturnType<typeof openLevel>>, name: string): Promise<void> {
  const key = `table~${name}`
  const entry = (await level.get(key)) as
    | { TableStatus?: string; GlobalSecondaryIndexes?: { IndexStatus?: string }[] }
    | undefined
  if (entry?.TableStatus !== 'CREATING') return
  entry.TableStatus = 'ACTIVE'
  for (const index of entry.GlobalSecondaryIndexes ?? []) index.IndexStatus = 'ACTIVE'
  await level.put(key, entry, { sync: true })
}

async function makeIfMissing(client: DynamoDBClient, table: Table): Promise<void> {
  const status = async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: table.TableName }))
    return Table?.TableStatus
  }
  try {
    if ((await status()) === 'ACTIVE') return
  } catch (error) {
    if ((error as Error).name !== 'ResourceNotFoundException') throw error
    await client.send(new CreateTableCommand(table))
  }
  for (let tries = 0; (await status()) !== 'ACTIVE'; tries += 1) {
    if (tries > 500) throw new Error(`table ${table.TableName} does not become active`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Lets a request through, listening along: the grants and the stream of the events table. */
function guardEvents(
  request: IncomingMessage,
  response: ServerResponse,
  eventsTable: string,
  onWritten: EmbeddedSettings['onWritten'],
  pass: () => void,
): void {
  const operation = String(request.headers['x-amz-target'] ?? '').split('.')[1] ?? ''
  const forbidden = FORBIDDEN_ON_EVENTS.includes(operation)
  if (operation !== 'PutItem' && !forbidden) {
    pass()
    return
  }

  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  const body = () => JSON.parse(Buffer.concat(pieces).toString()) as { TableName?: string; Item?: StoredItem }

  if (forbidden) {
    // Held back until the body tells which table is meant.
    const held = request.emit
    request.emit = function (this: IncomingMessage, event: string | symbol, ...values: unknown[]): boolean {
      if (event === 'end' && speaksOf(pieces, eventsTable)) {
        refuse(response, 'AccessDeniedException', `${operation} is not granted on ${eventsTable}`)
        return true
      }
      return held.call(this, event, ...values)
    }
    pass()
    return
  }

  if (onWritten) {
    // After the answer, but whether or not anyone still listens to it: what is written is written.
    const end = response.end
    response.end = function (this: ServerResponse, ...values: Parameters<typeof end>): ServerResponse {
      const ended = end.apply(this, values)
      if (response.statusCode === 200) {
        const { TableName, Item } = body()
        if (TableName === eventsTable && Item) onWritten(Item)
      }
      return ended
    } as typeof end
  }
  pass()
}

function speaksOf(pieces: readonly Buffer[], table: string): boolean {
  try {
    const body = JSON.parse(Buffer.concat(pieces).toString()) as { TableName?: string; RequestItems?: object }
    return body.TableName === table || Object.hasOwn(body.RequestItems ?? {}, table)
  } catch {
    return false
  }
}

function refuse(response: ServerResponse, type: string, message: string): void {
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0', connection: 'close' })
  response.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message }))
}

function knows(url: string, secret: string): boolean {
  const start = Buffer.from(url.slice(0, secret.length))
  const rest = url.slice(secret.length)
  return start.length === secret.length && timingSafeEqual(start, Buffer.from(secret)) && (rest === '' || rest === '/')
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()))
    server.closeAllConnections()
  })
}
