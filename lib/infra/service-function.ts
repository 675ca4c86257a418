import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyDocument, type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Trigger } from '#lib/trigger.ts';
import { acknowledge } from './acknowledgements.ts';
import type { Settings } from './settings.ts';
import { allow } from './statements.ts';

export interface ServiceFunctionProps {
  /** One sentence for the console. */
  readonly description: string;
  /** The deployed folder. Its `index.js` exports `handler`. */
  readonly code: string;
  /** Its environment variables. They contain no secrets, because everyone who may list functions can read them. */
  readonly environment: Readonly<Record<string, string>>;
  /** Permissions of its role, in addition to writing to its log. @default - none */
  readonly access?: readonly PolicyStatement[];
  /** Its memory, and processor time in proportion. @default 512 */
  readonly memoryMegabytes?: number;
  /** Its timeout in seconds. Behind the API it must be less than 30. @default 10 */
  readonly timeoutSeconds?: number;
  /** Concurrency reserved from the account's quota. @default no bound */
  readonly concurrency?: number | undefined;
  /** The log that it shares with others. Names of its streams contain that of the function. */
  readonly logGroup: ILogGroup;
  readonly settings: Pick<Settings, 'tracing'>;
}

export type Logs = ReturnType<typeof makeLogs>;

/** The logs that functions share: a request is found in one place, and a function needs no log of its own. */
export function makeLogs(
  stack: Construct,
  { logRetentionDays: retention, removalPolicy }: Pick<Settings, 'logRetentionDays' | 'removalPolicy'>,
) {
  const scope = new Construct(stack, 'Logs');
  return {
    /** Of the functions that requests start. */
    requests: new LogGroup(scope, 'Requests', { retention, removalPolicy }),
    /** Of the functions that table changes and schedules start. */
    work: new LogGroup(scope, 'Work', { retention, removalPolicy }),
  };
}

/** A function of the service with its own role, which allows only the listed actions. */
export class ServiceFunction extends Construct {
  readonly lambda: lambda.Function;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { tracing } = props.settings;
    const { logGroup } = props;
    this.role = functionRole(this, logGroup, [...(props.access ?? []), ...(tracing ? sendTraces() : [])]);
    const memorySize = props.memoryMegabytes ?? memoryMegabytesDefault;
    this.lambda = new lambda.Function(this, 'Function', {
      description: props.description,
      code: lambda.Code.fromAsset(props.code),
      handler: 'index.handler',
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      memorySize,
      timeout: Duration.seconds(props.timeoutSeconds ?? timeoutSecondsDefault),
      environment: { NODE_OPTIONS: nodeOptionsFor(memorySize), ...props.environment },
      role: this.role,
      logGroup,
      ...(props.concurrency !== undefined && { reservedConcurrentExecutions: props.concurrency }),
      loggingFormat: lambda.LoggingFormat.JSON,
    });
    acknowledge(tracing ? this.role : this.lambda, tracing ? 'tracing' : 'function');
    // Lambda itself records calls, durations and errors. The construct's own option would add a policy a function.
    if (tracing) (this.lambda.node.defaultChild as lambda.CfnFunction).tracingConfig = { mode: lambda.Tracing.ACTIVE };
  }
}

/** A role that may write to the log and perform the statements. */
export function functionRole(scope: Construct, logGroup: ILogGroup, access: readonly PolicyStatement[]): Role {
  const writeLog = allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroup.logGroupArn]);
  return new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { Access: new PolicyDocument({ statements: [...writeLog, ...access] }) },
  });
}

/** X-Ray has no resources that a policy could name. */
const sendTraces = () => allow(['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], ['*']);

/** Defaults of every function. */
export const memoryMegabytesDefault = 512;
export const timeoutSecondsDefault = 10;

/**
 * The Node options of a function. A small young generation and an explicit heap limit make Node collect garbage early.
 * This halves the memory of a function that reads many workspaces (npm run bench -- memory).
 * @param memoryMegabytes of the function; a quarter is left for memory outside the heap
 */
export const nodeOptionsFor = (memoryMegabytes: number): string =>
  `${smallYoungGeneration} --max-old-space-size=${Math.floor(memoryMegabytes * 0.75)}`;

const smallYoungGeneration = '--max-semi-space-size=4';

interface BackgroundFunctionProps extends Omit<ServiceFunctionProps, 'description'> {
  readonly trigger: Trigger;
  readonly streamArn: string;
}

/** A function that table changes or a schedule start. */
export class BackgroundFunction extends Construct {
  readonly fn: ServiceFunction;
  /** What it does, in one sentence. */
  readonly work: string;
  /** Whether table changes start the function, too. */
  readonly followsTable: boolean;

  constructor(scope: Construct, id: string, { trigger, streamArn, ...props }: BackgroundFunctionProps) {
    super(scope, id);
    const { summary, newItems, everyMinutes, lambda: settings } = trigger;
    this.work = summary;
    this.followsTable = newItems !== undefined;
    const access = [...(props.access ?? []), ...(newItems ? streamAccess(streamArn) : [])];
    this.fn = new ServiceFunction(this, 'Code', { ...props, ...settings, description: summary, access });
    acknowledge(this.fn.lambda, 'backgroundFunction');
    if (newItems) {
      acknowledge(this.fn.role, 'listStreams');
      this.#follow(newItems.partitionKeyPrefixes, streamArn);
    }
    this.#runEvery(everyMinutes, summary);
  }

  /** Neither EventBridge nor Lambda retries a run, because the next run continues its work. */
  #runEvery(minutes: number, description: string): void {
    const invoke = new lambda.EventInvokeConfig(this, 'Invoke', {
      function: this.fn.lambda,
      retryAttempts: 0,
      maxEventAge: Duration.minutes(minutes),
    });
    acknowledge(invoke, 'asyncInvoke');
    const rule = new Rule(this, 'Schedule', {
      description,
      schedule: Schedule.rate(Duration.minutes(minutes)),
      targets: [new LambdaFunction(this.fn.lambda, { retryAttempts: 0 })],
    });
    acknowledge(rule, 'schedule');
  }

  /** What fails in all attempts needs no queue: the schedule finds it in the table. */
  #follow(partitionKeyPrefixes: readonly string[], eventSourceArn: string): void {
    const source = new lambda.EventSourceMapping(this, 'NewItems', {
      target: this.fn.lambda,
      eventSourceArn,
      startingPosition: lambda.StartingPosition.TRIM_HORIZON,
      filters: partitionKeyPrefixes.map(newItemsFilter),
      batchSize: 25,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: 5,
      maxRecordAge: Duration.hours(6),
    });
    acknowledge(source, 'newItems');
  }
}

const newItemsFilter = (prefix: string) =>
  lambda.FilterCriteria.filter({
    eventName: lambda.FilterRule.isEqual('INSERT'),
    dynamodb: { Keys: { pk: { S: lambda.FilterRule.beginsWith(prefix) } } },
  });

/** `ListStreams` has no resources that a policy could name. */
const streamAccess = (streamArn: string): PolicyStatement[] => [
  ...allow(['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'], [streamArn]),
  ...allow(['dynamodb:ListStreams'], ['*']),
];
