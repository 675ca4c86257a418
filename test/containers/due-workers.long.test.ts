import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BundleProcess } from '#test/support/bundle-process.ts';
import { MailSink } from '#test/support/mail-sink.ts';
import { pendingJobs, recipientsOf, storeForRecipients, streamRecord } from '#test/support/mail-work.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { sharedBundles } from '#test/support/shared-bundles.ts';
import { openWorkspace } from '#test/support/workspace.ts';

let sink: MailSink;
let workers: BundleProcess[];
let file: string;

beforeAll(async () => {
  await openOwnTable();
  sink = await MailSink.start();
  file = (await sharedBundles()).find(({ name }) => name === 'form-response-deliver')?.file ?? '';
  workers = Array.from({ length: 4 }, () => new BundleProcess({}));
});

afterAll(async () => {
  await Promise.all([...workers.map((worker) => worker.kill()), sink.stop()]);
});

it('four containers at once, by stream and schedule, send each mail one time, and one that is killed loses none', async () => {
  const { workspaceId } = await openWorkspace('kitchen');
  const jobs = await storeForRecipients(workspaceId, 60);
  const schedule = { time: new Date().toISOString() };
  const events = workers.flatMap((_, index) => {
    const records = jobs.slice(10 * index, 10 * index + 30).map(streamRecord);
    return [schedule, { Records: index % 2 === 0 ? records : records.toReversed() }];
  });
  await Promise.all(events.map((event, index) => workers[index % 4]?.ask({ file, event })));
  // On a busy machine the receiver may be too slow for a mail, which is then put off by a minute.
  const later = { time: new Date(Date.now() + 120_000).toISOString() };
  if ((await pendingJobs()).length > 0) await workers[0]?.ask({ file, event: later });
  expect(sink.mails.map(({ to }) => to[0]).sort()).toEqual(recipientsOf(60).sort());
  expect(await pendingJobs()).toEqual([]);

  sink.heal();
  await storeForRecipients(workspaceId, 30);
  sink.plan(() => {
    if (sink.attempts === 10) void workers[0]?.kill();
    return undefined;
  });
  const again = { time: new Date().toISOString() };
  await Promise.all(workers.slice(0, 2).map((worker) => worker.ask({ file, event: again })));
  const leased = (await pendingJobs()).map(({ recipient }) => String(recipient));
  const mailed = sink.mails.map(({ to }) => String(to[0]));
  expect([...new Set([...mailed, ...leased])].sort()).toEqual(recipientsOf(30).sort());
  expect(leased.length).toBeLessThanOrEqual(8);
});
