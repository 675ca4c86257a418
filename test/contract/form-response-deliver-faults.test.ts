import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { dueAddress, parkedWork, retryParked } from '#lib/table/due/due-queue.ts';
import { dueShards } from '#lib/table/due/keys.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { MailSink } from '#test/support/mail-sink.ts';
import {
  advanceUntilDue,
  deliver,
  deliverJobs,
  parkedJobs,
  pendingJobs,
  recipientsOf,
  storeForRecipients,
  streamRecord,
  sweep,
} from '#test/support/mail-work.ts';
import { openOwnTable, restoreItems } from '#test/support/own-table.ts';
import { shortenPauses } from '#test/support/short-pauses.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const engine = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
let proxy: FaultProxy;
let sink: MailSink;
let kitchen: Workspace;

beforeAll(async () => {
  shortenPauses();
  await openOwnTable();
  kitchen = await openWorkspace('kitchen');
  sink = await MailSink.start();
  proxy = await FaultProxy.start(engine);
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
});

afterAll(async () => {
  await Promise.all([sink.stop(), proxy.stop()]);
});

beforeEach(async () => {
  sink.heal();
  proxy.heal();
  await restoreItems([]);
});

const store = (count = 1) => storeForRecipients(kitchen.workspaceId, count);
const mailed = () => sink.mails.map(({ to }) => to[0]).sort();

describe('a mail service that is', () => {
  it.each([
    ['down', 7, { kind: 'error', type: 'ServiceUnavailable', status: 503 }],
    ['overtaxed', 2, { kind: 'error', type: 'TooManyRequestsException', status: 429 }],
    ['paused', 2, { kind: 'error', type: 'SendingPausedException', status: 400 }],
    ['denying access', 2, { kind: 'error', type: 'AccessDeniedException', status: 403 }],
    ['out of reach', 2, { kind: 'reset before' }],
  ] as const)(
    '%s loses nothing, does not delay the stream, and is retried at growing intervals',
    async (_, attempts, fault) => {
      const jobs = await store();
      sink.plan(fault);
      const pauses: number[] = [];
      for (let attempt = 1; attempt <= attempts; attempt++) {
        const before = Date.now();
        expect(attempt === 1 ? await deliverJobs(jobs) : await sweep().then(() => [])).toEqual([]);
        const [job] = await pendingJobs();
        expect(job).toMatchObject({ attempts: attempt, failure: expect.stringMatching(/\w/) });
        pauses.push(job ? Math.round((dueAddress(job).dueAt - before) / 60_000) : 0);
        const triedBefore = sink.attempts;
        await Promise.all([sweep(), deliverJobs(jobs)]);
        expect(sink.attempts).toBe(triedBefore);
        await advanceUntilDue();
      }
      expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60].slice(0, attempts));
      sink.heal();
      await sweep();
      expect(sink.mails).toHaveLength(1);
      expect(await pendingJobs()).toEqual([]);
    },
  );

  it('down for a day parks the job with the reason, and it can be sent from there', async () => {
    const [job] = await store();
    // Imitates most of a day.
    await testTable().put({ ...(job as NonNullable<typeof job>), attempts: 24 });
    sink.plan({ kind: 'error', type: 'ServiceUnavailable', status: 503 });
    for (let attempts = 0; (await pendingJobs()).length > 0; attempts++) {
      expect(attempts).toBeLessThan(4);
      await sweep();
      await advanceUntilDue();
    }
    const { recipient, responseId } = job ?? {};
    const failure = 'ServiceUnavailable: A planned fault.';
    expect(await parkedJobs()).toMatchObject([{ attempts: 28, recipient, responseId, failure }]);
    expect(sink.mails).toEqual([]);

    sink.heal();
    const [parked] = await Array.fromAsync(parkedWork(testTable(), 'mail', kitchen.workspaceId));
    expect(parked && (await retryParked(testTable(), parked))).toBe(true);
    expect(parked && (await retryParked(testTable(), parked))).toBe(false);
    await sweep();
    expect(mailed()).toEqual([recipient]);
    expect(await parkedJobs()).toEqual([]);
  });
});

it('the delivery of mails parks a job whose attempts have all died with their process', async () => {
  const jobs = await store();
  await testTable().put({
    ...(jobs[0] as NonNullable<(typeof jobs)[0]>),
    attempts: 28,
    leaseOwner: 'x',
    leaseUntil: 1,
  });
  await sweep();
  expect(sink.attempts).toBe(0);
  expect(await parkedJobs()).toMatchObject([{ failure: 'No attempt came to an end.', attempts: 29 }]);
});

