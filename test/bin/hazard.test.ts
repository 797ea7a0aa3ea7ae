import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hazard } from '../../bin/hazard.ts'
import { type Folder, temporaryFolder } from '../support/local-serving.ts'

async function said(...args: string[]) {
  const out: string[] = []
  const err: string[] = []
  const code = await hazard(args, { out: (text) => void out.push(text), err: (text) => void err.push(text) })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

describe('the frame', () => {
  test('help lists the commands, and each has its own', async () => {
    expect(await said('--help')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/\n {2}serve {6}play on this machine/),
    })
    expect((await said()).code).toBe(2)
    for (const args of [
      ['serve', '--help'],
      ['serve', '--port', '1', '-h'],
    ]) {
      expect(await said(...args)).toMatchObject({ code: 0, err: '', out: expect.stringContaining('--clock-speed') })
    }
  })

  test.each([
    [['srve'], 'There is no command "srve": see hazard --help.'],
    [['constructor'], 'There is no command "constructor": see hazard --help.'],
    [['serve', '--prot', '1'], "Unknown option '--prot': see hazard serve --help."],
    [['serve', 'here'], "Unexpected argument 'here': see hazard serve --help."],
    [['serve', '--port'], "Option '--port <value>' argument missing: see hazard serve --help."],
    [['serve', '--port', '99999'], '--port must be a whole number from 0 to 65535.'],
    [['serve', '--port', '1e3'], '--port must be a whole number from 0 to 65535.'],
    [['serve', '--clock-speed', '0'], '--clock-speed must be a number from 1 to 100000.'],
    [['serve', '--data', ''], '--data must name a folder.'],
    [
      ['serve', '--dynamodb-endpoint', 'localhost:8000'],
      '--dynamodb-endpoint must be an address such as http://127.0.0.1:8000.',
    ],
  ])('hazard %j: exit 2 and one sentence', async (args, sentence) => {
    const { code, out, err } = await said(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err.split('\n')[0]).toBe(sentence)
    expect(err.split('\n')).toHaveLength(1)
  })
})

describe('serve, as a process', () => {
  let folder: Folder
  const children: ChildProcess[] = []
  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })
  afterAll(() => folder.remove())

  function run(...args: string[]) {
    const bin = new URL('../../bin/hazard.ts', import.meta.url).pathname
    const child = spawn(process.execPath, ['--import', 'tsx', bin, 'serve', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    const text = { out: '', err: '' }
    child.stdout.on('data', (piece) => {
      text.out += piece
    })
    child.stderr.on('data', (piece) => {
      text.err += piece
    })
    const ended = once(child, 'close').then(([code]) => ({ code, ...text }))
    const origin = async () => {
      while (!/at your games|look at/.test(text.out)) {
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${text.err}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return /http:\/\/127\.0\.0\.1:\d+/.exec(text.out)![0]
    }
    return { pid: child.pid!, ended, origin, text }
  }

  const data = () => join(folder.path, 'data')
  const tokenFor = async (origin: string, email: string) => {
    const form = new URLSearchParams({ email })
    return (
      await (await fetch(`${origin}/sign-in`, { method: 'POST', body: form, headers: { accept: 'text/plain' } })).text()
    ).trim()
  }

  test('every game opened before a kill −9 is there after it, and in the lists of the same commander; in between the folder is in use, and free at once', async () => {
    const first = run('--port', '0', '--data', data())
    const origin = await first.origin()
    const body = /-d '(\{.*\})'/.exec(first.text.out)![1]!
    const opened: { game: string; email: string }[] = []
    const openOn = async (sender: number) => {
      for (let n = 0; ; n += 1) {
        // A commander may not open many games a day.
        const email = `anna-${sender}-${n}@example.org`
        const token = await tokenFor(origin, email)
        const response = await fetch(`${origin}/api/games`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ ...JSON.parse(body), commandId: `opening-${sender}-${n}` }),
        })
        if (response.status >= 300) throw new Error(await response.text())
        opened.push({ email, game: ((await response.json()) as { game: { game: string } }).game.game })
      }
    }
    const senders = [1, 2, 3, 4].map((sender) => openOn(sender).catch((error: Error) => error.message))
    while (opened.length < 12) await new Promise((resolve) => setTimeout(resolve, 5))

    const second = await run('--port', '0', '--data', data()).ended
    expect(second).toEqual({
      code: 4,
      out: '',
      err: `${data()} is in use by another process (${first.pid} at ${origin}).\n`,
    })
    process.kill(first.pid, 'SIGKILL')
    await first.ended
    expect(await Promise.all(senders)).toEqual(Array(4).fill('fetch failed'))

    const again = run('--port', '0', '--data', data())
    const newOrigin = await again.origin()
    for (const { game, email } of opened) {
      const headers = { authorization: `Bearer ${await tokenFor(newOrigin, email)}` }
      const mine = (await (await fetch(`${newOrigin}/api/games?show=mine`, { headers })).json()) as {
        games: { game: string }[]
      }
      expect(mine.games.map((each) => each.game)).toContain(game)
      expect((await fetch(`${newOrigin}/api/games/${game}`, { headers })).status).toBe(200)
    }
    process.kill(again.pid, 'SIGTERM')
    expect(await again.ended).toMatchObject({ code: 0, err: 'Stopping …\n' })
  })

  test('the start tells of nothing but Hazard; a port taken is one sentence and exit 3', async () => {
    const first = run('--port', '0', '--data', data())
    const { port } = new URL(await first.origin())
    expect(first.text.err).toBe('')
    expect(first.text.out).toMatch(
      /^Hazard is at http:\/\/127\.0\.0\.1:\d+\nIts games are kept in .*; Ctrl-C stops it\.\n\nThree things to try:\n/,
    )
    const second = await run('--port', port, '--data', join(folder.path, 'other')).ended
    expect(second).toEqual({
      code: 3,
      out: '',
      err: `Port ${port} of 127.0.0.1 is taken: choose another with --port.\n`,
    })
    process.kill(first.pid, 'SIGINT')
    expect((await first.ended).code).toBe(0)
  })
})
