/** The stacks as templates, made as `npm run synth` makes them but without bundling, so that a test may make many. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { addHazard } from '../../lib/hazard.ts'
import { SETTINGS } from '../../lib/settings.ts'
import { ROOT, type Templates } from './templates.ts'

export interface Synthesis extends Templates {
  /** Findings of the rule packs, as `rule path`. */
  readonly findings: readonly string[]
}

/** Synthesises the deployment; `change` may spoil it first. */
export function synthesise(change: (stacks: ReturnType<typeof addHazard>) => void = () => {}): Synthesis {
  const outdir = mkdtempSync(join(tmpdir(), 'hazard-synth-'))
  try {
    const { context } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8'))
    // Collecting a stack trace for every resource takes most of the time.
    const app = new App({ outdir, treeMetadata: false, context: { ...context, 'aws:cdk:disable-stack-trace': true } })
    const code = Code.fromInline('export const handler = 0')
    change(addHazard(app, SETTINGS, { api: code, projectCommits: code }))
    let failed = false
    try {
      app.synth()
    } catch (fault) {
      if (!String(fault).startsWith('ValidationFailed')) throw fault
      failed = true
    }
    const read = (file: string) => JSON.parse(readFileSync(join(outdir, file), 'utf8'))
    const findings = findingsIn(read('validation-report.json'))
    if (failed !== findings.length > 0) throw new Error('the report does not say what the synthesis did')
    return { data: read('Data.template.json'), service: read('Service.template.json'), findings }
  } finally {
    rmSync(outdir, { recursive: true })
  }
}

interface Report {
  readonly pluginReports: readonly {
    readonly violations: readonly {
      readonly ruleName: string
      readonly violatingConstructs: readonly { readonly constructPath: string }[]
    }[]
  }[]
}

function findingsIn({ pluginReports }: Report): readonly string[] {
  return pluginReports.flatMap(({ violations }) =>
    violations.flatMap(({ ruleName, violatingConstructs }) =>
      violatingConstructs.map(({ constructPath }) => `${ruleName} ${constructPath}`),
    ),
  )
}
