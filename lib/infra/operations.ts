import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Construct } from 'constructs';
import { Alarms } from './alarms.ts';
import { BackgroundFunction } from './background-function.ts';
import { ServiceDashboard } from './dashboard.ts';
import type { Edge } from './edge.ts';
import { countRefusals, countRequestLines, countWebErrorLines, countWorkErrorLines } from './error-lines.ts';
import type { HttpFront } from './http-front.ts';
import type { Monitored } from './monitored.ts';
import type { Logs, ServiceFunction, ServiceFunctionProps } from './service-function.ts';
import type { Settings } from './settings.ts';
import type { WebUpload } from './web-upload.ts';

export interface OperationsProps
  extends Pick<Monitored, 'tableName' | 'metricNamespace' | 'modelRoutes' | 'backupVault'> {
  readonly settings: Settings;
  readonly front: HttpFront;
  readonly edge: Edge;
  readonly logs: Logs;
  /** Every event function by its construct's name. */
  readonly functions: ReadonlyMap<string, ServiceFunction>;
  /** Names of those behind a function URL. */
  readonly streamed: ReadonlySet<string>;
  readonly background: ReadonlyMap<string, BackgroundFunction>;
  readonly web: ReadonlyMap<string, WebUpload>;
}

/** Dashboard and alarms of the service. */
export class Operations extends Construct {
  constructor(scope: Construct, id: string, { functions, streamed, background, web, ...props }: OperationsProps) {
    super(scope, id);
    const { front, edge, logs, ...rest } = props;
    const namespace = rest.metricNamespace;
    const errorLinesOf = countWorkErrorLines(this, { logGroup: logs.work, namespace });
    const lambdas = new Map([...functions].map(([name, { lambda }]) => [name, lambda]));
    const monitored: Monitored = {
      ...rest,
      apiId: front.apiId,
      distributionId: edge.distribution.distributionId,
      refusedRequests: countRefusals(this, { logGroup: front.accessLog, namespace }),
      canary: canaryOf(this, edge.url, { logGroup: logs.work, settings: rest.settings }),
      functions: lambdas,
      streamed: new Map([...lambdas].filter(([name]) => streamed.has(name))),
      background: [...background].map(([name, { fn, work, followsTable }]) => ({
        name,
        work,
        fn: fn.lambda,
        followsTable,
        errorLines: errorLinesOf(fn.lambda),
      })),
      web: [...web].map(([name, { logGroup }]) => {
        const errorLines = countWebErrorLines(this, name, { logGroup, namespace });
        return { name, errorLines, requestLines: countRequestLines(this, name, { logGroup, namespace }) };
      }),
      logGroups: [logs.requests, logs.work, ...[...web.values()].map(({ logGroup }) => logGroup)],
    };
    const alarms = new Alarms(this, 'Alarms', monitored);
    new ServiceDashboard(this, 'Dashboard', { monitored, alarms: alarms.all });
  }
}

const canaryCode = dirname(fileURLToPath(new URL('canary/index.cjs', import.meta.url)));

/** A function of its own works in every region, and costs a few cents a month. */
const canaryOf = (scope: Construct, url: string, shared: Pick<ServiceFunctionProps, 'logGroup' | 'settings'>) =>
  new BackgroundFunction(scope, 'Canary', {
    trigger: { summary: 'Ask the service at its public address.', everyMinutes: 5, uses: [] },
    streamArn: '',
    code: canaryCode,
    environment: { ADDRESS: url },
    memoryMegabytes: 128,
    ...shared,
  }).fn.lambda;
