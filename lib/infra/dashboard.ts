import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { Alarms } from './alarms.ts';
import { errorLevels, failedStatuses } from './error-lines.ts';
import { type Monitored, maximum, monitoredOf, type OperationsProps, period, tableMetric } from './monitored.ts';

/** Dashboard and alarms of the service: on one page the effects on users, their causes below. */
export class Operations extends Construct {
  constructor(scope: Construct, id: string, props: OperationsProps) {
    super(scope, id);
    const monitored = monitoredOf(this, props);
    const { logGroups } = monitored;
    const { all: alarms } = new Alarms(this, 'Alarms', monitored);
    new cloudwatch.Dashboard(new Construct(this, 'Dashboard'), 'Dashboard', {
      defaultInterval: Duration.hours(6),
      widgets: [
        [new cloudwatch.AlarmStatusWidget({ title: 'What users notice now', alarms, width: 24, height: 4 })],
        requestWidgets(monitored),
        routeWidgets(monitored),
        functionWidgets(monitored),
        capacityWidgets(monitored),
        tableWidgets(monitored),
        logWidget('Newest errors', logGroups, newestErrors),
        logWidget('Slowest and most expensive routes', logGroups, [
          'filter ispresent(milliseconds)',
          'stats count() as requests, pct(milliseconds, 99) as p99, avg(dynamodb.readUnits) as reads, avg(dynamodb.writeUnits) as writes by route',
          'sort p99 desc',
        ]),
      ],
    });
  }
}

const listed = (values: readonly string[]): string => `[${values.map((value) => `"${value}"`).join(', ')}]`;

/** The service's error lines, those of Lambda after a crash, and its report of a timeout. */
const newestErrors = [
  `filter level in ${listed(errorLevels)} or record.status in ${listed(failedStatuses)}`,
  'fields @timestamp, coalesce(route, function, @logStream) as source, status, code, coalesce(requestId, record.requestId) as request, workspaceId, coalesce(causes.0.message, message, errorMessage, record.errorType, record.status) as reason',
  'sort @timestamp desc',
  'limit 20',
];

function requestWidgets({ api, distribution }: Monitored): cloudwatch.IWidget[] {
  // CloudFront always writes its metrics in us-east-1.
  const edge = (metricName: string, statistic: string) =>
    distribution.metric(metricName, {
      statistic,
      period,
      region: 'us-east-1',
      label: `CloudFront ${metricName}`,
      dimensionsMap: { DistributionId: distribution.distributionId, Region: 'Global' },
    });
  const of = (metricName: string, statistic: string) =>
    api.metric(metricName, { statistic, period, label: `${metricName} ${statistic}` });
  return [
    graph(
      'Requests and refusals',
      [of('Count', 'Sum'), of('4xx', 'Sum'), of('5xx', 'Sum'), edge('Requests', 'Sum')],
      [edge('5xxErrorRate', 'Average')],
    ),
    graph('Milliseconds to the answer', [of('Latency', 'p50'), of('Latency', 'p99'), of('IntegrationLatency', 'p99')]),
  ];
}

/**
 * By route, from the metrics that functions write into their log lines. In a search expression, a name with characters
 * other than letters and digits needs quotes.
 */
function routeWidgets({ metricNamespace, settings }: Monitored): cloudwatch.IWidget[] {
  const byRoute = (metricName: string, statistic: string) =>
    new cloudwatch.MathExpression({
      expression: `SEARCH('{"${metricNamespace}",route} MetricName="${metricName}"', '${statistic}')`,
      label: metricName,
      period,
      usingMetrics: {},
    });
  const work = ['AiTokens', 'AiReplyFailures', 'Mails', 'Webhooks'].map((name) => byRoute(name, 'Sum'));
  if (!settings.routeMetrics) return [graph('AI tokens, failed replies, mails and webhooks', work)];
  return [
    graph('Milliseconds by route, p99', [byRoute('Latency', 'p99')]),
    graph('Failures by route', [byRoute('Status5xx', 'Sum')]),
    graph('Read and write units by route', [byRoute('ReadUnits', 'Sum'), byRoute('WriteUnits', 'Sum')]),
    graph('AI tokens, failed replies, mails and webhooks', work),
  ];
}

function functionWidgets({ functions, background }: Monitored): cloudwatch.IWidget[] {
  const behind = background.flatMap(({ name, fn, followsTable }) =>
    followsTable ? [fn.metric('IteratorAge', { label: `${name} behind, ms`, ...maximum })] : [],
  );
  const failed = [...functions].map(([label, fn]) => fn.metricErrors({ label, period }));
  return [graph('Functions that failed', failed), ...(behind.length > 0 ? [graph('Work that waits', behind)] : [])];
}

function capacityWidgets({ functions, settings: { concurrencyQuota: quota } }: Monitored): cloudwatch.IWidget[] {
  const running = [...functions].map(([label, fn]) => fn.metric('ConcurrentExecutions', { label, ...maximum }));
  return [
    graph('Functions running at once', running),
    graph(
      'Concurrent executions of the account, and refused starts',
      [LambdaFunction.metricAll('ClaimedAccountConcurrency', maximum)],
      [LambdaFunction.metricAllThrottles({ period })],
      quota === undefined ? [] : [{ value: quota, label: 'quota' }],
    ),
  ];
}

function tableWidgets(monitored: Monitored): cloudwatch.IWidget[] {
  const both = (names: readonly string[]) => names.map((name) => tableMetric(monitored, name));
  return [
    graph('Read and write units', both(['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'])),
    graph('Throttled calls', both(['ReadThrottleEvents', 'WriteThrottleEvents'])),
  ];
}

const graph = (
  title: string,
  left: cloudwatch.IMetric[],
  right: cloudwatch.IMetric[] = [],
  leftAnnotations: cloudwatch.HorizontalAnnotation[] = [],
): cloudwatch.GraphWidget => new cloudwatch.GraphWidget({ title, left, right, leftAnnotations, width: 12, height: 6 });

const logWidget = (title: string, logGroups: readonly ILogGroup[], queryLines: string[]): cloudwatch.IWidget[] => [
  new cloudwatch.LogQueryWidget({
    title,
    logGroupNames: logGroups.map(({ logGroupName }) => logGroupName),
    queryLines,
    view: cloudwatch.LogQueryVisualizationType.TABLE,
    width: 24,
    height: 6,
  }),
];
