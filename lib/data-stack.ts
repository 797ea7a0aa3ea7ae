/** What must outlive every release: the log, the read models, the accounts, the master keys. Deleting the stack deletes none of it. */

import { CfnOutput, CfnResource, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import {
  AccountRecovery,
  CfnManagedLoginBranding,
  ClientAttributes,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  OAuthScope,
  PasskeyUserVerification,
  UserPool,
  type UserPoolClient,
  UserPoolClientIdentityProvider,
  UserPoolEmail,
} from 'aws-cdk-lib/aws-cognito'
import { AttributeType, BillingMode, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb'
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import type { Settings } from './settings.ts'

export class DataStack extends Stack {
  readonly events: Table
  readonly readModels: Table
  readonly masterKeys: Secret
  readonly userPool: UserPool
  readonly client: UserPoolClient

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id, {
      stackName: `hazard-${settings.stage}-data`,
      description: 'Hazard: the log of all games, the read models, the accounts, the master keys',
      env: { region: settings.region },
      terminationProtection: true,
    })
    const kept = {
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: 35 },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    }
    this.events = new Table(this, 'Events', {
      ...kept,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'n', type: AttributeType.NUMBER },
      // The projector needs the keys and the marker; old images would only matter if a commit could change.
      stream: StreamViewType.NEW_IMAGE,
      resourcePolicy: appendOnly(),
    })
    this.readModels = new Table(this, 'ReadModels', {
      ...kept,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      // Allowances count by the day and go by themselves.
      timeToLiveAttribute: 'expires',
    })
    this.masterKeys = masterKeys(this)
    this.userPool = userPool(this, settings)
    this.client = signIn(this, this.userPool, settings)

    for (const child of this.node.findAll()) {
      if (child instanceof CfnResource) child.applyRemovalPolicy(RemovalPolicy.RETAIN)
    }
    new CfnOutput(this, 'EventsTable', { value: this.events.tableName })
    new CfnOutput(this, 'ReadModelsTable', { value: this.readModels.tableName })
    new CfnOutput(this, 'MasterKeysSecret', { value: this.masterKeys.secretArn })
  }
}

/** Nobody in the account, whatever else they may, changes or removes a commit. A policy cannot ask PutItem for its condition; the store does. */
function appendOnly(): PolicyDocument {
  return new PolicyDocument({
    statements: [
      new PolicyStatement({
        sid: 'AppendOnly',
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: [
          'dynamodb:UpdateItem',
          'dynamodb:DeleteItem',
          // May delete, and puts without a condition.
          'dynamodb:BatchWriteItem',
          'dynamodb:PartiQLUpdate',
          'dynamodb:PartiQLDelete',
        ],
        // This table: its name is not known yet where the policy is part of it.
        resources: ['*'],
      }),
    ],
  })
}

/** The ring of master keys with its first key, k1: 64 of sixteen hex digits, so 256 random bits. */
function masterKeys(stack: Stack): Secret {
  const secret = new Secret(stack, 'MasterKeys', {
    description: 'Hazard: the key ring all dice come from. Keys are added, never changed or taken away.',
    // Never alter this: CloudFormation would generate a new value, and every game's secret would be lost.
    generateSecretString: {
      secretStringTemplate: '{"current":"k1"}',
      generateStringKey: 'k1',
      passwordLength: 64,
      excludeCharacters: 'ghijklmnopqrstuvwxyz',
      excludeUppercase: true,
      excludePunctuation: true,
      includeSpace: false,
      requireEachIncludedType: false,
    },
    removalPolicy: RemovalPolicy.RETAIN,
  })
  // Without the ring no unfinished game can go on and no log be checked, so nobody in the account may delete it.
  secret.denyAccountRootDelete()
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason:
      'A game is bound for ever to the key it was opened with. Keys are added by hand, as the runbook says; rotating would destroy games.',
  })
  return secret
}

/** Accounts without passwords: a code by e-mail, or a passkey. */
function userPool(stack: Stack, { mail, region, signInPrefix }: Settings): UserPool {
  const pool = new UserPool(stack, 'Accounts', {
    // Choosing the first factor (code or passkey) needs this plan; it costs nothing up to 10,000 people a month.
    featurePlan: FeaturePlan.ESSENTIALS,
    signInAliases: { email: true },
    signInCaseSensitive: false,
    selfSignUpEnabled: true,
    standardAttributes: { email: { required: true, mutable: true } },
    autoVerify: { email: true },
    // A new address counts only once its code has come back.
    keepOriginal: { email: true },
    // Cognito insists that a pool allow passwords; the client below leaves no way to set one.
    signInPolicy: { allowedFirstAuthFactors: { password: true, emailOtp: true, passkey: true } },
    passwordPolicy: {
      minLength: 16,
      requireLowercase: true,
      requireUppercase: true,
      requireDigits: true,
      requireSymbols: true,
    },
    // Whoever moves the sign-in page to another host makes all passkeys useless; the code by e-mail remains.
    passkeyRelyingPartyId: `${signInPrefix}.auth.${region}.amazoncognito.com`,
    passkeyUserVerification: PasskeyUserVerification.PREFERRED,
    mfa: Mfa.OFF,
    // There is no password to recover.
    accountRecovery: AccountRecovery.NONE,
    email: UserPoolEmail.withSES({
      fromEmail: mail.from,
      fromName: mail.fromName,
      sesVerifiedDomain: mail.domain,
      sesRegion: region,
    }),
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  })
  Validations.of(pool).acknowledge(
    {
      id: 'AwsSolutions-COG2',
      reason:
        'There is no password that a second factor could back up, and Cognito offers no code or passkey as first factor where a second is required.',
    },
    {
      id: 'AwsSolutions-COG8',
      reason:
        'The plus plan guards passwords and costs for every person each month; here nobody has one, and what is at stake is a game.',
    },
  )
  return pool
}

/** The hosted sign-in page, and the public client that browsers and command lines use. */
function signIn(stack: Stack, pool: UserPool, { site, signInPrefix }: Settings): UserPoolClient {
  const domain = pool.addDomain('SignIn', {
    cognitoDomain: { domainPrefix: signInPrefix },
    managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
  })
  const client = pool.addClient('Client', {
    // Public: it runs in a browser and could keep no secret. The code flow with PKCE needs none.
    generateSecret: false,
    authFlows: { user: true },
    oAuth: {
      flows: { authorizationCodeGrant: true },
      scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE],
      callbackUrls: [site],
      logoutUrls: [site],
    },
    supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
    preventUserExistenceErrors: true,
    enableTokenRevocation: true,
    idTokenValidity: Duration.hours(1),
    accessTokenValidity: Duration.hours(1),
    // A game lasts days: whoever looks in once a month need not sign in again.
    refreshTokenValidity: Duration.days(30),
    readAttributes: new ClientAttributes().withStandardAttributes({ email: true, emailVerified: true, fullname: true }),
    writeAttributes: new ClientAttributes().withStandardAttributes({ email: true, fullname: true }),
  })
  // Without a branding the hosted page shows nothing for the client.
  new CfnManagedLoginBranding(stack, 'Branding', {
    userPoolId: pool.userPoolId,
    clientId: client.userPoolClientId,
    useCognitoProvidedValues: true,
  })
  new CfnOutput(stack, 'SignInUrl', {
    value: domain.signInUrl(client, { redirectUri: site }),
    description: 'The hosted sign-in page',
  })
  new CfnOutput(stack, 'Issuer', { value: pool.userPoolProviderUrl })
  new CfnOutput(stack, 'ClientId', { value: client.userPoolClientId })
  return client
}
