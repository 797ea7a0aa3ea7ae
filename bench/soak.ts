/** `npm run soak`: the long counts, of which the tests run seeded samples. Ends with exit code 1 at the first fault. */

import { soakChance } from '../test/support/chance-statistics.ts'
import { soakMutations } from '../test/support/log-mutations.ts'
import { soakGames } from './soak-games.ts'

const GAMES = 10_000
const MUTATIONS = 4_000
const CHANCE_GAMES = 2_000

const started = performance.now()

function seconds(): string {
  return `${Math.round((performance.now() - started) / 1000)} s`
}

console.error(`chance of ${CHANCE_GAMES} games …`)
for (const { what, picks, score } of soakChance(CHANCE_GAMES))
  console.log(`chance: ${what}, ${picks} picks, ${score.toFixed(2)} standard deviations from expectation`)

const games = soakGames(GAMES, (done) => {
  if (done % 1000 === 0) console.error(`${done} of ${GAMES} games, ${seconds()}`)
})
console.log(`games: ${JSON.stringify(games)}; no order refused, no promise broken (${seconds()})`)

let mutated = 0
for (let part = 0; mutated < MUTATIONS; part++) {
  mutated += Object.values(soakMutations(400, `soak ${part}`)).reduce((sum, made) => sum + made, 0)
  console.error(`${mutated} of ${MUTATIONS} changed logs, ${seconds()}`)
}
console.log(`audit: ${mutated} changed logs, each found (${seconds()})`)
