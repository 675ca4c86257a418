import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Trigger } from '#lib/trigger.ts';
import { acknowledge } from './acknowledgements.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';
import { allow } from './statements.ts';

export interface BackgroundFunctionProps extends Omit<ServiceFunctionProps, 'description'> {
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
