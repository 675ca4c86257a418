import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Observed } from './observed.ts';

export interface ServiceDashboardProps {
  readonly observed: Observed;
  readonly alarms: readonly cloudwatch.Alarm[];
}

const period = Duration.minutes(5);
const full = { width: 24, height: 6 };
const half = { width: 12, height: 6 };

/** One page: what users feel on top, what it comes from below. */
export class ServiceDashboard extends Construct {
  constructor(scope: Construct, id: string, { observed, alarms }: ServiceDashboardProps) {
    super(scope, id);
    const { logGroups } = observed;
    new cloudwatch.Dashboard(this, 'Dashboard', {
      defaultInterval: Duration.hours(6),
      widgets: [
        [new cloudwatch.AlarmStatusWidget({ title: 'What users feel now', alarms: [...alarms], width: 24, height: 4 })],
        requestWidgets(observed),
        functionWidgets(observed),
        tableWidgets(observed),
        [
          logWidget('Newest errors', logGroups, [
            "filter level = 'error'",
            'fields time, route, status, code, requestId, workspaceId, causes.0.message',
            'sort @timestamp desc',
            'limit 20',
          ]),
        ],
        [
          logWidget('Slowest and dearest routes', logGroups, [
            'filter ispresent(milliseconds)',
            'stats count() as requests, pct(milliseconds, 99) as p99, avg(dynamodb.readUnits) as reads, avg(dynamodb.writeUnits) as writes by route',
            'sort p99 desc',
          ]),
        ],
      ],
    });
  }
}

function requestWidgets({ apiId }: Observed): cloudwatch.IWidget[] {
  const api = (metricName: string, statistic: string) =>
    new cloudwatch.Metric({
      namespace: 'AWS/ApiGateway',
      metricName,
      statistic,
      period,
      label: `${metricName} ${statistic}`,
      dimensionsMap: { ApiId: apiId },
    });
  return [
    graph('Requests and refusals', [api('Count', 'Sum'), api('4xx', 'Sum'), api('5xx', 'Sum')]),
    graph('Milliseconds to the answer', [
      api('Latency', 'p50'),
      api('Latency', 'p99'),
      api('IntegrationLatency', 'p99'),
    ]),
  ];
}

function functionWidgets({ functions, started }: Observed): cloudwatch.IWidget[] {
  const each = [...functions].map(([label, fn]) => ({ label, fn }));
  const queues = started.flatMap(({ name, fn, deadLetters }) =>
    deadLetters
      ? [
          deadLetters.metricApproximateNumberOfMessagesVisible({ label: `${name} dead letters`, period }),
          fn.metric('IteratorAge', { label: `${name} behind, ms`, statistic: 'Maximum', period }),
        ]
      : [],
  );
  return [
    graph(
      'Functions that failed',
      each.map(({ label, fn }) => fn.metricErrors({ label, period })),
    ),
    queues.length > 0
      ? graph('Work that waits', queues)
      : graph(
          'Functions running',
          each.map(({ label, fn }) => fn.metric('ConcurrentExecutions', { label, period })),
        ),
  ];
}

function tableWidgets({ tableName }: Observed): cloudwatch.IWidget[] {
  const table = (metricName: string) =>
    new cloudwatch.Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      statistic: 'Sum',
      period,
      dimensionsMap: { TableName: tableName },
    });
  return [
    graph('Read and write units', [table('ConsumedReadCapacityUnits'), table('ConsumedWriteCapacityUnits')]),
    graph('Throttled calls', [table('ReadThrottleEvents'), table('WriteThrottleEvents')]),
  ];
}

const graph = (title: string, left: cloudwatch.IMetric[]): cloudwatch.GraphWidget =>
  new cloudwatch.GraphWidget({ title, left, ...half });

const logWidget = (title: string, logGroups: Observed['logGroups'], queryLines: string[]): cloudwatch.LogQueryWidget =>
  new cloudwatch.LogQueryWidget({
    title,
    logGroupNames: logGroups.map(({ logGroupName }) => logGroupName),
    queryLines,
    view: cloudwatch.LogQueryVisualizationType.TABLE,
    ...full,
  });
