/** What would hurt if it crept into the templates. Each check gives the faults it finds, so that a test can plant one and see it found. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHANGES_AWAITED } from '../../functions/adapters/dynamodb/commit-codec.ts'
import { EVENTS_TABLE, READ_MODELS_TABLE, type TableShape } from '../../functions/adapters/dynamodb/tables.ts'
import { CALLS, type Call } from '../../shared/http-contract/calls.ts'
import { type Resource, ROOT, resourcesOf, type Template, type Templates, target, theOne } from './templates.ts'

export type Check = (templates: Templates) => readonly string[]

/** All a function may do, as `action on resource`, sorted. */
export const GRANTS: Readonly<Record<'Api' | 'ProjectCommits', readonly string[]>> = {
  Api: [
    'dynamodb:BatchGetItem on ReadModels.Arn',
    'dynamodb:GetItem on ReadModels.Arn',
    'dynamodb:PutItem on Events.Arn',
    'dynamodb:PutItem on ReadModels.Arn',
    'dynamodb:Query on Events.Arn',
    'dynamodb:Query on ReadModels.Arn',
    'dynamodb:UpdateItem on ReadModels.Arn',
    'logs:CreateLogStream on ApiLog.Arn',
    'logs:PutLogEvents on ApiLog.Arn',
    'secretsmanager:GetSecretValue on MasterKeys',
  ],
  ProjectCommits: [
    'dynamodb:DeleteItem on ReadModels.Arn',
    'dynamodb:DescribeStream on Events.StreamArn',
    'dynamodb:GetItem on ReadModels.Arn',
    'dynamodb:GetRecords on Events.StreamArn',
    'dynamodb:GetShardIterator on Events.StreamArn',
    'dynamodb:ListStreams on Events.StreamArn',
    'dynamodb:PutItem on Events.Arn',
    'dynamodb:PutItem on ReadModels.Arn',
    'dynamodb:Query on Events.Arn',
    'logs:CreateLogStream on ProjectCommitsLog.Arn',
    'logs:PutLogEvents on ProjectCommitsLog.Arn',
    'secretsmanager:GetSecretValue on MasterKeys',
    'sqs:SendMessage on GivenUpSignals.Arn',
  ],
}

interface Statement {
  readonly Effect: 'Allow' | 'Deny'
  readonly Action: string | readonly string[]
  readonly Resource: unknown
  readonly Principal?: unknown
  readonly Condition?: unknown
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])
const unlessSame = (what: string, found: unknown, wanted: unknown): readonly string[] =>
  JSON.stringify(found) === JSON.stringify(wanted) ? [] : [`${what}: ${JSON.stringify(found)}`]
const unless = (holds: boolean, fault: string): readonly string[] => (holds ? [] : [fault])

export const grants: Check = ({ service }) => [
  ...Object.entries(GRANTS).flatMap(([name, wanted]) =>
    unlessSame(`grants of ${name}`, grantsOf(service, name), wanted),
  ),
  ...unlessSame(
    'roles',
    resourcesOf(service, 'AWS::IAM::Role').map(([id]) => target({ Ref: id })),
    ['ApiRole', 'ProjectCommitsRole'],
  ),
  ...resourcesOf(service, 'AWS::IAM::Role').flatMap(([id, { Properties }]) =>
    unless(!('ManagedPolicyArns' in Properties) && !('Policies' in Properties), `${id} has policies beside its own`),
  ),
  ...resourcesOf(service, 'AWS::IAM::ManagedPolicy').map(([id]) => `${id} is a policy beside the roles' own`),
  ...resourcesOf(service, 'AWS::Lambda::Permission').flatMap(([id, { Properties }]) =>
    unless(
      Properties.Principal === 'apigateway.amazonaws.com' &&
        JSON.stringify(Properties.SourceArn)?.includes(resourcesOf(service, 'AWS::ApiGatewayV2::Api')[0]![0]),
      `${id} lets in others than our API`,
    ),
  ),
]

function grantsOf(service: Template, name: string): readonly string[] {
  return resourcesOf(service, 'AWS::IAM::Policy')
    .filter(([, { Properties }]) => list(Properties.Roles).some((role) => target(role) === `${name}Role`))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement as readonly Statement[])
    .filter(({ Effect }) => Effect === 'Allow')
    .flatMap(({ Action, Resource }) =>
      list(Action).flatMap((action) => list(Resource).map((each) => `${action} on ${target(each)}`)),
    )
    .sort()
}

/** Where an asterisk may stand, and why. */
const WILDCARDS: Readonly<Record<string, string>> = {
  HttpPOSTapigamesApiPermission: 'every method and route of this one API',
}

