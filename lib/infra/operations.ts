import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { Alarms } from './alarms.ts';
import { ServiceDashboard } from './dashboard.ts';
import type { ServiceFunction } from './service-function.ts';
import type { Settings } from './settings.ts';
import type { StartedFunction } from './started-function.ts';

export interface OperationsProps {
  readonly apiId: string;
  readonly tableName: string;
  /** Every function by its construct's name. */
  readonly functions: ReadonlyMap<string, ServiceFunction>;
  /** Names of those behind a function URL. */
  readonly streamed: ReadonlySet<string>;
  readonly started: ReadonlyMap<string, StartedFunction>;
  readonly settings: Pick<Settings, 'alarmEmail' | 'mailFrom'>;
}

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
  readonly settings: OperationsProps['settings'];
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
