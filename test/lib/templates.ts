/** Templates as data, and what a test asks of them. */

import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

export interface Resource {
  readonly Type: string
  // biome-ignore lint/suspicious/noExplicitAny: templates are looked into and mutated at every depth
  readonly Properties: any
  DeletionPolicy?: string
  UpdateReplacePolicy?: string
}

export interface Template {
  readonly Resources: Record<string, Resource>
  readonly Outputs: Record<string, { readonly Value: unknown }>
}

export interface Templates {
  readonly data: Template
  readonly service: Template
}

/** The resources of a type, by logical id. */
export function resourcesOf(template: Template, type: string): readonly (readonly [id: string, Resource])[] {
  return Object.entries(template.Resources).filter(([, { Type }]) => Type === type)
}

/** The only resource of a type whose logical id begins so. */
export function theOne(template: Template, type: string, prefix = ''): Resource {
  const found = resourcesOf(template, type).filter(([id]) => id.startsWith(prefix))
  if (found.length !== 1) throw new Error(`${found.length} resources ${type} ${prefix}`)
  return found[0]![1]
}

/** What a reference points at, in short: `Data.Events.Arn`. */
export function target(value: unknown): string {
  if (typeof value === 'string') return value
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::ImportValue': imported } = value as Record<string, never>
  if (Ref !== undefined) return nameOf(Ref)
  if (attribute !== undefined) return `${nameOf(attribute[0])}.${attribute[1]}`
  if (imported === undefined) return JSON.stringify(value)
  const [, output] = /:ExportsOutput(?:FnGetAtt|Ref)(.*)$/.exec(imported)!
  return nameOf(output!.replace(/[0-9A-F]{8}$/, ''))
}

/** A logical id without its hash; what follows the hash is an attribute. */
function nameOf(id: string): string {
  return id.replace(/[0-9A-F]{8}(?=$|[A-Z])/, '.').replace(/\.$/, '')
}
