/** The games a warm container has at hand, so that it reads only what is newer; least recently used go first. */

import type { GameId } from '../event-store/commit.ts'
import type { LoadedGame } from './loaded-game.ts'

export interface WarmGames {
  get(id: GameId): LoadedGame | undefined
  keep(game: LoadedGame): void
}

/** Keeps at most `most` games. What is kept is never believed without the log: its head is read again each time. */
export function createWarmGames(most: number): WarmGames {
  const games = new Map<GameId, LoadedGame>()
  return {
    get: (id) => games.get(id),
    keep(game) {
      games.delete(game.id)
      games.set(game.id, game)
      if (games.size > most) games.delete(games.keys().next().value!)
    },
  }
}
