/** What a cold start has to read: the size of the bundles, and that they work without anything beside them. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { bundle } from '../../bin/bundle.ts'

const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'hazard-bundle-'))
afterAll(() => rmSync(folder, { recursive: true }))

test.each(['api', 'project-commits'])('%s is one file of at most 650 KB that loads alone', async (name) => {
  const file = join(folder, `${name}.mjs`)
  expect(await bundle(join(ROOT, `functions/${name}.ts`), file)).toBeLessThanOrEqual(650 * 1024)
  const script = `const { handler } = await import(${JSON.stringify(file)}); console.log(typeof handler)`
  const loaded = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, encoding: 'utf8' })
  expect(loaded.stdout.trim(), loaded.stderr).toBe('function')
})
