/** The templates: none of the faults that would hurt is in them, and each is found where it is planted. */

import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { Duration } from 'aws-cdk-lib'
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { describe, expect, test } from 'vitest'
import { createDynamoReadModels } from '../../functions/adapters/dynamodb/read-models.ts'
import { createTableIfMissing, READ_MODELS_TABLE } from '../../functions/adapters/dynamodb/tables.ts'
import { createProjectCommits } from '../../functions/project-commits.ts'
import { exampleSettings, SETTINGS } from '../../lib/settings.ts'
import { API_ROUTES, matchRoute } from '../../local/api-event.ts'
import { parseKeyRing } from '../../shared/fair-dice/key-ring.ts'
import { CALLS, type Call } from '../../shared/http-contract/calls.ts'
import { startLoopbackDynamo } from '../support/loopback-dynamodb.ts'
import { CHECKS, routesOf } from './faults.ts'
import { synthesise } from './stacks.ts'
import { resourcesOf, type Templates, theOne } from './templates.ts'

const made = synthesise()

type CheckName = keyof typeof CHECKS

test.each(Object.entries(CHECKS))('nothing is wrong with %s', (_, check) => {
  expect(check(made)).toEqual([])
})

const copy = (): Templates => structuredClone({ data: made.data, service: made.service })
const grantTo = ({ service }: Templates, name: string, statement: object) =>
  theOne(service, 'AWS::IAM::Policy', `${name}RoleDefaultPolicy`).Properties.PolicyDocument.Statement.push(statement)
const table = ({ data }: Templates, name: string) => theOne(data, 'AWS::DynamoDB::Table', name)
const mapping = ({ service }: Templates) => theOne(service, 'AWS::Lambda::EventSourceMapping').Properties
const ours = ({ service }: Templates, type: string) => theOne(service, `AWS::${type}`).Properties
const first = ({ service }: Templates, type: string) => resourcesOf(service, `AWS::${type}`)[0]![1]

