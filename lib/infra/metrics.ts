import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
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

/** A metric of a route that its functions write into their log lines (lib/http/log-line.ts). */
export const routeMetric = (
  { metricNamespace: namespace }: Pick<Monitored, 'metricNamespace'>,
  metricName: string,
  route: string,
): Metric => new Metric({ namespace, metricName, statistic: 'Sum', period, dimensionsMap: { route } });

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
