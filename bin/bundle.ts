/** How a function becomes one file: ESM with the SDK inside, from the packages' own ES modules, of which only what is used is kept. */

import { join } from 'node:path'
import { build } from 'esbuild'

const CREDENTIALS = join(import.meta.dirname, '../functions/adapters/lambda-credentials.ts')

/** Bundles an entry; gives the bytes of the file. `untouched`: with all of the SDK's own providers of credentials. */
export async function bundle(entry: string, outfile: string, untouched = false): Promise<number> {
  const { metafile } = await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    mainFields: ['module', 'main'],
    ...(untouched ? {} : { alias: { '@aws-sdk/credential-provider-node': CREDENTIALS } }),
    // Some packages of the SDK are CommonJS and ask for Node's own modules by `require`.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    metafile: true,
    logLevel: 'error',
  })
  return Object.values(metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0)
}
