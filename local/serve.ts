/** Hazard on one machine: database, stream, functions, sign-in and HTTP front, started and stopped together. */

import type { Server } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Accounts, openAccounts } from './accounts.ts'
import { startClock } from './clock.ts'
import { Complaint, EXIT } from './complaint.ts'
import { openDataFolder } from './data-folder.ts'
import { codeOf } from './durable-file.ts'
import { LOCAL_REGION, startEmbeddedDynamoDb } from './embedded-dynamodb.ts'
import { createGateway, type Limits, type Pages } from './gateway.ts'
import { createOpenId, issuerOf } from './openid.ts'
import type { Functions, Parts } from './parts.ts'
import { createSignIn } from './sign-in.ts'
import { createSite } from './site.ts'
import { Stream } from './stream.ts'
import { createTokens, openKeys, type SignInKeys, type Tokens } from './tokens.ts'

export interface ServeOptions {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  readonly data: string
  readonly clockSpeed: number
  /** Another endpoint that answers as DynamoDB; then none is started here, and its tables must be there. */
  readonly dynamoEndpoint?: string
  readonly limits?: Partial<Limits>
  /** For what a person running this should see beside the start-up message. */
  readonly complain: (message: string) => void
}

export interface Serving {
  readonly origin: string
  readonly stream: Stream
  /** Where the functions find their database. */
  readonly dynamoEndpoint: string
  /** Finishes what is under way, then lets go of port and folder. */
  close(): Promise<void>
}

/** ms that requests and signals under way are waited for when closing. */
const PATIENCE = 5_000

/** Starts everything. Throws Complaint: port taken, folder in use, not writable or damaged; nothing is left running then. */
export async function serve(options: ServeOptions, parts: Parts): Promise<Serving> {
  const opened: (() => Promise<unknown>)[] = []
  const closeAll = async () => {
    for (const close of opened.splice(0).reverse()) {
      await close().catch((error) => options.complain(`while closing: ${(error as Error).message}`))
    }
  }
  try {
    return await start(options, parts, opened, closeAll)
  } catch (error) {
    await closeAll()
    throw error
  }
}

async function start(
  { host, port, data, clockSpeed, dynamoEndpoint: otherEndpoint, limits, complain }: ServeOptions,
  parts: Parts,
  opened: (() => Promise<unknown>)[],
  closeAll: () => Promise<void>,
): Promise<Serving> {
  const folder = await openDataFolder(data)
  opened.push(folder.close)
  const keys = await openKeys(folder.signInKeys)
  const accounts = await openAccounts(folder.accounts)
  const clock = await startClock({ speed: clockSpeed, file: folder.clock })
  opened.push(clock.close)

  // The port is taken first, for its number is in every token; what is asked before all has started waits.
  const { promise: started, resolve: startAnswering } = withResolvers<Answering>()
  const front = createGateway({
    api: async (event, context) => (await started).api(event, context),
    check: async (token) => (await started).check(token),
    pages: async (request, response, path) => (await started).pages(request, response, path),
    isOurs: hostsOf(host),
    complain,
    ...(limits ? { limits } : {}),
  })
  await listen(front, host, port)
  opened.push(() => closeServer(front))
  const origin = originOf(host, (front.address() as AddressInfo).port)

  const eventsTable = parts.eventsTable.TableName
  const readModelsTable = parts.readModelsTable.TableName
  const stream = new Stream({
    deliver: async (event) => (await started).projectCommits(event),
    passes: parts.passes,
    table: { name: eventsTable, region: LOCAL_REGION },
    complain,
  })
  let dynamoEndpoint = otherEndpoint
  if (dynamoEndpoint === undefined) {
    const database = await startEmbeddedDynamoDb({
      folder: folder.database,
      tables: [parts.eventsTable, parts.readModelsTable],
      eventsTable,
      onWritten: (item) => stream.written(item),
    })
    opened.push(database.close)
    await folder.databaseMade()
    dynamoEndpoint = database.endpoint
  }
  const functions = await parts.assemble({
    dynamoEndpoint,
    region: LOCAL_REGION,
    eventsTable,
    readModelsTable,
    keyRing: folder.keyRing,
    clock,
  })
  opened.push(functions.close)
  opened.push(async () => {
    await stream.drain(PATIENCE)
    stream.close()
  })
  await functions.reconcile()

  const tokens = await createTokens(issuerOf(origin), keys)
  const pages = await createPages({ accounts, keys, tokens, origin, data })
  startAnswering({ api: functions.api, projectCommits: functions.projectCommits, check: tokens.check, pages })
  opened.push(() => finishRequests(front))
  await folder.reachedAt(origin)
  return { origin, stream, dynamoEndpoint, close: closeAll }
}

interface Answering extends Pick<Functions, 'api' | 'projectCommits'> {
  readonly check: Tokens['check']
  readonly pages: Pages
}

interface PagesOf {
  readonly accounts: Accounts
  readonly keys: SignInKeys
  readonly tokens: Tokens
  readonly origin: string
  readonly data: string
}

async function createPages({ accounts, keys, tokens, origin, data }: PagesOf): Promise<Pages> {
  const openId = await createOpenId({ accounts, keys, origin })
  const signIn = createSignIn({ accounts, tokens, origin })
  const site = createSite({ readme: fileURLToPath(new URL('../README.md', import.meta.url)), dataFolder: data })
  const { host: ownHost } = new URL(origin)
  return async (request, response, path) => {
    // One machine has several names; a browser is sent to the one that its sign-in knows.
    const { host } = request.headers
    if (
      request.method === 'GET' &&
      /\btext\/html\b/.test(request.headers.accept ?? '') &&
      host === `localhost:${new URL(origin).port}` &&
      host !== ownHost
    ) {
      response.writeHead(307, { location: `${origin}${request.url}`, 'cache-control': 'no-store' }).end()
      return
    }
    if (path === '/sign-in') return signIn(request, response, path)
    if (path.startsWith('/sign-in/')) return openId.interaction(request, response, path)
    if (request.url?.startsWith('/oidc/')) return openId.provider(request, response, path)
    return site(request, response, path)
  }
}

function originOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`
}

/** Names this machine answers to. A name of elsewhere that has been pointed here must not get at tokens. */
function hostsOf(host: string): (given: string) => boolean {
  const everywhere = host === '0.0.0.0' || host === '::'
  return (given) => {
    const name = given
      .replace(/:\d+$/, '')
      .replace(/^\[(.*)\]$/, '$1')
      .toLowerCase()
    return (
      name === 'localhost' ||
      name === '127.0.0.1' ||
      name === '::1' ||
      name === host.toLowerCase() ||
      (everywhere && isIP(name) > 0)
    )
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const code = codeOf(error)
      if (code === 'EADDRINUSE')
        return reject(new Complaint(`Port ${port} of ${host} is taken: choose another with --port.`, EXIT.portTaken))
      if (code === 'EACCES')
        return reject(
          new Complaint(
            `Port ${port} may not be used by this account: choose one above 1023 with --port.`,
            EXIT.portTaken,
          ),
        )
      reject(new Complaint(`${host} is no address of this machine (${code}).`, EXIT.usage))
    })
    server.listen(port, host, () => resolve())
  })
}

/** Takes no more connections and waits, though not for long, until those asking have their answers. */
async function finishRequests(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, PATIENCE)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    server.closeIdleConnections()
  })
}

async function closeServer(server: Server): Promise<void> {
  if (server.listening) server.close()
  server.closeAllConnections()
}

function withResolvers<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve!: (value: T) => void
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
