import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { Alarms } from './alarms.ts';
import { ServiceDashboard } from './dashboard.ts';
import type { Observed } from './observed.ts';
import type { ServiceFunction } from './service-function.ts';
import type { StartedFunction } from './started-function.ts';

export interface OperationsProps {
  readonly apiId: string;
  readonly tableName: string;
  /** Every function by its construct's name. */
  readonly functions: ReadonlyMap<string, ServiceFunction>;
  /** Names of those behind a function URL. */
  readonly streamed: ReadonlySet<string>;
  readonly started: ReadonlyMap<string, StartedFunction>;
  readonly settings: Observed['settings'];
}

/** What an operator looks at, and what calls them. */
export class Operations extends Construct {
  constructor(scope: Construct, id: string, { functions, streamed, started, ...rest }: OperationsProps) {
    super(scope, id);
    const lambdas = new Map([...functions].map(([name, { lambda }]) => [name, lambda]));
    const observed: Observed = {
      ...rest,
      functions: lambdas,
      streamed: new Map([...lambdas].filter(([name]) => streamed.has(name))),
      started: [...started].map(([name, { fn, deadLetters }]) => {
        const givenUp = loggedErrors(this, name, fn);
        return { name, fn: fn.lambda, deadLetters, givenUp };
      }),
      logGroups: [...functions.values()].map(({ lambda }) => lambda.logGroup),
    };
    const alarms = new Alarms(this, 'Alarms', observed);
    new ServiceDashboard(this, 'Dashboard', { observed, alarms: alarms.all });
  }
}

function loggedErrors(scope: Construct, name: string, { lambda }: ServiceFunction): IMetric {
  const logged = new MetricFilter(scope, `${name}Errors`, {
    logGroup: lambda.logGroup,
    filterPattern: FilterPattern.stringValue('$.level', '=', 'error'),
    metricNamespace: 'WorkspaceApi',
    metricName: lambda.functionName,
  });
  return logged.metric({ statistic: 'Sum', period: Duration.minutes(5) });
}
