/** The commands every game has: opening, joining, leaving, starting. All others are the game's. */

import * as z from 'zod'
import { VISIBILITIES } from './game-state.ts'

/** `options` are the game's own and are parsed by its schema. */
export const openCommand = z.strictObject({
  type: z.literal('open'),
  kind: z.string().max(40),
  options: z.looseObject({}),
  seats: z.int().min(1).max(100),
  visibility: z.enum(VISIBILITIES),
})
export type OpenCommand = z.infer<typeof openCommand>

export const companyCommand = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('join') }),
  z.strictObject({ type: z.literal('leave') }),
  z.strictObject({ type: z.literal('start') }),
])
export type CompanyCommand = z.infer<typeof companyCommand>

export const COMPANY_COMMANDS = ['join', 'leave', 'start'] as const satisfies readonly CompanyCommand['type'][]

/** Whether the type of a command is the platform's own. */
export function isCompanyCommand(command: { readonly type: string }): command is CompanyCommand {
  return (COMPANY_COMMANDS as readonly string[]).includes(command.type)
}