describe('a planted fault is found', () => {
  const planted: readonly (readonly [CheckName, string, (templates: Templates) => void])[] = [
    ['grants', 'an update of the log', (each) => grantTo(each, 'Api', allow('dynamodb:UpdateItem', each, 'Events'))],
    [
      'grants',
      'a deletion by the API',
      (each) => grantTo(each, 'Api', allow('dynamodb:DeleteItem', each, 'ReadModels')),
    ],
    [
      'grants',
      'a scan by the projector',
      (each) => grantTo(each, 'ProjectCommits', allow('dynamodb:Scan', each, 'Events')),
    ],
    [
      'grants',
      'a grant taken away',
      (each) => theOne(each.service, 'AWS::IAM::Policy', 'ApiRole').Properties.PolicyDocument.Statement.pop(),
    ],
    [
      'grants',
      'a managed policy',
      (each) => {
        first(each, 'IAM::Role').Properties.ManagedPolicyArns = ['arn:aws:iam::aws:policy/AdministratorAccess']
      },
    ],
    [
      'grants',
      'another caller of the function',
      (each) => {
        first(each, 'Lambda::Permission').Properties.Principal = '*'
      },
    ],
    [
      'wildcards',
      'any table',
      (each) => grantTo(each, 'Api', { Effect: 'Allow', Action: 'dynamodb:Query', Resource: '*' }),
    ],
    [
      'wildcards',
      'any publisher of alarms',
      (each) => {
        ours(each, 'SNS::TopicPolicy').PolicyDocument.Statement[1].Principal = '*'
      },
    ],
    ['tables', 'another sort key', (each) => table(each, 'Events').Properties.KeySchema.pop()],
    ['tables', 'provisioned capacity', (each) => delete table(each, 'ReadModels').Properties.BillingMode],
    [
      'keeping',
      'a table that goes with its stack',
      (each) => {
        table(each, 'Events').DeletionPolicy = 'Delete'
      },
    ],
    [
      'keeping',
      'a table without recovery',
      (each) => delete table(each, 'ReadModels').Properties.PointInTimeRecoverySpecification,
    ],
    [
      'keeping',
      'a table that can be deleted',
      (each) => {
        table(each, 'Events').Properties.DeletionProtectionEnabled = false
      },
    ],
    [
      'keeping',
      'a log that may be changed',
      (each) => table(each, 'Events').Properties.ResourcePolicy.PolicyDocument.Statement[0].Action.shift(),
    ],
    [
      'keeping',
      'keys generated anew',
      (each) => {
        theOne(each.data, 'AWS::SecretsManager::Secret').Properties.GenerateSecretString.PasswordLength = 65
      },
    ],
    ['stream', 'no stream', (each) => delete table(each, 'Events').Properties.StreamSpecification],
    [
      'stream',
      'signals from now on only',
      (each) => {
        mapping(each).StartingPosition = 'LATEST'
      },
    ],
    ['stream', 'no bisection', (each) => delete mapping(each).BisectBatchOnFunctionError],
    ['stream', 'endless retries', (each) => delete mapping(each).MaximumRetryAttempts],
    ['stream', 'whole batches failing', (each) => delete mapping(each).FunctionResponseTypes],
    ['stream', 'no failure destination', (each) => delete mapping(each).DestinationConfig],
    ['stream', 'tampering filtered out', (each) => mapping(each).FilterCriteria.Filters.pop()],
    ['queues', 'dead letters forgotten early', (each) => delete ours(each, 'SQS::Queue').MessageRetentionPeriod],
    [
      'functions',
      'another runtime',
      (each) => Object.assign(first(each, 'Lambda::Function').Properties, { Runtime: 'nodejs20.x' }),
    ],
    [
      'functions',
      'the keys in the environment',
      (each) => {
        first(each, 'Lambda::Function').Properties.Environment.Variables.MASTER_KEYS_SECRET =
          '{{resolve:secretsmanager:x}}'
      },
    ],
    ['functions', 'a log kept for ever', (each) => delete first(each, 'Logs::LogGroup').Properties.RetentionInDays],
    [
      'routes',
      'a closed route opened',
      (each) => {
        first(each, 'ApiGatewayV2::Route').Properties.AuthorizationType = 'NONE'
      },
    ],
    ['routes', 'no throttling', (each) => delete ours(each, 'ApiGatewayV2::Stage').DefaultRouteSettings],
    [
      'routes',
      'paths in the access log',
      (each) => {
        ours(each, 'ApiGatewayV2::Stage').AccessLogSettings.Format += '$context.path'
      },
    ],
    [
      'signIn',
      'a way in by password',
      ({ data }) =>
        theOne(data, 'AWS::Cognito::UserPoolClient').Properties.ExplicitAuthFlows.push('ALLOW_USER_PASSWORD_AUTH'),
    ],
    [
      'alarms',
      'an alarm without a section',
      (each) => {
        first(each, 'CloudWatch::Alarm').Properties.AlarmDescription = 'Something is wrong.'
      },
    ],
    ['alarms', 'an alarm that wakes nobody', (each) => delete first(each, 'CloudWatch::Alarm').Properties.AlarmActions],
    [
      'alarms',
      'alarms shut out of their topic',
      (each) => ours(each, 'SNS::TopicPolicy').PolicyDocument.Statement.pop(),
    ],
    [
      'alarms',
      'an eleventh alarm',
      ({ service }) => {
        const alarm = resourcesOf(service, 'AWS::CloudWatch::Alarm')[0]![1]
        for (let more = 0; more < 4; more += 1) service.Resources[`More${more}`] = alarm
      },
    ],
  ]

  test.each(planted)('%s: %s', (name, _, plant) => {
    const spoilt = copy()
    plant(spoilt)
    expect(CHECKS[name](spoilt)).not.toEqual([])
  })

  function allow(action: string, { service }: Templates, name: string): object {
    const statements = theOne(service, 'AWS::IAM::Policy', 'ApiRole').Properties.PolicyDocument.Statement
    const resource = statements.find((each: object) => JSON.stringify(each).includes(`ExportsOutputFnGetAtt${name}`))
    return { Effect: 'Allow', Action: action, Resource: resource.Resource }
  }

  test('queues: a working queue without dead letters', () => {
    const spoilt = synthesise(
      ({ service }) => new Queue(service, 'Planted', { visibilityTimeout: Duration.minutes(5) }),
    )
    expect(CHECKS.queues(spoilt).join()).toContain('no dead letters')
  })
})

describe('the rule packs', () => {
  test('find nothing that is not acknowledged with a reason', () => {
    expect(made.findings).toEqual([])
  })

  test('find what is planted, so they do look', () => {
    const { findings } = synthesise(({ data, service }) => {
      new Queue(service, 'Planted')
      const role = service.node.findChild('Api').node.findChild('Role') as Role
      role.addToPolicy(new PolicyStatement({ actions: ['dynamodb:*'], resources: [data.events.tableArn] }))
    })
    expect(findings).toEqual(
      expect.arrayContaining([
        'AwsSolutions-SQS3 Service/Planted/Resource',
        'AwsSolutions-SQS4 Service/Planted/Resource',
        'Serverless-SQSRedrivePolicy Service/Planted/Resource',
        expect.stringMatching(/^AwsSolutions-IAM5\[Action::dynamodb:\*\] Service\/Api\/Role\/DefaultPolicy/),
      ]),
    )
  })
})

