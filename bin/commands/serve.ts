/** `hazard serve`: Hazard on this machine. */

import { parseArgs } from 'node:util'
import { Complaint, EXIT } from '../../local/complaint.ts'
import { type ServeOptions, type Serving, serve } from '../../local/serve.ts'
import type { Io } from '../hazard.ts'

export const summary = 'play on this machine: API, sign-in and data in one folder'

export const usage = `hazard serve [options]

Serves Hazard on this machine until Ctrl-C. Killed at any moment, it loses no order it has acknowledged.

  --port <n>                 default 8787; 0 for any free one
  --host <address>           default 127.0.0.1, this machine alone
  --data <folder>            default .hazard: games, keys and accounts
  --clock-speed <x>          how many seconds pass in the games for each here; default 1
  --dynamodb-endpoint <url>  another database that answers as DynamoDB, instead of the embedded one

Exit codes: 0 stopped; 1 failed; 2 wrong usage; 3 the port is taken; 4 the folder is in use;
5 the folder cannot be written; 6 what is in the folder is damaged.`

/** Serves until SIGINT or SIGTERM; a second one ends it at once. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const options = readOptions(args, io)
  const stopped = waitForSignal()
  // The database throws from its own callbacks when the disk fails; nothing acknowledged is lost by ending here.
  const onUncaught = (error: Error) => {
    io.err(`hazard serve has to stop: ${error.message}`)
    process.exit(/no space|ENOSPC|EROFS/i.test(error.message) ? EXIT.notWritable : EXIT.failed)
  }
  process.on('uncaughtException', onUncaught)
  const { parts } = await import('../../local/parts.ts')
  const serving = await serve(options, parts)
  io.out(startMessage(serving, options, parts.firstGame))
  await stopped
  io.err('Stopping …')
  await serving.close()
  process.off('uncaughtException', onUncaught)
  return EXIT.done
}

function readOptions(args: readonly string[], io: Io): ServeOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: '8787' },
      host: { type: 'string', default: '127.0.0.1' },
      data: { type: 'string', default: '.hazard' },
      'clock-speed': { type: 'string', default: '1' },
      'dynamodb-endpoint': { type: 'string' },
    },
  })
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : Number.NaN
  if (!(port <= 65_535)) throw new Complaint('--port must be a whole number from 0 to 65535.', EXIT.usage)
  const clockSpeed = /^\d+(\.\d+)?$/.test(values['clock-speed']) ? Number(values['clock-speed']) : Number.NaN
  if (!(clockSpeed >= 1 && clockSpeed <= 100_000))
    throw new Complaint('--clock-speed must be a number from 1 to 100000.', EXIT.usage)
  if (values.data === '') throw new Complaint('--data must name a folder.', EXIT.usage)
  const endpoint = values['dynamodb-endpoint']
  if (endpoint !== undefined && !/^https?:$/.test(protocolOf(endpoint))) {
    throw new Complaint('--dynamodb-endpoint must be an address such as http://127.0.0.1:8000.', EXIT.usage)
  }
  return {
    port,
    host: values.host,
    data: values.data,
    clockSpeed,
    complain: io.err,
    ...(endpoint === undefined ? {} : { dynamoEndpoint: endpoint }),
  }
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : ''
}

function startMessage({ origin }: Serving, { data, clockSpeed }: ServeOptions, firstGame: object): string {
  const json = `-H 'content-type: application/json'`
  const bearer = `-H "authorization: Bearer $TOKEN"`
  return `Hazard is at ${origin}
Its games are kept in ${data}; Ctrl-C stops it.${clockSpeed === 1 ? '' : ` Time passes ${clockSpeed} times as fast.`}

Three things to try:
  1  sign in
     TOKEN=$(curl -s ${origin}/sign-in -H 'accept: text/plain' -d email=anna@example.org -d name=Anna)
  2  open a game
     curl -s ${origin}/api/games ${bearer} ${json} -d '${JSON.stringify(firstGame)}'
  3  look at your games
     curl -s '${origin}/api/games?show=mine' ${bearer}
`
}

function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(EXIT.failed)
        asked = true
        resolve()
      })
    }
    // npm gives a signal to the shell between, which ends without passing it on.
    if (process.env['npm_lifecycle_event'] !== undefined) whenOrphaned(resolve)
  })
}

/** Calls back once when the process that started this one is gone. */
function whenOrphaned(gone: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    gone()
  }, 500)
  timer.unref()
}
