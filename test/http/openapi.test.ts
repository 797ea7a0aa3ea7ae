import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CALLS } from '../../shared/http-contract/calls.ts'
import { openApiDocument } from '../../shared/http-contract/openapi.ts'

const written = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8'))

test('docs/openapi.json is what the schemas say; bin/write-openapi.ts writes it anew', () => {
  expect(written).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
})

test('every call is in it, with its problems and what it asks of whom', () => {
  for (const [name, call] of Object.entries(CALLS)) {
    const operation = written.paths[call.path][call.method.toLowerCase()]
    expect(operation.operationId).toBe(name)
    expect('security' in operation).toBe(call.open)
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining([String(call.status), '400', '500']))
  }
})