describe('a mail that is refused', () => {
  it.each(['BadRequestException', 'MessageRejected'])(
    'a mail that is refused with %s is parked immediately and delays no other',
    async (type) => {
      const jobs = await store(8);
      sink.plan(({ to }) => (to[0] === 'owner-7@example.com' ? { kind: 'error', type, status: 400 } : undefined));
      expect(await deliverJobs(jobs)).toEqual([]);
      expect(sink.mails).toHaveLength(7);
      expect(await pendingJobs()).toEqual([]);
      const failure = `${type}: A planned fault.`;
      expect(await parkedJobs()).toMatchObject([{ recipient: 'owner-7@example.com', attempts: 1, failure }]);
    },
  );
});

it('the delivery of mails sends at most one duplicate of a mail for each lost response', async () => {
  const jobs = await store(10);
  sink.plan({ kind: 'reset after' }, 5);
  expect(await deliverJobs(jobs)).toEqual([]);
  await advanceUntilDue();
  await sweep();
  expect(new Set(mailed())).toEqual(new Set(recipientsOf(10)));
  expect(sink.mails.length).toBeLessThanOrEqual(15);
  expect(await pendingJobs()).toEqual([]);
});

it('the delivery of mails leaves jobs for later when its time is over', async () => {
  const jobs = await store(3);
  const noTime = { getRemainingTimeInMillis: () => 10_000 };
  expect((await deliver(jobs.map(streamRecord), noTime)).sort()).toEqual(['0', '1', '2']);
  expect(sink.attempts).toBe(0);
  await sweep();
  expect(sink.mails).toHaveLength(3);
});

describe('a table that', () => {
  const down = { kind: 'error', type: 'InternalServerError', status: 500 } as const;

  it('refuses to lease jobs gets them delivered again', async () => {
    const jobs = await store(3);
    proxy.plan('UpdateItem', down);
    expect((await deliverJobs(jobs)).sort()).toEqual(['0', '1', '2']);
    proxy.heal();
    expect(await deliverJobs(jobs)).toEqual([]);
    expect(mailed()).toEqual(recipientsOf(3));
  });

  it('loses the answer to a lease sends one mail', async () => {
    const jobs = await store();
    proxy.plan('UpdateItem', { kind: 'reset after' }, 1);
    expect(await deliverJobs(jobs)).toEqual([]);
    expect(sink.mails).toHaveLength(1);
    expect(await pendingJobs()).toEqual([]);
  });

  it('cannot be read leaves the job due', async () => {
    const jobs = await store();
    proxy.plan('BatchGetItem', down);
    expect(await deliverJobs(jobs)).toEqual([]);
    expect(sink.attempts).toBe(0);
    proxy.heal();
    await advanceUntilDue();
    await sweep();
    expect(sink.mails).toHaveLength(1);
  });

  it('loses the record of a sent mail sends it again after the lease', async () => {
    const jobs = await store();
    proxy.plan('TransactWriteItems', down);
    expect(await deliverJobs(jobs)).toEqual(['0']);
    proxy.heal();
    await Promise.all([sweep(), deliverJobs(jobs)]);
    expect(sink.mails).toHaveLength(1);
    await advanceUntilDue();
    await sweep();
    expect(sink.mails).toHaveLength(2);
    expect(await pendingJobs()).toEqual([]);
  });

  it('loses the answer to parking parks one time', async () => {
    const jobs = await store();
    sink.plan({ kind: 'error', type: 'MessageRejected', status: 400 });
    proxy.plan('TransactWriteItems', { kind: 'reset after' }, 1);
    expect(await deliverJobs(jobs)).toEqual([]);
    expect(await parkedJobs()).toHaveLength(1);
    expect(await pendingJobs()).toEqual([]);
  });

  it('cannot be queried fails the schedule, which finds everything the next time', async () => {
    await store(5);
    proxy.plan('Query', down);
    await expect(sweep()).rejects.toThrow('The table did not answer.');
    proxy.heal();
    await sweep();
    expect(sink.mails).toHaveLength(5);
  });

  it('is read with one query per shard when there is nothing to do', async () => {
    await proxy.forget();
    await sweep();
    expect(proxy.calls.map(({ operation }) => operation)).toEqual(dueShards.map(() => 'Query'));
    expect(proxy.calls.every(({ input }) => input.ConsistentRead)).toBe(true);
  });
});