export const wildcards: Check = ({ data, service }) =>
  [data, service].flatMap(({ Resources }) =>
    Object.entries(Resources).flatMap(([id, { Type, Properties }]) => {
      const document =
        Properties?.PolicyDocument ??
        Properties?.ResourcePolicy?.PolicyDocument ??
        Properties?.ResourcePolicy ??
        Properties?.AssumeRolePolicyDocument
      const allowed = ((document?.Statement ?? []) as readonly Statement[]).filter(({ Effect }) => Effect === 'Allow')
      const text = JSON.stringify(Type === 'AWS::Lambda::Permission' ? Properties : allowed)
      const known = Object.keys(WILDCARDS).some((prefix) => id.startsWith(prefix))
      return unless(known || !text.includes('*'), `${id} has a wildcard`)
    }),
  )

export const tables: Check = ({ data }) => [
  ...unlessLike(theOne(data, 'AWS::DynamoDB::Table', 'Events'), EVENTS_TABLE),
  ...unlessLike(theOne(data, 'AWS::DynamoDB::Table', 'ReadModels'), READ_MODELS_TABLE),
]

function unlessLike({ Properties }: Resource, shape: TableShape): readonly string[] {
  const { BillingMode, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } = Properties
  const found = { BillingMode, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes }
  const { GlobalSecondaryIndexes: indexes } = shape
  return unlessSame('table', found, {
    BillingMode: shape.BillingMode,
    AttributeDefinitions: shape.AttributeDefinitions,
    KeySchema: shape.KeySchema,
    GlobalSecondaryIndexes: indexes,
  })
}

export const keeping: Check = ({ data }) => [
  ...Object.entries(data.Resources).flatMap(([id, { DeletionPolicy, UpdateReplacePolicy }]) =>
    unless(DeletionPolicy === 'Retain' && UpdateReplacePolicy === 'Retain', `${id} is not retained`),
  ),
  ...resourcesOf(data, 'AWS::DynamoDB::Table').flatMap(([id, { Properties }]) => [
    ...unless(Properties.DeletionProtectionEnabled === true, `${id} can be deleted`),
    ...unlessSame(`recovery of ${id}`, Properties.PointInTimeRecoverySpecification, {
      PointInTimeRecoveryEnabled: true,
      RecoveryPeriodInDays: 35,
    }),
  ]),
  ...unlessSame(
    'what nobody may do to the log',
    theOne(data, 'AWS::DynamoDB::Table', 'Events').Properties.ResourcePolicy?.PolicyDocument.Statement.map(
      ({ Sid: _, ...statement }: Statement & { Sid: string }) => statement,
    ),
    [
      {
        Action: [
          'dynamodb:BatchWriteItem',
          'dynamodb:DeleteItem',
          'dynamodb:PartiQLDelete',
          'dynamodb:PartiQLUpdate',
          'dynamodb:UpdateItem',
        ],
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Resource: '*',
      },
    ],
  ),
  ...unlessSame(
    'protection of the accounts',
    theOne(data, 'AWS::Cognito::UserPool').Properties.DeletionProtection,
    'ACTIVE',
  ),
  // Any change of it makes CloudFormation generate a new value in place of the keys that all games hang on.
  ...unlessSame('the first master key', theOne(data, 'AWS::SecretsManager::Secret').Properties.GenerateSecretString, {
    ExcludeCharacters: 'ghijklmnopqrstuvwxyz',
    ExcludePunctuation: true,
    ExcludeUppercase: true,
    GenerateStringKey: 'k1',
    IncludeSpace: false,
    PasswordLength: 64,
    RequireEachIncludedType: false,
    SecretStringTemplate: '{"current":"k1"}',
  }),
  ...unlessSame(
    'who may delete the master keys',
    theOne(data, 'AWS::SecretsManager::ResourcePolicy').Properties.ResourcePolicy.Statement.map(
      ({ Action, Effect }: Statement) => `${Effect} ${Action}`,
    ),
    ['Deny secretsmanager:DeleteSecret'],
  ),
]

