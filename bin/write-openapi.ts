/** Writes docs/openapi.json from the schemas of the HTTP contract. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '../shared/http-contract/openapi.ts'

const file = join(import.meta.dirname, '../docs/openapi.json')
writeFileSync(file, `${JSON.stringify(openApiDocument(), null, 2)}\n`)
console.error(`wrote ${file}`)
