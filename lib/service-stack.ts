/** What serves the games and may be replaced by every release: the HTTP API, the functions, the stream's mapping, the alarms. */

import { CfnOutput, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import {
  HttpApi,
  HttpMethod,
  HttpNoneAuthorizer,
  HttpStage,
  type IHttpRouteAuthorizer,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { type Code, EventSourceMapping, StartingPosition } from 'aws-cdk-lib/aws-lambda'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { CALLS, type Call } from '../shared/http-contract/calls.ts'
import { addAlarms } from './alarms.ts'
import type { DataStack } from './data-stack.ts'
import { GameFunction } from './game-function.ts'
import type { Settings } from './settings.ts'

/** The bundles of the functions. */
export interface FunctionCode {
  readonly api: Code
  readonly projectCommits: Code
}

export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, settings: Settings, data: DataStack, code: FunctionCode) {
    super(scope, id, {
      stackName: `hazard-${settings.stage}-service`,
      description: 'Hazard: the HTTP API and what keeps the read models up to the log',
      env: { region: settings.region },
    })
    const api = apiFunction(this, settings, data, code.api)
    const projector = projectorFunction(this, settings, data, code.projectCommits)
    const givenUp = signals(this, data, projector)
    const http = httpApi(this, settings, data, api)
    addAlarms(this, { alarmsTo: settings.alarmsTo, api, projector, givenUp, http })

    new CfnOutput(this, 'ApiUrl', { value: `${http.apiEndpoint}/api`, description: 'The HTTP API' })
    new CfnOutput(this, 'OpenApiUrl', { value: `${http.apiEndpoint}/api/openapi.json`, description: 'Its description' })
    new CfnOutput(this, 'GivenUpSignalsQueue', { value: givenUp.queueUrl })
  }
}

function environment({ masterKeysRevision }: Settings, { events, readModels, masterKeys }: DataStack) {
  return {
    EVENTS_TABLE: events.tableName,
    READ_MODELS_TABLE: readModels.tableName,
    // The secret's name, never its value: an environment is shown to everybody who may look at the function.
    MASTER_KEYS_SECRET: masterKeys.secretArn,
    // Read by no one: a new number makes new containers, which read the ring anew.
    MASTER_KEYS_REVISION: String(masterKeysRevision),
  }
}

function apiFunction(stack: Stack, settings: Settings, data: DataStack, code: Code): GameFunction {
  const api = new GameFunction(stack, 'Api', {
    description: 'Answers the HTTP API',
    code,
    // A share of the processor comes with memory: replaying a log and exact odds want one.
    memoryMb: 1024,
    // Three attempts at each of a few database calls; API Gateway itself gives up after 30 s.
    timeoutSeconds: 20,
    environment: environment(settings, data),
  })
  // Reading a log, and adding to it. No update and no delete: what is written stays written.
  api.allow(data.events.tableArn, 'dynamodb:Query', 'dynamodb:PutItem')
  // Profiles, members, lists, allowances. Rows are struck out by the projector alone.
  api.allow(
    data.readModels.tableArn,
    'dynamodb:GetItem',
    'dynamodb:BatchGetItem',
    'dynamodb:Query',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
  )
  api.allow(data.masterKeys.secretArn, 'secretsmanager:GetSecretValue')
  return api
}

