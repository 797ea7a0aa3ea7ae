/** What a cold start reads: the size of the API's bundle, and how long its import takes beside that of the bare SDK client. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from '../bin/bundle.ts'
import { type Measurement, median } from './measurement.ts'

const ROOT = join(import.meta.dirname, '..')
const ROUNDS = 15

/** Bundles both and imports each in fresh processes, in turn. */
export async function benchBundle(): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hazard-bench-'))
  try {
    const bareSource = join(ROOT, 'bench', 'bare-client.ts')
    const [api, bare] = [join(folder, 'api.mjs'), join(folder, 'bare.mjs')]
    const bytes = await bundle(join(ROOT, 'functions/api.ts'), api)
    await bundle(bareSource, bare, true)
    const apiTimes: number[] = []
    const bareTimes: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      apiTimes.push(importTime(folder, api))
      bareTimes.push(importTime(folder, bare))
    }
    return [
      { name: 'API bundle', measured: bytes / 1024, budget: 650, unit: 'KB' },
      {
        name: 'import of the API bundle ÷ bare SDK client',
        measured: median(apiTimes) / median(bareTimes),
        budget: 1.5,
        unit: '×',
      },
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Milliseconds of an import in a fresh process. */
function importTime(folder: string, file: string): number {
  const script = join(folder, 'time.mjs')
  writeFileSync(
    script,
    'const t = performance.now(); await import(process.argv[2]); console.log(performance.now() - t)\n',
  )
  const env = { ...process.env, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' }
  return Number(spawnSync(process.execPath, [script, file], { encoding: 'utf8', env }).stdout)
}
