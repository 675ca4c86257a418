import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Edge } from './edge.ts';
import { countRefusals, countRequestLines, countWebErrorLines, countWorkErrorLines } from './error-lines.ts';
import type { HttpFront } from './http-front.ts';
import { BackgroundFunction, type Logs, type ServiceFunctionProps } from './service-function.ts';
import type { ServiceFunctions } from './service-functions.ts';
import type { Settings } from './settings.ts';

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
    apiId: front.apiId,
    distributionId: edge.distribution.distributionId,
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
