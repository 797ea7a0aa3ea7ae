/** How a function becomes one file: ESM with the SDK inside, from the packages' own ES modules, of which only what is used is kept. */

import { build } from 'esbuild'

/** Bundles an entry; gives the bytes of the file. */
export async function bundle(entry: string, outfile: string): Promise<number> {
  const { metafile } = await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    mainFields: ['module', 'main'],
    // Some packages of the SDK are CommonJS and ask for Node's own modules by `require`.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    metafile: true,
    logLevel: 'error',
  })
  return Object.values(metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0)
}
