/** What wakes a person. Every alarm names the section of docs/runbook.md that says what to do. */

import { Duration, Stack, Validations } from 'aws-cdk-lib'
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { Alarm, ComparisonOperator, type IMetric, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { GameFunction } from './game-function.ts'

export interface Watched {
  readonly alarmsTo: string
  readonly api: GameFunction
  readonly projector: GameFunction
  readonly givenUp: Queue
  readonly http: HttpApi
}

interface Watch {
  readonly metric: IMetric
  /** The alarm goes off above this. */
  readonly above: number
  /** For so many periods of the metric in a row; default 1. */
  readonly periods?: number
  readonly says: string
  readonly section: string
}

const NAMESPACE = 'Hazard'

export function addAlarms(stack: Stack, { alarmsTo, api, projector, givenUp, http }: Watched): void {
  const topic = alarmTopic(stack, alarmsTo)
  const watches: Readonly<Record<string, Watch>> = {
    LogAltered: {
      metric: linesWith(stack, 'LogAltered', '"the log was altered"', [projector]),
      above: 0,
      says: 'A commit in the events table was changed or removed.',
      section: 'The log was altered',
    },
    DamagedLog: {
      metric: linesWith(stack, 'DamagedLog', '?DamagedLog ?DamagedCommit ?MalformedKeyRing', [api, projector]),
      above: 0,
      says: 'A game was refused because its log or its key does not hold.',
      section: 'A damaged game',
    },
    ProjectorBehind: {
      metric: projector.lambda.metric('IteratorAge', { statistic: Stats.MAXIMUM, period: Duration.minutes(5) }),
      above: 5 * 60 * 1000,
      says: 'Read models are more than five minutes behind the log.',
      section: 'Read models are behind',
    },
    SignalsGivenUp: {
      metric: givenUp.metricApproximateNumberOfMessagesVisible({
        statistic: Stats.MAXIMUM,
        period: Duration.minutes(5),
      }),
      above: 0,
      says: 'Signals were given up: some read models may lack their newest commits.',
      section: 'Signals were given up',
    },
    ApiFails: {
      metric: api.lambda.metricErrors({ period: Duration.minutes(5) }),
      above: 0,
      says: 'The function behind the API failed or ran out of time.',
      section: 'A function fails',
    },
    ProjectorFails: {
      metric: projector.lambda.metricErrors({ period: Duration.minutes(5) }),
      above: 0,
      periods: 2,
      says: 'The projector failed or ran out of time, twice in a row.',
      section: 'A function fails',
    },
    ServerErrors: {
      metric: http.metricServerError({ statistic: Stats.SUM, period: Duration.minutes(5) }),
      above: 5,
      says: 'The API answered more than five calls within five minutes with 5xx.',
      section: 'The API answers 5xx',
    },
  }
  for (const [name, { metric, above, periods = 1, says, section }] of Object.entries(watches)) {
    new Alarm(stack, `${name}Alarm`, {
      alarmDescription: `${says} See “${section}” in docs/runbook.md.`,
      metric,
      threshold: above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: periods,
      // No figures: nobody plays, or nothing went wrong.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    }).addAlarmAction(new SnsAction(topic))
  }
}

/** How many lines of these functions' logs match, as a metric. */
function linesWith(stack: Stack, metricName: string, pattern: string, functions: readonly GameFunction[]): Metric {
  for (const each of functions) {
    new MetricFilter(stack, `${metricName}In${each.node.id}`, {
      logGroup: each.logs,
      // Terms, not fields: the runtime puts a prefix before each line of JSON.
      filterPattern: FilterPattern.literal(pattern),
      metricNamespace: `${NAMESPACE}/${stack.stackName}`,
      metricName,
      metricValue: '1',
    })
  }
  const namespace = `${NAMESPACE}/${stack.stackName}`
  return new Metric({ namespace, metricName, statistic: Stats.SUM, period: Duration.minutes(1) })
}

function alarmTopic(stack: Stack, alarmsTo: string): Topic {
  const topic = new Topic(stack, 'Alarms', { enforceSSL: true })
  // The policy that demands encryption takes the place of the one a topic has by itself, so the alarms must be let in by name.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(stack).account } },
    }),
  )
  const subscription = topic.addSubscription(new EmailSubscription(alarmsTo))
  Validations.of(subscription).acknowledge({
    id: 'Serverless-SNSRedrivePolicy',
    reason: 'Mail to a person: what could not be delivered can be read in the console, where the alarm stays on.',
  })
  return topic
}
