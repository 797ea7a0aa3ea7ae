/** The command line: `hazard <command> [options]`. Results go to stdout, progress and what went wrong to stderr. */

import { Complaint, EXIT } from '../local/complaint.ts'

export interface Io {
  out(text: string): void
  err(text: string): void
}

/** One command, a module of its own in `commands/`. */
export interface Command {
  /** For the list of commands. */
  readonly summary: string
  /** What `--help` prints. */
  readonly usage: string
  /** The exit code; a Complaint thrown is told in its one sentence. */
  run(args: readonly string[], io: Io): Promise<number>
}

/** Loaded only when asked for, so that none waits for what another needs. */
const COMMANDS: Readonly<Record<string, string>> = {
  serve: 'serve.ts',
  odds: 'odds.ts',
  simulate: 'simulate.ts',
  audit: 'audit.ts',
  log: 'log.ts',
  rebuild: 'rebuild.ts',
}

/** Runs one command line; never throws. */
export async function hazard(args: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = args
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      io.out(await help())
      return name === undefined ? EXIT.usage : EXIT.done
    }
    const command = await load(name)
    if (!command) {
      throw new Complaint(`There is no command ${JSON.stringify(name)}: see hazard --help.`, EXIT.usage)
    }
    const asked = rest.slice(0, rest.includes('--') ? rest.indexOf('--') : rest.length)
    if (asked.includes('--help') || asked.includes('-h')) {
      io.out(command.usage)
      return EXIT.done
    }
    return await command.run(rest, io)
  } catch (error) {
    if (error instanceof Complaint) {
      io.err(error.message)
      return error.exitCode
    }
    // What parseArgs says of a wrong option.
    if (String((error as NodeJS.ErrnoException)?.code).startsWith('ERR_PARSE_ARGS')) {
      io.err(`${(error as Error).message.split(/\. |\n/, 1)[0]?.replace(/\.$/, '')}: see hazard ${name} --help.`)
      return EXIT.usage
    }
    io.err(`hazard ${name} failed, which it should not: ${(error as Error)?.stack ?? error}`)
    return EXIT.failed
  }
}

async function load(name: string): Promise<Command | null> {
  const file = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (file === undefined) return null
  const path = new URL(`./commands/${file}`, import.meta.url).href
  try {
    return (await import(path)) as Command
  } catch (error) {
    // Not written yet.
    if (
      (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' &&
      String((error as Error).message).includes(path.slice(7))
    )
      return null
    throw error
  }
}

async function help(): Promise<string> {
  const lines: string[] = []
  for (const name of Object.keys(COMMANDS)) {
    const command = await load(name)
    if (command) lines.push(`  ${name.padEnd(10)} ${command.summary}`)
  }
  return `Hazard: play-by-turn war and dice among friends.

hazard <command> [options]

${lines.join('\n')}

hazard <command> --help tells more of a command.`
}

if (process.argv[1] && import.meta.url === new URL(`file://${await realPath(process.argv[1])}`).href) {
  // The SDK announces the end of older runtimes on every start.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true'
  // Whoever reads along may have seen enough, as `head` has.
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed),
  )
  process.exitCode = await hazard(process.argv.slice(2), {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
  })
}

async function realPath(path: string): Promise<string> {
  const { realpath } = await import('node:fs/promises')
  return realpath(path)
}
