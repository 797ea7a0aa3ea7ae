/** What Hazard costs on AWS, from counted units and one dated list of prices. */

import type { GameCosts } from './game-costs.ts'
import { type Measurement, mean } from './measurement.ts'
import prices from './prices-2026-12.json' with { type: 'json' }

/** Assumptions that are not counted here: memory and duration of a function, and how a client plays. */
export const ASSUMED = {
  functionGb: 0.25,
  secondsPerCall: 0.06,
  /** Looks at game and legal orders around each command. */
  looksPerCommand: 2,
  /** One look every so many seconds by a page that is open and idle. */
  pollSeconds: 15,
  alarms: 10,
} as const

const MILLION = 1_000_000

function writes(units: number): number {
  return (units * prices.dynamodbWriteUnitsPerMillion) / MILLION
}

function reads(units: number): number {
  return (units * prices.dynamodbReadUnitsPerMillion) / MILLION
}

function functionCalls(count: number): number {
  const compute = ASSUMED.functionGb * ASSUMED.secondsPerCall * prices.lambdaArmPerGbSecond
  return count * (prices.lambdaRequestsPerMillion / MILLION + compute)
}

function apiCalls(count: number): number {
  return count * (prices.httpApiRequestsPerMillion / MILLION) + functionCalls(count)
}

/** The price rows of the budget table, in US dollars. */
export function priceMeasurements(games: readonly GameCosts[]): Measurement[] {
  const dynamo = mean(
    games.map(({ writeUnits, readUnits, projectionWriteUnits, projectionReadUnits, commands, lookUnits }) => {
      const sum = (units: readonly number[]) => units.reduce((total, each) => total + each, 0)
      const looks = commands * ASSUMED.looksPerCommand * lookUnits
      return writes(sum(writeUnits) + projectionWriteUnits) + reads(sum(readUnits) + projectionReadUnits + looks)
    }),
  )
  const calls = mean(
    games.map(({ commands, signals }) => apiCalls(commands * (1 + ASSUMED.looksPerCommand)) + functionCalls(signals)),
  )
  const looksPerHour = 3600 / ASSUMED.pollSeconds
  const polling = apiCalls(looksPerHour) + reads(looksPerHour * mean(games.map(({ lookUnits }) => lookUnits)))
  const idle = prices.secretPerMonth + ASSUMED.alarms * prices.alarmPerMonth + functionCalls(30 * 24 * 60) * 0.2
  return [
    { name: 'price of a game, DynamoDB', measured: dynamo, budget: 0.001, unit: '$' },
    { name: 'price of a game, all but mail', measured: dynamo + calls, budget: 0.004, unit: '$' },
    {
      name: `an open page for an hour, one look in ${ASSUMED.pollSeconds} s`,
      measured: polling,
      budget: 0.01,
      unit: '$',
    },
    { name: 'a month in which nobody plays', measured: idle, budget: 1.5, unit: '$' },
  ]
}

export const PRICES_OF = prices.date
