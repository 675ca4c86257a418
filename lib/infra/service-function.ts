import { Duration } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { acknowledgeFunction } from './acknowledgements.ts';
import { memoryMegabytesDefault, nodeOptionsFor } from './node-options.ts';
import type { Settings } from './settings.ts';

export interface ServiceFunctionProps {
  /** What it does, as the console shows it. */
  readonly description: string;
  /** The folder whose `index.js` exports `handler`; all of it is deployed. */
  readonly code: string;
  /** What it reads from its environment. Never a secret: whoever may list functions may read it. */
  readonly environment: Readonly<Record<string, string>>;
  /** What it may do besides writing its own log. @default - nothing */
  readonly access?: readonly PolicyStatement[];
  /** How much memory it has, and processor time in proportion. @default 512 */
  readonly memoryMegabytes?: number;
  /** After how long it is stopped; behind the API it must be less than 30. @default 10 */
  readonly timeoutSeconds?: number;
  /** How many of it run at once, taken from the account's share. @default no bound */
  readonly concurrency?: number | undefined;
  /** How long its log is kept, and whether it outlives the stack. */
  readonly settings: Pick<Settings, 'logRetentionDays' | 'removalPolicy'>;
}

/** A function of the service with a log and a role of its own, which allows what is listed here and nothing else. */
export class ServiceFunction extends Construct {
  readonly lambda: lambda.Function;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { logRetentionDays: retention, removalPolicy } = props.settings;
    const logGroup = new LogGroup(this, 'Log', { retention, removalPolicy });
    this.role = functionRole(this, logGroup, props.access ?? []);
    const memorySize = props.memoryMegabytes ?? memoryMegabytesDefault;
    this.lambda = new lambda.Function(this, 'Function', {
      description: props.description,
      code: lambda.Code.fromAsset(props.code),
      handler: 'index.handler',
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      memorySize,
      timeout: Duration.seconds(props.timeoutSeconds ?? 10),
      environment: { NODE_OPTIONS: nodeOptionsFor(memorySize), ...props.environment },
      role: this.role,
      logGroup,
      ...(props.concurrency !== undefined && { reservedConcurrentExecutions: props.concurrency }),
      loggingFormat: lambda.LoggingFormat.JSON,
    });
    acknowledgeFunction(this.lambda);
  }
}

/** A role that writes to this log and does what the statements allow. */
export function functionRole(scope: Construct, logGroup: ILogGroup, access: readonly PolicyStatement[]): Role {
  const writeLog = new PolicyStatement({
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  });
  return new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { Access: new PolicyDocument({ statements: [writeLog, ...access] }) },
  });
}