export const stream: Check = ({ data, service }) => {
  const { Properties: table } = theOne(data, 'AWS::DynamoDB::Table', 'Events')
  const { Properties: mapping } = theOne(service, 'AWS::Lambda::EventSourceMapping')
  return [
    ...unlessSame('the stream', table.StreamSpecification, { StreamViewType: 'NEW_IMAGE' }),
    ...unlessSame('where the mapping begins', mapping.StartingPosition, 'TRIM_HORIZON'),
    ...unlessSame('bisection', mapping.BisectBatchOnFunctionError, true),
    ...unlessSame('failures item by item', mapping.FunctionResponseTypes, ['ReportBatchItemFailures']),
    ...unless(mapping.MaximumRetryAttempts > 0 && mapping.MaximumRetryAttempts <= 100, 'retries without end'),
    ...unless(
      mapping.MaximumRecordAgeInSeconds > 0 && mapping.MaximumRecordAgeInSeconds <= 24 * 3600,
      'age without end',
    ),
    ...unless(
      target(mapping.DestinationConfig?.OnFailure?.Destination ?? '') === 'GivenUpSignals.Arn',
      'no destination',
    ),
    ...unlessSame('source', target(mapping.EventSourceArn), 'Events.StreamArn'),
    ...unlessSame('target', target(mapping.FunctionName), 'ProjectCommitsFunction'),
    ...unlessSame(
      'filters',
      mapping.FilterCriteria?.Filters?.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern)),
      [
        { eventName: ['INSERT'], dynamodb: { NewImage: { [CHANGES_AWAITED]: { N: ['1'] } } } },
        { eventName: ['MODIFY', 'REMOVE'] },
      ],
    ),
  ]
}

/** Every queue either hands on what fails, or is where it ends and keeps it as long as a queue can. */
export const queues: Check = ({ service }) => {
  const all = resourcesOf(service, 'AWS::SQS::Queue')
  const ends = new Set([
    ...all.map(([, { Properties }]) => target(Properties.RedrivePolicy?.deadLetterTargetArn ?? '')),
    ...resourcesOf(service, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) =>
      target(Properties.DestinationConfig?.OnFailure?.Destination ?? ''),
    ),
  ])
  return all.flatMap(([id, { Properties }]) => {
    const isEnd = ends.has(`${target({ Ref: id })}.Arn`)
    return [
      ...unless(isEnd || Properties.RedrivePolicy?.maxReceiveCount > 0, `${id} has no dead letters`),
      ...unless(!isEnd || Properties.MessageRetentionPeriod === 14 * 24 * 3600, `${id} forgets too early`),
      ...unless(Properties.SqsManagedSseEnabled === true, `${id} is not encrypted`),
    ]
  })
}

export const functions: Check = ({ data, service }) => [
  ...[data, service].flatMap((template) =>
    unless(!JSON.stringify(template).includes('{{resolve:'), 'a secret is resolved into the template'),
  ),
  ...resourcesOf(service, 'AWS::Lambda::Function').flatMap(([id, { Properties }]) => [
    ...unlessSame(`runtime of ${id}`, Properties.Runtime, 'nodejs24.x'),
    ...unlessSame(`architecture of ${id}`, Properties.Architectures, ['arm64']),
    ...unlessSame(
      `environment of ${id}`,
      Object.entries(Properties.Environment.Variables).map(([name, value]) => `${name} ${target(value)}`),
      [
        'EVENTS_TABLE Events',
        'READ_MODELS_TABLE ReadModels',
        'MASTER_KEYS_SECRET MasterKeys',
        'MASTER_KEYS_REVISION 1',
      ],
    ),
    ...unless(target(Properties.LoggingConfig?.LogGroup ?? '') in logGroups(service), `${id} logs elsewhere`),
    ...unless(Properties.Timeout > 3, `${id} has the default timeout`),
  ]),
  ...Object.entries(logGroups(service)).flatMap(([id, days]) =>
    unless(days >= 30 && days <= 92, `${id} keeps its lines ${days} days`),
  ),
]

function logGroups(service: Template): Readonly<Record<string, number>> {
  return Object.fromEntries(
    resourcesOf(service, 'AWS::Logs::LogGroup').map(([id, { Properties }]) => [
      target({ Ref: id }),
      Properties.RetentionInDays ?? Number.POSITIVE_INFINITY,
    ]),
  )
}

/** The routes as `method path`, with who may come. */
export function routesOf(service: Template): ReadonlyMap<string, 'open' | 'signed in' | 'unknown'> {
  return new Map(
    resourcesOf(service, 'AWS::ApiGatewayV2::Route').map(([, { Properties }]) => {
      const { AuthorizationType, AuthorizerId, RouteKey } = Properties
      if (AuthorizationType === 'JWT' && target(AuthorizerId) === 'HttpSignedIn') return [RouteKey, 'signed in']
      return [RouteKey, AuthorizationType === 'NONE' ? 'open' : 'unknown']
    }),
  )
}

