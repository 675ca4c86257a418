import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Monitored } from './monitored.ts';

// The metrics that both alarms and dashboard show.

export const period = Duration.minutes(5);

export const apiMetric = ({ apiId: ApiId }: Pick<Monitored, 'apiId'>, metricName: string, statistic: string): Metric =>
  new Metric({ namespace: 'AWS/ApiGateway', metricName, statistic, period, dimensionsMap: { ApiId } });

export const tableMetric = ({ tableName: TableName }: Pick<Monitored, 'tableName'>, metricName: string): Metric =>
  new Metric({ namespace: 'AWS/DynamoDB', metricName, statistic: 'Sum', period, dimensionsMap: { TableName } });

/** A metric of Lambda: of one function or, without its name, of the whole account in this region. */
export const lambdaMetric = (metricName: string, statistic: string, FunctionName?: string): Metric =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    statistic,
    period,
    ...(FunctionName !== undefined && { dimensionsMap: { FunctionName } }),
  });

/** A metric of a route that its functions write into their log lines (lib/http/log.ts). */
export const routeMetric = (
  { metricNamespace: namespace }: Pick<Monitored, 'metricNamespace'>,
  metricName: string,
  route: string,
): Metric => new Metric({ namespace, metricName, statistic: 'Sum', period, dimensionsMap: { route } });
