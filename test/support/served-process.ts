/** `hazard serve` as a process of its own, that can be killed at any moment. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'

const BIN = new URL('../../bin/hazard.ts', import.meta.url).pathname

export interface ServedProcess {
  readonly origin: string
  /** What has been said on standard error. */
  readonly stderr: () => string
  /** kill −9; returns once it is dead. */
  kill(): Promise<void>
}

/** Starts it over a data folder, on a free port; returns once it answers. */
export async function startServedProcess(data: string): Promise<ServedProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', BIN, 'serve', '--port', '0', '--data', data], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  let out = ''
  let err = ''
  child.stderr.on('data', (piece) => {
    err += piece
  })
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (piece) => {
      out += piece
      const [, found] = /Hazard is at (http:\/\/127\.0\.0\.1:\d+)/.exec(out) ?? []
      if (found) resolve(found)
    })
    child.on('exit', (code) => reject(new Error(`serve ended with ${code}: ${err}`)))
  })
  return {
    origin,
    stderr: () => err,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
