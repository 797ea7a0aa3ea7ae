/** `npm run soak`: the long counts, of which the tests run seeded samples. */

import { soakGames } from './soak-games.ts'

process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true'

const GAMES = 10_000

const started = performance.now()
const games = soakGames(GAMES, (done) => {
  if (done % 500 === 0) console.error(`${done} of ${GAMES} games, ${seconds()} s`)
})
console.log(`games: ${JSON.stringify(games)} in ${seconds()} s; no order refused, no promise broken`)

function seconds(): number {
  return Math.round((performance.now() - started) / 1000)
}
