/** The walls between the folders: the linter must stop whoever breaks one, and no game's word may cross into the platform. */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const elsewhere = mkdtempSync(join(tmpdir(), 'hazard-walls-'))
const { vcs: _, ...config } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'))
writeFileSync(join(elsewhere, 'biome.json'), JSON.stringify(config))
afterAll(() => rmSync(elsewhere, { recursive: true }))

/** What the project's linter says of a file with this text in this folder (of a copy, not of the tree); empty if nothing. */
function lint(folder: string, text: string): string {
  const file = join(elsewhere, folder, 'planted.ts')
  mkdirSync(join(elsewhere, folder), { recursive: true })
  writeFileSync(file, text)
  const command = [join(ROOT, 'node_modules/@biomejs/biome/bin/biome'), 'lint', file]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: elsewhere, encoding: 'utf8' })
  return status === 0 ? '' : `${stdout}${stderr}`
}

describe('imports that break a wall are lint errors', () => {
  test.each([
    ['shared/application', 'node:fs'],
    ['shared/application', '@aws-sdk/client-dynamodb'],
    ['shared/application', '../conquest/state.ts'],
    ['shared/application', '../games.ts'],
    ['shared/event-store', '../conquest/state.ts'],
    ['shared/conquest', '../application/decide.ts'],
    ['shared/conquest', '../event-store/commit.ts'],
    ['shared/conquest', '../../functions/api.ts'],
    ['shared/conquest', 'node:crypto'],
    ['functions/http', '../../local/serve.ts'],
    ['functions/http', '../../shared/conquest/state.ts'],
    ['functions/http', 'aws-cdk-lib'],
    ['local', '../shared/conquest/state.ts'],
    ['lib', '../functions/api.ts'],
    ['lib', '@aws-sdk/client-dynamodb'],
  ])('%s may not import %s', (folder, imported) => {
    const said = lint(folder, `import * as planted from '${imported}'\nexport { planted }\n`)
    expect(said).toContain('noRestrictedImports')
  })

  test.each([
    ['shared/application', '../game-rules.ts'],
    ['shared/conquest', '../game-rules.ts'],
    ['functions/http', '../../shared/application/decide.ts'],
  ])('%s may import %s', (folder, imported) => {
    expect(lint(folder, `export * from '${imported}'\n`)).toBe('')
  })
})

function sources(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return []
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file))
}

const GAME_WORDS = /territor|bastion|caster|setter|\bnick|shilling/i

test.each(['shared/application', 'shared/event-store', 'shared/fair-dice', 'shared/http-contract', 'functions', 'lib'])(
  '%s uses no word of a game',
  (folder) => {
    const offenders = sources(folder).filter((file) => GAME_WORDS.test(readFileSync(join(ROOT, file), 'utf8')))
    expect(offenders).toEqual([])
  },
)