function projectorFunction(stack: Stack, settings: Settings, data: DataStack, code: Code): GameFunction {
  const projector = new GameFunction(stack, 'ProjectCommits', {
    description: 'Keeps the read models up to the log',
    code,
    memoryMb: 512,
    // A batch of 25 games, each with a few database calls of at most 4.5 s.
    timeoutSeconds: 120,
    environment: environment(settings, data),
  })
  // PutItem: a full game whose start was lost is started here.
  projector.allow(data.events.tableArn, 'dynamodb:Query', 'dynamodb:PutItem')
  projector.allow(data.readModels.tableArn, 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem')
  projector.allow(data.masterKeys.secretArn, 'secretsmanager:GetSecretValue')
  return projector
}

/** From the stream to the projector. Gives the queue that names the signals given up. */
function signals(stack: Stack, data: DataStack, projector: GameFunction): Queue {
  const stream = data.events.tableStreamArn!
  const givenUp = new Queue(stack, 'GivenUpSignals', {
    // The longest there is: somebody must have come back from holidays.
    retentionPeriod: Duration.days(14),
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    removalPolicy: RemovalPolicy.DESTROY,
  })
  const itself = 'It is where failed signals end, and people are the only ones who read it.'
  Validations.of(givenUp).acknowledge(
    { id: 'AwsSolutions-SQS3', reason: itself },
    { id: 'Serverless-SQSRedrivePolicy', reason: itself },
  )
  projector.allow(givenUp.queueArn, 'sqs:SendMessage')
  projector.allow(
    stream,
    'dynamodb:DescribeStream',
    'dynamodb:GetRecords',
    'dynamodb:GetShardIterator',
    'dynamodb:ListStreams',
  )
  new EventSourceMapping(stack, 'Signals', {
    target: projector.lambda,
    eventSourceArn: stream,
    // A mapping made anew must not skip what was written before it was there; a signal that comes twice does no harm.
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 25,
    // Signals of a game keep their order; a game that fails holds up its own lane only.
    parallelizationFactor: 4,
    bisectBatchOnError: true,
    reportBatchItemFailures: true,
    // Finite, for the shard waits meanwhile; long enough for a disturbance of the database to pass.
    retryAttempts: 50,
    maxRecordAge: Duration.hours(1),
    onFailure: { bind: () => ({ destination: givenUp.queueArn }) },
    filters: [
      // Commits that change who is awaited, the seats or the end: the others change no row.
      { pattern: JSON.stringify({ eventName: ['INSERT'], dynamodb: { NewImage: { w: { N: ['1'] } } } }) },
      // Nothing of ours changes or removes a commit: whoever does must be noticed, marker or not.
      { pattern: JSON.stringify({ eventName: ['MODIFY', 'REMOVE'] }) },
    ],
  })
  return givenUp
}

function httpApi(stack: Stack, settings: Settings, data: DataStack, api: GameFunction): HttpApi {
  const http = new HttpApi(stack, 'Http', { description: 'Hazard', createDefaultStage: false })
  const accessLog = new LogGroup(stack, 'AccessLog', {
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  })
  const stage = new HttpStage(stack, 'HttpStage', {
    httpApi: http,
    stageName: '$default',
    autoDeploy: true,
    throttle: { rateLimit: settings.throttle.steady, burstLimit: settings.throttle.burst },
    accessLogSettings: { destination: new LogGroupLogDestination(accessLog), format: accessLogFormat() },
  })
  Validations.of(stage).acknowledge({
    id: 'Serverless-APIGWXrayEnabled',
    reason: 'An HTTP API has no tracing.',
  })
  // One permission for all routes of this API: one for each would outgrow the function's policy.
  const integration = new HttpLambdaIntegration('ApiIntegration', api.lambda, { scopePermissionToRoute: false })
  const signedIn = new HttpJwtAuthorizer('SignedIn', data.userPool.userPoolProviderUrl, {
    jwtAudience: [data.client.userPoolClientId],
  })
  const route = (path: string, methods: HttpMethod[], authorizer: IHttpRouteAuthorizer) =>
    http.addRoutes({ path, methods, integration, authorizer })

  for (const call of Object.values(CALLS) as readonly Call[]) {
    const method = HttpMethod[call.method]
    if (!call.open) {
      route(call.path, [method], signedIn)
      continue
    }
    // API Gateway does not answer HEAD from GET by itself, and the route below would ask for a token.
    const methods = method === HttpMethod.GET ? [HttpMethod.GET, HttpMethod.HEAD] : [method]
    for (const open of route(call.path, methods, new HttpNoneAuthorizer())) {
      Validations.of(open).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason: `${call.summary}: open to all by the contract, and without anything of a game or a person.`,
      })
    }
  }
  // All else under /api is told by the function what is wrong with it: the same answers as on one machine.
  route('/api/{proxy+}', [HttpMethod.ANY], signedIn)
  return http
}

/** Route, not path: a path may hold an invitation code. No address and no subject: who played when is nobody's business. */
function accessLogFormat(): AccessLogFormat {
  return AccessLogFormat.custom(
    JSON.stringify({
      at: '$context.requestTimeEpoch',
      requestId: '$context.requestId',
      route: '$context.routeKey',
      status: '$context.status',
      ms: '$context.responseLatency',
      bytes: '$context.responseLength',
      refused: '$context.authorizer.error',
      fault: '$context.integrationErrorMessage',
    }),
  )
}
