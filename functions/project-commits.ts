/** Keeps the read models up to the logs, on the signals of the events table's stream. */

import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda'
import { projectGame } from '../shared/application/project.ts'
import type { GameId } from '../shared/event-store/commit.ts'
import { decodeKey } from './adapters/dynamodb/commit-codec.ts'
import { type Dependencies, dependenciesFromEnvironment, once } from './dependencies.ts'
import { faultLine } from './log.ts'

export type ProjectCommits = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>

interface Signal {
  upTo: number
  readonly sequenceNumbers: string[]
}

/** The function that takes a batch of signals. The signals of a game that fails are named as failed; the others stand. */
export function createProjectCommits(dependencies: Pick<Dependencies, 'ports' | 'readModels' | 'log'>): ProjectCommits {
  const { ports, readModels, log } = dependencies
  return async ({ Records }) => {
    const failed: string[] = []
    for (const [game, signal] of signalsIn(Records, log)) {
      try {
        await projectGame({ ...ports, rows: readModels }, game, signal.upTo)
      } catch (fault) {
        log({ level: 'error', message: 'a game could not be projected', game, ...faultLine(fault) })
        failed.push(...signal.sequenceNumbers)
      }
    }
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) }
  }
}

function signalsIn(records: readonly DynamoDBRecord[], log: Dependencies['log']): ReadonlyMap<GameId, Signal> {
  const signals = new Map<GameId, Signal>()
  for (const { eventName, dynamodb } of records) {
    if (eventName !== 'INSERT') log({ level: 'error', message: 'the log was altered', eventName })
    try {
      const { game, n } = decodeKey((dynamodb?.Keys ?? {}) as Record<string, AttributeValue>)
      const signal = signals.get(game) ?? { upTo: 0, sequenceNumbers: [] }
      if (eventName === 'INSERT') signal.upTo = Math.max(signal.upTo, n)
      signal.sequenceNumbers.push(dynamodb?.SequenceNumber ?? '')
      signals.set(game, signal)
    } catch (fault) {
      log({ level: 'error', message: 'a signal names no commit', ...faultLine(fault) })
    }
  }
  return signals
}

const projectCommits = once(async () => createProjectCommits(await dependenciesFromEnvironment(process.env)))

/** The entry on AWS. */
export const handler: ProjectCommits = async (event) => (await projectCommits())(event)