export const routes: Check = ({ service }) => {
  const wanted = (Object.values(CALLS) as readonly Call[]).flatMap(({ method, path, open }) =>
    open && method === 'GET'
      ? [`${method} ${path}: open`, `HEAD ${path}: open`]
      : [`${method} ${path}: ${open ? 'open' : 'signed in'}`],
  )
  const found = [...routesOf(service)].map(([key, who]) => `${key}: ${who}`)
  const { Properties: authorizer } = theOne(service, 'AWS::ApiGatewayV2::Authorizer')
  const { Properties: stage } = theOne(service, 'AWS::ApiGatewayV2::Stage')
  const { ThrottlingBurstLimit, ThrottlingRateLimit } = stage.DefaultRouteSettings ?? {}
  return [
    ...unlessSame('routes', [...found].sort(), [...wanted, 'ANY /api/{proxy+}: signed in'].sort()),
    ...unlessSame('authorizer', authorizer.AuthorizerType, 'JWT'),
    ...unlessSame('audience', authorizer.JwtConfiguration.Audience.map(target), ['AccountsClient']),
    ...unlessSame('issuer', target(authorizer.JwtConfiguration.Issuer), 'Accounts.ProviderURL'),
    ...unless(ThrottlingBurstLimit > 0 && ThrottlingRateLimit > 0, 'no throttling'),
    ...unless(target(stage.AccessLogSettings?.DestinationArn ?? '') === 'AccessLog.Arn', 'no access log'),
    // A path may hold an invitation code; an address or a subject tells who plays when.
    ...unless(
      !/context\.(path|identity|authorizer\.(?!error)|protocol)/.test(stage.AccessLogSettings?.Format ?? ''),
      'the access log tells too much',
    ),
  ]
}

export const signIn: Check = ({ data }) => {
  const { Properties: pool } = theOne(data, 'AWS::Cognito::UserPool')
  const { Properties: client } = theOne(data, 'AWS::Cognito::UserPoolClient')
  return [
    ...unlessSame('factors', pool.Policies.SignInPolicy?.AllowedFirstAuthFactors, [
      'PASSWORD',
      'EMAIL_OTP',
      'WEB_AUTHN',
    ]),
    ...unlessSame('plan', pool.UserPoolTier, 'ESSENTIALS'),
    ...unlessSame('mails', pool.EmailConfiguration.EmailSendingAccount, 'DEVELOPER'),
    ...unlessSame('recovery', pool.AccountRecoverySetting?.RecoveryMechanisms, [{ Name: 'admin_only', Priority: 1 }]),
    ...unlessSame('flows', client.ExplicitAuthFlows, ['ALLOW_USER_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH']),
    ...unlessSame('grant', client.AllowedOAuthFlows, ['code']),
    ...unlessSame('secret of the public client', client.GenerateSecret, false),
    ...unless(
      client.CallbackURLs.every((url: string) => /^https:\/\/[^*]+$/.test(url)),
      'tokens may go astray',
    ),
    ...unless(resourcesOf(data, 'AWS::Cognito::ManagedLoginBranding').length === 1, 'the sign-in page shows nothing'),
  ]
}

/** The sections of the runbook. */
export const SECTIONS: readonly string[] = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8')
  .split('\n')
  .flatMap((line) => (/^##+ (.*)$/.exec(line) ?? []).slice(1))

const MOST_ALARMS = 10

export const alarms: Check = ({ data, service }) => {
  const all = resourcesOf(service, 'AWS::CloudWatch::Alarm')
  const topic = resourcesOf(service, 'AWS::SNS::Topic')[0]?.[0]
  const admitted = resourcesOf(service, 'AWS::SNS::TopicPolicy')
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement as readonly Statement[])
    .filter(({ Effect }) => Effect === 'Allow')
    .map(({ Principal, Action }) => `${JSON.stringify(Principal)} ${Action}`)
  return [
    ...unless(all.length + resourcesOf(data, 'AWS::CloudWatch::Alarm').length <= MOST_ALARMS, 'too many alarms'),
    ...all.flatMap(([id, { Properties }]) => {
      const section = /See “(.*)” in docs\/runbook\.md\.$/.exec(Properties.AlarmDescription ?? '')?.[1] ?? 'no section'
      return [
        ...unless(SECTIONS.includes(section), `${id} names no section of the runbook: ${section}`),
        ...unlessSame(`action of ${id}`, Properties.AlarmActions, [{ Ref: topic }]),
      ]
    }),
    ...unlessSame('who may publish alarms', admitted, ['{"Service":"cloudwatch.amazonaws.com"} sns:Publish']),
    ...unless(resourcesOf(service, 'AWS::SNS::Subscription').length > 0, 'the alarms wake nobody'),
    ...['IteratorAge', 'ApproximateNumberOfMessagesVisible', 'LogAltered', 'DamagedLog', '5xx', 'Errors'].flatMap(
      (name) =>
        unless(
          all.some(([, { Properties }]) => Properties.MetricName === name),
          `no alarm watches ${name}`,
        ),
    ),
  ]
}

export const CHECKS = { grants, wildcards, tables, keeping, stream, queues, functions, routes, signIn, alarms } as const
