/** `npm run bench`: the budget table with measured values beside the budgets. Exit code 1 if a budget is missed. */

import { benchBundle } from './bundle-size.ts'
import { benchEngine } from './engine-speed.ts'
import { costMeasurements, playCountedGame } from './game-costs.ts'
import { isMet, type Measurement } from './measurement.ts'
import { benchOddsFresh } from './odds-fresh.ts'
import { PRICES_OF, priceMeasurements } from './price.ts'
import { benchServe } from './serve-overhead.ts'

process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true'

const rows: Measurement[] = []

/** Prints a block of rows as soon as it is measured. */
function print(title: string, measurements: readonly Measurement[]): void {
  console.log(`\n${title}`)
  for (const each of measurements) {
    const sign = each.atLeast === true ? '≥' : '≤'
    const values =
      `${show(each.measured)} ${each.unit}`.padStart(16) + `   ${sign} ${show(each.budget)} ${each.unit}`.padEnd(22)
    console.log(`  ${isMet(each) ? 'ok  ' : 'MISS'} ${each.name.padEnd(62)} ${values}`)
  }
  rows.push(...measurements)
}

function show(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en')
  return value < 0.1 ? value.toPrecision(2) : value.toFixed(2)
}

print('Odds, in fresh processes', benchOddsFresh())
const games = [await playCountedGame('one'), await playCountedGame('two'), await playCountedGame('three')]
const commands = games.map((game) => game.commands)
print(`Counts over whole games of four bots (${commands.join(', ')} commands)`, costMeasurements(games))
print(`Prices of ${PRICES_OF}, without free tier`, priceMeasurements(games))
print('Rules', await benchEngine())
print('Cold start', await benchBundle())
print('Serving on this machine', await benchServe())

const missed = rows.filter((row) => !isMet(row))
console.log(`\n${rows.length - missed.length} of ${rows.length} budgets met`)
process.exitCode = missed.length === 0 ? 0 : 1
