/** Which dice the next commit of a game has. */

import { chanceKey, chanceOf } from '../fair-dice/chance.ts'
import type { Chance } from '../game-rules.ts'
import type { LoadedGame } from './loaded-game.ts'

/** Founded on the commit before the start, which is this very head if the game starts now. */
export function chanceAfter(game: Pick<LoadedGame, 'secret' | 'state' | 'head'>): Chance {
  const { state } = game
  const foundation = state.phase === 'running' || state.phase === 'over' ? state.startedFrom : game.head.hash
  return chanceOf(chanceKey(game.secret, foundation), game.head.n + 1)
}
