/** The chronicle of a game, page by page, as a person may know it. */

import type { GameId } from '../event-store/commit.ts'
import { chronicleOf } from './chronicle.ts'
import { isProblem, type Problem } from './outcome.ts'
import type { Person, Ports } from './ports.ts'
import { readGame, readLog } from './read-game.ts'

export interface Chronicle {
  readonly lines: readonly string[]
  /** The number after which the next page begins, or null at the end. */
  readonly next: number | null
}

/** The commits with n > `after` as lines of text. */
export async function readChronicle(
  ports: Ports,
  id: GameId,
  person: Person,
  after: number,
): Promise<Chronicle | Problem> {
  const [log, sight, names] = await Promise.all([
    readLog(ports, id, person, after),
    readGame(ports, id, person),
    ports.members.names(id),
  ])
  if (isProblem(log)) return log
  if (isProblem(sight)) return sight
  const rules = ports.games.version(log.kind, log.rulesVersion)!
  const lines = chronicleOf(rules, sight.game.options, log.commits, {
    bySeat: (seat) => sight.names[seat - 1] ?? `Commander ${seat}`,
    byMember: (member) => names.get(member) ?? null,
  })
  return { lines, next: log.next }
}
