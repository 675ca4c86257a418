import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Trigger } from '#lib/trigger.ts';
import { allow } from './access.ts';
import { acknowledgeListStreams, acknowledgeSchedule, acknowledgeStartedFunction } from './acknowledgements.ts';
import { DeadLetters } from './dead-letters.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';

export interface StartedFunctionProps extends Omit<ServiceFunctionProps, 'description'> {
  readonly trigger: Trigger;
  readonly streamArn: string;
}

/** A function with what starts it: changes of the table, or time. */
export class StartedFunction extends Construct {
  readonly fn: ServiceFunction;
  /** There when the function takes changes of the table. */
  readonly deadLetters: DeadLetters | undefined;

  constructor(scope: Construct, id: string, { trigger, streamArn, ...props }: StartedFunctionProps) {
    super(scope, id);
    const { summary, newItems, everyMinutes, lambda: settings } = trigger;
    this.deadLetters = newItems && new DeadLetters(this, 'DeadLetters');
    const access = [...(props.access ?? []), ...(this.deadLetters ? streamAccess(streamArn, this.deadLetters) : [])];
    this.fn = new ServiceFunction(this, 'Code', { ...props, ...settings, description: summary, access });
    acknowledgeStartedFunction(this.fn.lambda);
    if (newItems && this.deadLetters) {
      acknowledgeListStreams(this.fn.role);
      this.#follow(newItems.partitionKeyPrefix, streamArn, this.deadLetters);
    }
    if (everyMinutes !== undefined) {
      const rule = new Rule(this, 'Schedule', {
        description: summary,
        schedule: Schedule.rate(Duration.minutes(everyMinutes)),
        targets: [new LambdaFunction(this.fn.lambda, { retryAttempts: 0 })],
      });
      acknowledgeSchedule(rule);
    }
  }

  #follow(partitionKeyPrefix: string, eventSourceArn: string, { queueArn: destination }: DeadLetters): void {
    new lambda.EventSourceMapping(this, 'NewItems', {
      target: this.fn.lambda,
      eventSourceArn,
      startingPosition: lambda.StartingPosition.TRIM_HORIZON,
      filters: [newItemsFilter(partitionKeyPrefix)],
      batchSize: 25,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: 5,
      // The stream keeps changes for a day; what is older than this is among the dead letters before it is gone.
      maxRecordAge: Duration.hours(6),
      onFailure: { bind: () => ({ destination }) },
    });
  }
}

const newItemsFilter = (prefix: string) =>
  lambda.FilterCriteria.filter({
    eventName: lambda.FilterRule.isEqual('INSERT'),
    dynamodb: { Keys: { pk: { S: lambda.FilterRule.beginsWith(prefix) } } },
  });

/** Streams can be listed only all together. */
const streamAccess = (streamArn: string, { queueArn }: DeadLetters): PolicyStatement[] => [
  ...allow(['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'], [streamArn]),
  ...allow(['dynamodb:ListStreams'], ['*']),
  ...allow(['sqs:SendMessage'], [queueArn]),
];
