import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/** The levels of error lines. Lambda's own lines have capitals. Filters are case-sensitive. */
export const errorLevels = ['error', 'ERROR', 'FATAL'] as const;

/** End of the report of an invocation that crashed or timed out; it has no level. */
export const failedStatuses = ['error', 'failure', 'timeout'] as const;

/** Counts the requests that the gateway has refused with 429 itself: the access log names no function's status. */
export function countRefusals(scope: Construct, log: { readonly logGroup: ILogGroup; readonly namespace: string }) {
  const filter = new MetricFilter(scope, 'Refusals', {
    logGroup: log.logGroup,
    filterPattern: FilterPattern.all(
      FilterPattern.stringValue('$.status', '=', '429'),
      FilterPattern.stringValue('$.functionStatus', '=', '-'),
    ),
    metricNamespace: log.namespace,
    metricName: 'RefusedRequests',
  });
  return filter.metric({ statistic: 'Sum', period: Duration.minutes(5) });
}

/** Counts the lines of requests, where no metric of AWS does. */
export function countRequestLines(
  scope: Construct,
  name: string,
  log: { readonly logGroup: ILogGroup; readonly namespace: string },
): IMetric {
  const lines = new MetricFilter(scope, `${name}Requests`, {
    logGroup: log.logGroup,
    filterPattern: FilterPattern.numberValue('$.status', '>', 0),
    metricNamespace: log.namespace,
    metricName: `${name}RequestLines`,
  });
  return lines.metric({ statistic: 'Sum', period: Duration.minutes(5) });
}

/** Counts the error lines of a web function: the service's own, and those of Lambda. */
export function countWebErrorLines(
  scope: Construct,
  name: string,
  log: { readonly logGroup: ILogGroup; readonly namespace: string },
): IMetric {
  const lines = new MetricFilter(scope, `${name}Errors`, {
    logGroup: log.logGroup,
    filterPattern: FilterPattern.any(
      ...errorLevels.map((level) => FilterPattern.stringValue('$.level', '=', level)),
      ...failedStatuses.map((status) => FilterPattern.stringValue('$.record.status', '=', status)),
    ),
    metricNamespace: log.namespace,
    metricName: `${name}ErrorLines`,
  });
  return lines.metric({ statistic: 'Sum', period: Duration.minutes(5) });
}

/** Counts the service's own error lines in the log that background functions share, for each of them. */
export function countWorkErrorLines(
  scope: Construct,
  log: { readonly logGroup: ILogGroup; readonly namespace: string },
): (fn: Pick<IFunction, 'functionName'>) => IMetric {
  const lines = new MetricFilter(scope, 'WorkErrors', {
    logGroup: log.logGroup,
    filterPattern: FilterPattern.stringValue('$.level', '=', 'error'),
    metricNamespace: log.namespace,
    metricName: 'WorkErrorLines',
    dimensions: { function: '$.function' },
  });
  return ({ functionName }) =>
    lines.metric({ statistic: 'Sum', period: Duration.minutes(5), dimensionsMap: { function: functionName } });
}
