/** Policies that play a seat by what its commander may see: `random` any legal order, `greedy` the best by exact odds. */

import type { Bot } from '../game-rules.ts'
import { chooseGreedily } from './bots/greedy.ts'
import { chooseAtRandom } from './bots/random.ts'
import type { ConquestCommand } from './commands.ts'
import type { ConquestLegal } from './legal.ts'
import type { ConquestMap } from './maps.ts'
import type { ConquestView } from './view.ts'

export type ConquestBot = Bot<ConquestView, ConquestLegal, ConquestCommand>

/** The policies over these maps. */
export function createBots(maps: Readonly<Record<string, ConquestMap>>): Readonly<Record<string, ConquestBot>> {
  return {
    random: { choose: (_view, legal, _seat, pick) => chooseAtRandom(legal, pick) },
    greedy: { choose: (view, legal, seat, pick) => chooseGreedily(maps[view.map]!, view, legal, seat, pick) },
  }
}
