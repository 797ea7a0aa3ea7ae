/** The CDK app: bundles the functions, then describes the stacks. `npm run synth`, `npm run deploy`. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { addHazard } from '../lib/hazard.ts'
import { exampleSettings, SETTINGS } from '../lib/settings.ts'
import { bundle } from './bundle.ts'

const ROOT = join(import.meta.dirname, '..')
const bundles = mkdtempSync(join(tmpdir(), 'hazard-bundles-'))
process.on('exit', () => rmSync(bundles, { recursive: true, force: true }))

async function codeOf(entry: string): Promise<Code> {
  await bundle(join(ROOT, 'functions', `${entry}.ts`), join(bundles, entry, 'index.mjs'))
  return Code.fromAsset(join(bundles, entry))
}

const app = new App()
const examples = exampleSettings(SETTINGS)
if (app.node.tryGetContext('deploying') !== undefined && examples.length > 0) {
  console.error(`lib/settings.ts still holds examples: put in addresses of your own for ${examples.join(', ')}`)
  process.exit(2)
}
addHazard(app, SETTINGS, { api: await codeOf('api'), projectCommits: await codeOf('project-commits') })
app.synth()
