import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ScheduledEvent } from 'aws-lambda';
import { call } from '#test/support/call.ts';
import { keepLogLines, matchesFilter } from '#test/support/log-lines.ts';
import { MailSink } from '#test/support/mail-sink.ts';
import { deliverJobs, storeResponse } from '#test/support/mail-work.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { S3FaultProxy } from '#test/support/s3-fault-proxy.ts';
import { WebhookRoom } from '#test/support/webhook-room.ts';
import { sweepWebhooks } from '#test/support/webhook-work.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { everySetting } from './every-setting.ts';
import { declared, type Resource, resourcesOf, synthesize } from './synthesize.ts';

// Compares the lines that functions write after a failure with the filters of the alarms.

type Line = Readonly<Record<string, unknown>>;

const service = await synthesize(declared, everySetting);

let mail: MailSink;
let bucket: S3FaultProxy;
let kitchen: Workspace;
let written: string[];

beforeAll(async () => {
  await openOwnTable();
  kitchen = await openWorkspace('kitchen', (document) => {
    const engage = ['messaging:conversation:engage'];
    document.members.push({ id: 'mem_files', name: 'Sara', permissions: engage });
    const secret = `files-${document.workspace.id}`;
    document.apiKeys.push({ id: 'key_files', name: 'Files', secret, memberId: 'mem_files', permissions: engage });
  });
  mail = await MailSink.start();
  bucket = await S3FaultProxy.start();
  process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;
});

beforeEach(() => {
  process.env['AWS_LAMBDA_FUNCTION_NAME'] = 'WorkspaceApi-FormResponseDeliver';
  written = keepLogLines();
});

afterAll(() => Promise.all([mail.stop(), bucket.stop()]));

/** The lines so far. Capturing continues. */
function linesWritten(): Line[] {
  jest.restoreAllMocks();
  return written.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line));
}

/** The metric of the failures of which an alarm watches the share. */
function failuresOf({ Properties }: Resource): Line {
  const metrics = Properties['Metrics'] as { Id: string; MetricStat?: { Metric: Line } }[];
  return metrics.find(({ Id }) => Id === 'failures')?.MetricStat?.Metric ?? {};
}

/** The pattern of the metric filter behind the alarm with this name. */
function filterPatternOf(alarmName: string): string {
  const [, alarm] = resourcesOf(service, 'AWS::CloudWatch::Alarm').find(([id]) => id.includes(alarmName)) as [
    string,
    Resource,
  ];
  const { MetricName } = failuresOf(alarm);
  const filters = resourcesOf(service, 'AWS::Logs::MetricFilter').map(([, { Properties }]) => Properties);
  const filter = filters.find(
    (filter) => (filter['MetricTransformations'] as Line[])[0]?.['MetricName'] === MetricName,
  );
  return String(filter?.['FilterPattern']);
}

it('A mail that is parked sets off FormResponseDeliverGaveUp', async () => {
  const jobs = await storeResponse(kitchen.workspaceId, { message: 'Hello' });
  mail.plan({ kind: 'error', type: 'BadRequestException', status: 400 });
  await deliverJobs(jobs);
  const pattern = filterPatternOf('FormResponseDeliverGaveUp');
  // The filter counts for each function, whose name Lambda gives it.
  expect(linesWritten().filter((line) => matchesFilter(pattern, line))).toMatchObject([
    { function: 'WorkspaceApi-FormResponseDeliver' },
  ]);
});

it('An upload that cannot be removed sets off AttachmentsSweepGaveUp after an hour, and not before', async () => {
  const body = { files: [{ name: 'a.pdf', type: 'application/pdf', size: 5 }] };
  const key = `files-${kitchen.workspaceId}`;
  expect(await call('POST /api/v1/connect/attachments/announce', { key, body })).toMatchObject({ status: 200 });
  const { handler } = await import('#functions/attachments-sweep/handler.ts');
  const pattern = filterPatternOf('AttachmentsSweepGaveUp');
  const countedAfter = async (minutes: number) => {
    written = keepLogLines();
    bucket.plan('any', { kind: 'error', code: 'AccessDenied', status: 403 });
    const time = new Date(Date.now() + minutes * 60_000).toISOString();
    await handler({ time } as ScheduledEvent, { getRemainingTimeInMillis: () => 55_000 });
    return linesWritten().filter((line) => matchesFilter(pattern, line)).length;
  };
  // The mail is parked after half an hour.
  expect(await countedAfter(45)).toBe(0);
  expect(await countedAfter(95)).toBe(1);
});

it('A reply that fails is counted by AiReplyStreamRepliesFailing', async () => {
  const room = await openWorkspace('chat');
  expect((await room.ask()).end).toMatchObject({ type: 'error' });
  const [, alarm] = resourcesOf(service, 'AWS::CloudWatch::Alarm').find(([id]) =>
    id.includes('AiReplyStreamRepliesFailing'),
  ) as [string, Resource];
  const { Namespace, MetricName, Dimensions } = failuresOf(alarm);
  const [{ Name, Value }] = Dimensions as [{ Name: string; Value: string }];
  const counting = linesWritten().filter((line) => {
    const { CloudWatchMetrics = [] } = (line['_aws'] ?? {}) as { CloudWatchMetrics?: Line[] };
    return CloudWatchMetrics.some(
      (filter) =>
        filter['Namespace'] === Namespace &&
        JSON.stringify(filter['Dimensions']) === JSON.stringify([[Name]]) &&
        (filter['Metrics'] as Line[]).some((metric) => metric['Name'] === MetricName),
    );
  });
  expect(counting).toMatchObject([{ [Name]: Value, [String(MetricName)]: 1 }]);
});

describe('The receiver of a webhook', () => {
  const room = WebhookRoom.forTests();

  it('sets off no alarm when it fails, because it is not ours', async () => {
    await room.makeWebhook();
    room.receiver.answer = (_, response) => response.writeHead(500).end();
    await room.rename('Sara');
    await sweepWebhooks();
    const lines = linesWritten();
    expect(lines).toContainEqual(expect.objectContaining({ message: 'An attempt of a webhook has failed.' }));
    const pattern = filterPatternOf('WebhooksDeliverGaveUp');
    expect(lines.filter((line) => matchesFilter(pattern, line))).toEqual([]);
  });
});
