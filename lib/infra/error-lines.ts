import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type ILogGroup, MetricFilter, type MetricFilterProps } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/** The levels of error lines. Lambda's own lines have capitals. Filters are case-sensitive. */
export const errorLevels = ['error', 'ERROR', 'FATAL'] as const;

/** End of the report of an invocation that crashed or timed out; it has no level. */
export const failedStatuses = ['error', 'failure', 'timeout'] as const;

interface Log {
  readonly logGroup: ILogGroup;
  readonly namespace: string;
}

const every5Minutes = { statistic: 'Sum', period: Duration.minutes(5) };

function counted(
  scope: Construct,
  id: string,
  { logGroup, namespace: metricNamespace }: Log,
  filter: Pick<MetricFilterProps, 'filterPattern' | 'metricName' | 'dimensions'>,
): MetricFilter {
  return new MetricFilter(scope, id, { logGroup, metricNamespace, ...filter });
}

/** Counts the requests that the gateway has refused with 429 itself: the access log names no function's status. */
export function countRefusals(scope: Construct, log: Log): IMetric {
  const filterPattern = FilterPattern.all(
    FilterPattern.stringValue('$.status', '=', '429'),
    FilterPattern.stringValue('$.functionStatus', '=', '-'),
  );
  return counted(scope, 'Refusals', log, { filterPattern, metricName: 'RefusedRequests' }).metric(every5Minutes);
}

/** Counts the lines of requests, where no metric of AWS does. */
export function countRequestLines(scope: Construct, name: string, log: Log): IMetric {
  const filterPattern = FilterPattern.numberValue('$.status', '>', 0);
  const metricName = `${name}RequestLines`;
  return counted(scope, `${name}Requests`, log, { filterPattern, metricName }).metric(every5Minutes);
}

/** Counts the error lines of a web function: the service's own, and those of Lambda. */
export function countWebErrorLines(scope: Construct, name: string, log: Log): IMetric {
  const filterPattern = FilterPattern.any(
    ...errorLevels.map((level) => FilterPattern.stringValue('$.level', '=', level)),
    ...failedStatuses.map((status) => FilterPattern.stringValue('$.record.status', '=', status)),
  );
  const metricName = `${name}ErrorLines`;
  return counted(scope, `${name}Errors`, log, { filterPattern, metricName }).metric(every5Minutes);
}

/** Counts the service's own error lines in the log that background functions share, for each of them. */
export function countWorkErrorLines(scope: Construct, log: Log): (fn: Pick<IFunction, 'functionName'>) => IMetric {
  const lines = counted(scope, 'WorkErrors', log, {
    filterPattern: FilterPattern.stringValue('$.level', '=', 'error'),
    metricName: 'WorkErrorLines',
    dimensions: { function: '$.function' },
  });
  return ({ functionName }) => lines.metric({ ...every5Minutes, dimensionsMap: { function: functionName } });
}
