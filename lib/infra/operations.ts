import { Construct } from 'constructs';
import { Alarms } from './alarms.ts';
import type { BackgroundFunction } from './background-function.ts';
import { ServiceDashboard } from './dashboard.ts';
import { countErrorLines } from './error-lines.ts';
import type { Monitored } from './monitored.ts';
import type { ServiceFunction } from './service-function.ts';
import type { WebUpload } from './web-upload.ts';

export interface OperationsProps
  extends Pick<Monitored, 'apiId' | 'distributionId' | 'tableName' | 'metricNamespace' | 'modelRoutes' | 'settings'> {
  /** Every event function by its construct's name. */
  readonly functions: ReadonlyMap<string, ServiceFunction>;
  /** Names of those behind a function URL. */
  readonly streamed: ReadonlySet<string>;
  readonly background: ReadonlyMap<string, BackgroundFunction>;
  readonly web: ReadonlyMap<string, WebUpload>;
}

/** Dashboard and alarms of the service. */
export class Operations extends Construct {
  constructor(scope: Construct, id: string, { functions, streamed, background, web, ...rest }: OperationsProps) {
    super(scope, id);
    const { metricNamespace: namespace } = rest;
    const lambdas = new Map([...functions].map(([name, { lambda }]) => [name, lambda]));
    const monitored: Monitored = {
      ...rest,
      functions: lambdas,
      streamed: new Map([...lambdas].filter(([name]) => streamed.has(name))),
      background: [...background].map(
        ([
          name,
          {
            fn: { lambda: fn },
            isScheduled,
            deadLetters,
          },
        ]) => {
          const { logGroup } = fn;
          const errorLines = countErrorLines(this, name, { logGroup, namespace, includes: 'own' });
          return { name, fn, isScheduled, deadLetters, errorLines };
        },
      ),
      web: [...web].map(([name, { logGroup }]) => {
        return { name, errorLines: countErrorLines(this, name, { logGroup, namespace, includes: 'all' }) };
      }),
      logGroups: [
        ...[...lambdas.values()].map(({ logGroup }) => logGroup),
        ...[...web.values()].map((fn) => fn.logGroup),
      ],
    };
    const alarms = new Alarms(this, 'Alarms', monitored);
    new ServiceDashboard(this, 'Dashboard', { monitored, alarms: alarms.all });
  }
}
