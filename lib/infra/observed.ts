import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Settings } from './settings.ts';

/** What alarms and dashboard look at. */
export interface Observed {
  readonly apiId: string;
  readonly tableName: string;
  readonly functions: ReadonlyMap<string, IFunction>;
  readonly streamed: ReadonlyMap<string, IFunction>;
  readonly started: readonly {
    readonly name: string;
    readonly fn: IFunction;
    readonly deadLetters: IQueue | undefined;
    /** How often it logged an error, which is how it says that it does not try something again. */
    readonly givenUp: IMetric;
  }[];
  readonly logGroups: readonly ILogGroup[];
  readonly settings: Pick<Settings, 'alarmEmail' | 'mailFrom'>;
}
