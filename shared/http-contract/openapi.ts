/** The OpenAPI 3.1 description of the HTTP API, made from the schemas. */

import * as z from 'zod'
import { CALLS, type Call, type CallName } from './calls.ts'
import { PROBLEMS, type ProblemWord } from './problems.ts'
import { gameParams } from './requests.ts'
import { problemResponse, RESPONSES } from './responses.ts'

type Schema = Record<string, unknown>

const PROBLEM = { $ref: '#/components/schemas/Problem' }

/** The whole description. */
export function openApiDocument(): Schema {
  const paths: Record<string, Schema> = {}
  for (const [name, call] of Object.entries(CALLS) as [CallName, Call][]) {
    paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: operationOf(name, call) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Hazard', version: '1', license: { name: 'MIT', identifier: 'MIT' } },
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Problem: schemaOf(problemResponse, 'output') },
      responses: problemResponses(),
    },
  }
}

function operationOf(name: CallName, call: Call): Schema {
  const parameters = [...parametersOf(call.params, 'path'), ...parametersOf(call.query, 'query')]
  const body = call.body && {
    requestBody: { required: true, content: { 'application/json': { schema: schemaOf(call.body, 'input') } } },
  }
  return {
    operationId: name,
    summary: call.summary,
    ...(call.open ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...body,
    responses: { [call.status]: successOf(name, call), ...problemsOf(call) },
  }
}

function parametersOf(schema: z.ZodType, place: 'path' | 'query'): readonly Schema[] {
  const { properties, required } = schemaOf(schema, 'input') as {
    properties?: Record<string, Schema>
    required?: readonly string[]
  }
  if (properties === undefined)
    return [{ name: 'query', in: place, style: 'form', explode: true, schema: schemaOf(schema, 'input') }]
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: place,
    required: required?.includes(name) ?? false,
    schema: each,
  }))
}

function successOf(name: CallName, call: Call): Schema {
  const others = call.alsoAs.map((type) => [type, { schema: { type: 'string' } }])
  return {
    description: 'Done',
    content: { 'application/json': { schema: schemaOf(RESPONSES[name], 'output') }, ...Object.fromEntries(others) },
  }
}

/** By status: the problems a call may be answered with, as one response that other calls share. */
function problemsOf(call: Call): Schema {
  return Object.fromEntries(
    groupsOf(call).map(([status, words]) => [status, { $ref: `#/components/responses/${nameOf(words)}` }]),
  )
}

function groupsOf(call: Call): readonly (readonly [number, readonly ProblemWord[]])[] {
  const words: ProblemWord[] = ['malformed', ...call.problems, 'internal']
  if (call.params === gameParams) words.push('damaged-log')
  if (!call.open) words.push('unauthorised', 'unavailable')
  if (call.body !== null) words.push('too-large', 'unsupported-media-type')
  const statuses = [...new Set(words.map((word) => PROBLEMS[word].status))].sort()
  return statuses.map((status) => [status, words.filter((word) => PROBLEMS[word].status === status)])
}

function nameOf(words: readonly ProblemWord[]): string {
  return words.join('_or_')
}

function problemResponses(): Schema {
  const groups = Object.values(CALLS).flatMap((call) => groupsOf(call).map(([, words]) => words))
  return Object.fromEntries(
    groups.map((words) => {
      const description = words.map((word) => `${PROBLEMS[word].title} (/problems/${word})`).join('; ')
      return [nameOf(words), { description, content: { 'application/problem+json': { schema: PROBLEM } } }]
    }),
  )
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return json
}
