import { beforeAll, expect, it } from '@jest/globals';
import { isLongRun } from '#test/support/long-run.ts';
import { startTableProxy } from '#test/support/proxied-table.ts';
import { shortenPauses } from '#test/support/short-pauses.ts';
import { WebhookRoom } from '#test/support/webhook-room.ts';
import { advanceAttempts, dueAttempts, streamChange, sweepWebhooks } from '#test/support/webhook-work.ts';

const room = WebhookRoom.forTests();
const proxy = await startTableProxy();
beforeAll(() => shortenPauses());

const faults = {
  'fails before it works': { kind: 'error', type: 'InternalServerError', status: 500 },
  'is throttled': { kind: 'error', type: 'ProvisionedThroughputExceededException', status: 400 },
  'loses its connection before it works': { kind: 'reset before' },
  'loses its reply': { kind: 'reset after' },
} as const;
const operations = ['Query', 'BatchGetItem', 'UpdateItem', 'TransactWriteItems'];
/** In the fast run each operation fails in another way. */
const cases = operations.flatMap((operation, index) =>
  Object.entries(faults)
    .filter((_, kind) => isLongRun || kind === index)
    .map(([name, fault]) => [operation, name, fault] as const),
);

it.each(cases)('an event arrives, although %s of the table %s', async (operation, name, fault) => {
  const webhook = await room.makeWebhook();
  await room.rename(`${operation} ${name}`);
  // More often than the client repeats a call.
  proxy.plan(operation, fault, 6);
  await sweepWebhooks().catch(() => undefined);
  proxy.heal();
  for (let round = 0; round < 3; round++) {
    await advanceAttempts();
    await sweepWebhooks();
  }
  expect(room.receiver.received.length).toBeGreaterThanOrEqual(1);
  expect(new Set(room.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(await room.deliveriesOf(webhook)).toMatchObject([{ status: 'delivered' }]);
  expect(await dueAttempts()).toEqual([]);
});

it('the stream is asked to repeat what could not be looked for', async () => {
  await room.makeWebhook();
  await room.rename('Repeated');
  const events = `EVENTS#${room.workspace.workspaceId}`;
  proxy.plan('Query', faults['fails before it works'], Number.POSITIVE_INFINITY, events);
  const failed = await streamChange(room.workspace.workspaceId);
  proxy.heal();
  expect(failed).toEqual(['1']);
  expect(await streamChange(room.workspace.workspaceId)).toEqual([]);
  expect(room.receiver.events).toEqual([['member.updated', 'mem_1']]);
});
