/** `npm start` in an empty folder: it must say where it serves, answer there, and end when told to. */

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Whatever hangs, this ends.
setTimeout(() => process.exit(1), 120_000).unref()

const data = mkdtempSync(join(tmpdir(), 'hazard-start-'))
const served = spawn('npm', ['start', '--', '--port', '0', '--data', data], { stdio: ['ignore', 'pipe', 'inherit'] })
const ended = new Promise<number | null>((resolve) => served.on('exit', resolve))
let said = ''

/** The address in the start-up message. */
const address = await new Promise<string>((resolve, reject) => {
  const tooLate = setTimeout(() => reject(new Error(`no address within a minute; it said: ${said}`)), 60_000)
  served.stdout.on('data', (chunk) => {
    said += chunk
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said)
    if (found === null) return
    clearTimeout(tooLate)
    resolve(found[0])
  })
})

try {
  const signedIn = await fetch(`${address}/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ci@example.org', name: 'Ci' }),
  })
  const { token } = (await signedIn.json()) as { token: string }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ commandId: 'ci-opening-1', kind: 'conquest', seats: 2, visibility: 'public' })
  const opened = await fetch(`${address}/api/games`, { method: 'POST', headers, body })
  if (opened.status !== 201) throw new Error(`opening a game answered ${opened.status}: ${await opened.text()}`)
  console.log(`served at ${address} and opened a game`)
} finally {
  served.kill('SIGTERM')
  await ended
  rmSync(data, { recursive: true, force: true })
}
