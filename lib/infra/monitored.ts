import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Settings } from './settings.ts';

export interface AlarmPlan {
  /** Effect that the service's users notice. */
  readonly impact: string;
  /** Steps for the operator. */
  readonly advice: string;
  readonly metric: IMetric;
  readonly threshold: number;
  /** Number of consecutive periods. @default 1 */
  readonly periods?: number;
  /** True if the metric must reach the threshold. The alarm then also fires for a missing metric. */
  readonly isHeartbeat?: boolean;
}

/** The resources that alarms and dashboard watch. Functions have the names of their constructs. */
export interface Monitored {
  readonly apiId: string;
  readonly distributionId: string;
  readonly tableName: string;
  /** The namespace of the metrics that functions write into their log lines. */
  readonly metricNamespace: string;
  readonly functions: ReadonlyMap<string, IFunction>;
  /** Requests that the gateway has refused with 429. */
  readonly refusedRequests: IMetric;
  /** The vault of the nightly copies, if there are some. */
  readonly backupVault: string | undefined;
  /** Asks the service at its public address. */
  readonly canary: IFunction;
  /** Functions behind a function URL. */
  readonly streamed: ReadonlyMap<string, IFunction>;
  /** Web functions, with their error lines and those of their requests. */
  readonly web: readonly { readonly name: string; readonly errorLines: IMetric; readonly requestLines: IMetric }[];
  /** The routes that let a model reply, by the names of their functions. */
  readonly modelRoutes: ReadonlyMap<string, string>;
  readonly background: readonly {
    readonly name: string;
    /** What it does, in one sentence. */
    readonly work: string;
    readonly fn: IFunction;
    readonly followsTable: boolean;
    /** The number of logged errors: work that is not retried. */
    readonly errorLines: IMetric;
  }[];
  readonly logGroups: readonly ILogGroup[];
  readonly settings: Pick<Settings, 'alarmEmail' | 'routeMetrics' | 'mail' | 'concurrencyQuota'>;
}
