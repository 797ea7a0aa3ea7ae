/** A function of ours: its role, its log and its code. It may do nothing but write its own log until a stack allows it more. */

import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Architecture, type Code, Function as LambdaFunction, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'

export interface GameFunctionProps {
  readonly description: string
  /** A folder with the bundle as `index.mjs`. */
  readonly code: Code
  readonly memoryMb: number
  readonly timeoutSeconds: number
  readonly environment: Readonly<Record<string, string>>
}

export class GameFunction extends Construct {
  readonly lambda: LambdaFunction
  readonly logs: LogGroup
  readonly #role: Role

  constructor(scope: Construct, id: string, props: GameFunctionProps) {
    super(scope, id)
    this.logs = new LogGroup(this, 'Log', {
      // Long enough to look into a complaint about a game that has lasted weeks.
      retention: RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    // A role of its own, without the managed policy that may write every log of the account.
    this.#role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    this.allow(this.logs.logGroupArn, 'logs:CreateLogStream', 'logs:PutLogEvents')
    this.lambda = new LambdaFunction(this, 'Function', {
      description: props.description,
      role: this.#role,
      code: props.code,
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMb,
      timeout: Duration.seconds(props.timeoutSeconds),
      environment: { ...props.environment },
      logGroup: this.logs,
      // The functions write whole lines of JSON themselves; the JSON format would wrap them in a second one.
      loggingFormat: LoggingFormat.TEXT,
    })
    const waitedFor =
      'Nothing calls it asynchronously: API Gateway waits for it, and the stream has a failure destination of its own.'
    Validations.of(this.lambda).acknowledge(
      {
        id: 'Serverless-LambdaTracing',
        reason:
          'A call makes two or three requests to one database; request ids in the logs tell what a trace would, without its price.',
      },
      { id: 'Serverless-LambdaAsyncFailureDestination', reason: waitedFor },
      { id: 'Serverless-LambdaDLQ', reason: waitedFor },
    )
  }

  /** Allows exactly these actions on exactly this resource. */
  allow(arn: string, ...actions: readonly string[]): void {
    this.#role.addToPolicy(new PolicyStatement({ actions: [...actions], resources: [arn] }))
  }
}