test('the line that tells of tampering is the one the alarm waits for', async () => {
  const lines: string[] = []
  const project = createProjectCommits({ log: (line: object) => lines.push(JSON.stringify(line)) } as never)
  await project({ Records: [{ eventName: 'REMOVE', dynamodb: { Keys: {}, SequenceNumber: '1' } }] })
  const { FilterPattern, MetricTransformations } = theOne(
    made.service,
    'AWS::Logs::MetricFilter',
    'LogAltered',
  ).Properties
  expect(lines[0]).toContain(FilterPattern.replaceAll('"', ''))
  const { MetricName, MetricNamespace } = MetricTransformations[0]
  const alarm = theOne(made.service, 'AWS::CloudWatch::Alarm', 'LogAltered').Properties
  expect(alarm).toMatchObject({ MetricName, Namespace: MetricNamespace, Threshold: 0, Statistic: 'Sum' })
})

test('what the secret generates is a ring of one key', () => {
  const { GenerateSecretString: how } = theOne(made.data, 'AWS::SecretsManager::Secret').Properties
  const characters = [...'abcdefghijklmnopqrstuvwxyz0123456789'].filter((each) => !how.ExcludeCharacters.includes(each))
  expect(characters.join('')).toBe('abcdef0123456789')
  const key = characters.join('').repeat(4).slice(0, how.PasswordLength)
  const text = JSON.stringify({ ...JSON.parse(how.SecretStringTemplate), [how.GenerateStringKey]: key })
  expect(parseKeyRing(text)).toMatchObject({ current: 'k1', keys: [{ name: 'k1' }] })
})

test('example addresses are told from real ones', () => {
  expect(exampleSettings(SETTINGS)).toEqual(['site', 'mail.domain', 'mail.from', 'alarmsTo', 'signInPrefix'])
  const real = {
    ...SETTINGS,
    site: 'https://hazard.test/',
    mail: { domain: 'hazard.test', from: 'play@hazard.test', fromName: 'Hazard' },
    alarmsTo: 'someone@hazard.test',
    signInPrefix: 'hazard-of-ours',
  } as const
  expect(exampleSettings(real)).toEqual([])
})

test('what goes by itself names its time in the attribute that the table looks at', async () => {
  const { AttributeName, Enabled } = theOne(made.data, 'AWS::DynamoDB::Table', 'ReadModels').Properties
    .TimeToLiveSpecification
  expect(Enabled).toBe(true)
  const dynamo = await startLoopbackDynamo()
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = new DynamoDBClient({ endpoint: dynamo.endpoint, region: 'local', credentials })
  await createTableIfMissing(client, 'rows', READ_MODELS_TABLE)
  const now = Date.UTC(2026, 11, 1)
  await createDynamoReadModels({ client, table: 'rows', now: () => now }).take('somebody', 'open', 'a-game')
  const { Items } = await client.send(new ScanCommand({ TableName: 'rows' }))
  const expires = Number(Items![0]![AttributeName]!.N) * 1000
  expect(expires).toBeGreaterThan(now)
  expect(expires).toBeLessThan(now + 3 * 24 * 3600 * 1000)
  client.destroy()
  await dynamo.stop()
})

/** API Gateway's routes. */
const routes = routesOf(made.service)

/** As API Gateway chooses: the whole path with its method first, the greedy route last. */
function onAws(method: string, path: string): string {
  for (const [key, who] of routes) {
    const [theirs, pattern] = key.split(' ') as [string, string]
    const expression = new RegExp(`^${pattern.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
    if (theirs === method && expression.test(path)) return who
  }
  return path.startsWith('/api/') ? (routes.get('ANY /api/{proxy+}') ?? 'none') : 'none'
}

function onOneMachine(method: string, path: string): string {
  const matched = matchRoute(API_ROUTES, method, path)
  return matched === null ? 'none' : matched.route.open ? 'open' : 'signed in'
}

const paths = [
  ...new Set((Object.values(CALLS) as readonly Call[]).map(({ path }) => path.replace(/\{\w+\}/g, 'something'))),
  '/api/nothing',
  '/api/games/something/nothing/at/all',
  '/elsewhere',
]

test.each(paths)('%s lets the same people in as on one machine', (path) => {
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
    expect(`${method} ${onAws(method, path)}`).toBe(`${method} ${onOneMachine(method, path)}`)
  }
})
