import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Edge } from './edge.ts';
import { countRefusals, countRequestLines, countWebErrorLines, countWorkErrorLines } from './error-lines.ts';
import type { HttpFront } from './http-front.ts';
import { BackgroundFunction, type Logs, type ServiceFunctionProps } from './service-function.ts';
import type { ServiceFunctions } from './service-functions.ts';
import type { Settings } from './settings.ts';

// The metrics that both alarms and dashboard show.

export const period = Duration.minutes(5);

export const sum = { statistic: 'Sum', period };
export const maximum = { statistic: 'Maximum', period };

/** The construct's own metrics name account and region, which dashboards need not. */
export const tableMetric = ({ tableName: TableName }: Pick<Monitored, 'tableName'>, metricName: string): Metric =>
  new Metric({ namespace: 'AWS/DynamoDB', metricName, ...sum, dimensionsMap: { TableName } });

/** A metric of a route that its functions write into their log lines (lib/http/log-line.ts). */
export const routeMetric = (
  { metricNamespace: namespace }: Pick<Monitored, 'metricNamespace'>,
  metricName: string,
  route: string,
): Metric => new Metric({ namespace, metricName, ...sum, dimensionsMap: { route } });

/**
 * How many of a hundred have failed; 0 below a least number of failures. So an alarm is true at one restaurant, where
 * one of two requests says nothing, and at a thousand, where some fail at any time.
 */
export const shareOf = (failures: IMetric, all: IMetric, failuresMin: number): IMetric =>
  new MathExpression({
    expression: `IF(failures >= ${failuresMin}, 100 * failures / (failures + FILL(all, 0)), 0)`,
    usingMetrics: { failures, all },
    period,
  });

/** A metric, or 0 where there are too few for it to say something. */
export const amongMany = (metric: IMetric, all: IMetric, countMin: number): IMetric =>
  new MathExpression({ expression: `IF(all >= ${countMin}, value, 0)`, usingMetrics: { value: metric, all }, period });

export interface AlarmPlan {
  /** Effect that the service's users notice. */
  readonly impact: string;
  /** Steps for the operator. */
  readonly advice: string;
  readonly metric: IMetric;
  /** @default 1 */
  readonly threshold?: number;
  /** Number of consecutive periods. @default 1 */
  readonly periods?: number;
  /** True if the metric must reach the threshold. The alarm then also fires for a missing metric. */
  readonly isHeartbeat?: boolean;
}

export interface OperationsProps {
  readonly settings: Settings;
  readonly tableName: string;
  /** The namespace of the metrics that functions write into their log lines. */
  readonly metricNamespace: string;
  readonly front: HttpFront;
  readonly edge: Edge;
  readonly logs: Logs;
  readonly functions: ServiceFunctions;
  /** Names of the functions behind a function URL. */
  readonly streamed: ReadonlySet<string>;
  /** The routes that let a model reply, by the names of their functions. */
  readonly modelRoutes: ReadonlyMap<string, string>;
  /** The vault of the nightly copies, if there are some. */
  readonly backupVault: string | undefined;
}

/** What alarms and dashboard watch. Functions have the names of their constructs. */
export type Monitored = ReturnType<typeof monitoredOf>;

export function monitoredOf(scope: Construct, props: OperationsProps) {
  const { front, edge, logs, metricNamespace: namespace, settings, ...rest } = props;
  const { all, background, webUploads } = props.functions;
  const errorLinesOf = countWorkErrorLines(scope, { logGroup: logs.work, namespace });
  const functions = new Map([...all].map(([name, { lambda }]) => [name, lambda]));
  return {
    ...rest,
    settings,
    metricNamespace: namespace,
    api: front.api,
    distribution: edge.distribution,
    refusedRequests: countRefusals(scope, { logGroup: front.accessLog, namespace }),
    canary: canaryOf(scope, edge.url, { logGroup: logs.work, settings }),
    functions,
    streamed: new Map([...functions].filter(([name]) => props.streamed.has(name))),
    background: [...background].map(
      ([
        name,
        {
          fn: { lambda: fn },
          work,
          followsTable,
        },
      ]) => {
        return { name, work, fn, followsTable, errorLines: errorLinesOf(fn) };
      },
    ),
    web: [...webUploads].map(([name, { logGroup }]) => {
      const errorLines = countWebErrorLines(scope, name, { logGroup, namespace });
      return { name, errorLines, requestLines: countRequestLines(scope, name, { logGroup, namespace }) };
    }),
    logGroups: [logs.requests, logs.work, ...[...webUploads.values()].map(({ logGroup }) => logGroup)],
  };
}

const canaryCode = dirname(fileURLToPath(new URL('canary/index.cjs', import.meta.url)));

/** Asks the service at its public address. A function of its own works in every region, and costs a few cents a month. */
const canaryOf = (scope: Construct, url: string, shared: Pick<ServiceFunctionProps, 'logGroup' | 'settings'>) =>
  new BackgroundFunction(scope, 'Canary', {
    trigger: { summary: 'Ask the service at its public address.', everyMinutes: 5, uses: [] },
    streamArn: '',
    code: canaryCode,
    environment: { ADDRESS: url },
    memoryMegabytes: 128,
    ...shared,
  }).fn.lambda;
