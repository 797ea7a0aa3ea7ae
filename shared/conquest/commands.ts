/** The orders of Conquest. The schemas check shape and types; whether an order is legal is for `decide` alone. */

import * as z from 'zod'

function orders() {
  const territory = z.string().min(1).max(64)
  /** A territory's id for its card, `wild-1` or `wild-2`. */
  const card = z.string().min(1).max(64)
  const number = z.int().min(1).max(1_000_000)
  /** How many move in if the target falls (R16). */
  const wish = z.union([number, z.enum(['least', 'most'])])

  const placement = z.strictObject({ territory, armies: number })

  return z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('claim'), territory }),
    z.strictObject({ type: z.literal('deploy'), placements: z.array(placement).max(256) }),
    z.strictObject({ type: z.literal('trade'), cards: z.tuple([card, card, card]) }),
    z.strictObject({
      type: z.literal('attack'),
      origin: territory,
      target: territory,
      dice: number,
      occupy: wish.optional(),
    }),
    z.strictObject({
      type: z.literal('assault'),
      origin: territory,
      target: territory,
      stopAt: number.optional(),
      maxRolls: number.optional(),
      occupy: wish.optional(),
    }),
    z.strictObject({ type: z.literal('occupy'), armies: number }),
    z.strictObject({ type: z.literal('fortify'), origin: territory, destination: territory, armies: number }),
    z.strictObject({ type: z.literal('endTurn') }),
    z.strictObject({ type: z.literal('resign') }),
  ])
}

/** Made when first asked for, as are the other schemas of the game: making them is most of what starting a function takes. */
export const orderSchema = z.lazy(orders)

/** The server's own: the deadline of a task has passed (R25). */
export const serverOrderSchema = z.strictObject({ type: z.literal('expire'), task: z.string().min(1).max(64) })

/** What a seat may send. */
export type Order = z.infer<typeof orderSchema>
export type OrderOf<T extends Order['type']> = Extract<Order, { type: T }>
export type ServerOrder = z.infer<typeof serverOrderSchema>
export type ConquestCommand = Order | ServerOrder
export type Wish = NonNullable<OrderOf<'attack'>['occupy']>
export type Placement = OrderOf<'deploy'>['placements'][number]
