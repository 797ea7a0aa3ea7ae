/** The games by name: the only place that knows which there are. */

import type { Games } from './application/ports.ts'
import { conquest } from './conquest/conquest.ts'
import type { GameRules } from './game-rules.ts'

/** A look-up over rule books; where a kind has several versions, the newest comes first. */
export function gamesOf(ruleBooks: readonly GameRules[]): Games {
  return {
    newest: (kind) => ruleBooks.find((rules) => rules.kind === kind) ?? null,
    version: (kind, rulesVersion) =>
      ruleBooks.find((rules) => rules.kind === kind && rules.rulesVersion === rulesVersion) ?? null,
    map: (id) => ruleBooks.find((rules) => rules.maps && Object.hasOwn(rules.maps, id))?.maps?.[id]?.() ?? null,
  }
}

/** Every rule book this code has. */
export const games: Games = gamesOf([conquest])
