/** Given a position, when an order comes and the dice fall so, it becomes another, tells facts, or the order is refused. */

import { expect } from 'vitest'
import type { ConquestCommand, Order, OrderOf, Placement, Wish } from '../../shared/conquest/commands.ts'
import type { ConquestEvent } from '../../shared/conquest/events.ts'
import type { Refusal } from '../../shared/conquest/refusals.ts'
import { type ConquestState, seatToAct } from '../../shared/conquest/state.ts'
import type { Actor, Chance } from '../../shared/game-rules.ts'
import { board, rules } from './conquest-boards.ts'

/** Says these picks, and nothing beyond them. */
export function scripted(picks: readonly number[]): Chance & { readonly left: number } {
  let next = 0
  return {
    get left() {
      return picks.length - next
    },
    pick(k) {
      const pick = picks[next++]
      if (pick === undefined || pick >= k) throw new Error(`pick ${next} among ${k} is ${pick}`)
      return pick
    },
  }
}

/** Dice as picks. */
export const dice = (...faces: readonly number[]): readonly number[] => faces.map((face) => face - 1)

export function given(from: string | ConquestState) {
  const before = typeof from === 'string' ? board(from) : from
  return {
    when(command: ConquestCommand, picks: readonly number[] = [], by: Actor = seatToAct(before) ?? 1) {
      const chance = scripted(picks)
      const decision = rules.decide(before, command, by, chance)
      const events: readonly ConquestEvent[] = 'events' in decision ? decision.events : []
      const after = events.reduce((state, event) => rules.evolve(state, event, 0), before)
      return {
        after,
        events,
        becomes(line: string) {
          expect('refusal' in decision ? decision.refusal : '').toBe('')
          expect(rules.position(after)).toBe(rules.position(board(line)))
          expect(chance.left).toBe(0)
          return this
        },
        tells(...types: readonly ConquestEvent['type'][]) {
          expect(events.map(({ type }) => type)).toEqual(types)
          return this
        },
        refused(refusal: Refusal) {
          expect(decision).toEqual({ refusal })
        },
      }
    },
  }
}

export const claim = (territory: string): Order => ({ type: 'claim', territory })
/** By territory, or as a list where one is named twice. */
export const deploy = (armies: Readonly<Record<string, number>> | readonly (readonly [string, number])[]): Order => ({
  type: 'deploy',
  placements: (Symbol.iterator in armies ? [...armies] : Object.entries(armies)).map(
    ([territory, count]): Placement => ({ territory, armies: count }),
  ),
})
export const trade = (a: string, b: string, c: string): Order => ({ type: 'trade', cards: [a, b, c] })
export const attack = (origin: string, target: string, count: number, wish?: Wish): Order => ({
  type: 'attack',
  origin,
  target,
  dice: count,
  ...(wish === undefined ? {} : { occupy: wish }),
})
export const assault = (
  origin: string,
  target: string,
  limits: Partial<Pick<OrderOf<'assault'>, 'stopAt' | 'maxRolls' | 'occupy'>> = {},
): Order => ({ type: 'assault', origin, target, ...limits })
export const occupy = (armies: number): Order => ({ type: 'occupy', armies })
export const fortify = (origin: string, destination: string, armies: number): Order => ({
  type: 'fortify',
  origin,
  destination,
  armies,
})
export const endTurn: Order = { type: 'endTurn' }
export const resign: Order = { type: 'resign' }
export const expire = (task: string): ConquestCommand => ({ type: 'expire', task })
