import { expect, it } from '@jest/globals';
import { startTableProxy } from '#test/support/proxied-table.ts';
import type { Input, TableCall } from '#test/support/table-call.ts';
import { WebhookRoom } from '#test/support/webhook-room.ts';
import { advanceAttempts, sweepWebhooks } from '#test/support/webhook-work.ts';

const room = WebhookRoom.forTests();
const proxy = await startTableProxy();

/** Write units of DynamoDB for writes of up to 1 KB; those of a transaction count twice. */
function unitsOf({ operation, input }: TableCall): number {
  if (operation === 'TransactWriteItems') return 2 * input.TransactItems.length;
  if (operation === 'BatchWriteItem') return Object.values<Input[]>(input.RequestItems).flat().length;
  return operation === 'UpdateItem' || operation === 'PutItem' ? 1 : 0;
}

async function unitsOfSweep(): Promise<number> {
  proxy.calls = [];
  await sweepWebhooks();
  return proxy.calls.reduce((sum, call) => sum + unitsOf(call), 0);
}

it('a run without new events writes nothing', async () => {
  await room.makeWebhook();
  await sweepWebhooks();
  expect(await unitsOfSweep()).toBe(0);
});

it('an event costs its writer nothing, its follower 8 write units, and its attempt 5', async () => {
  const units = async () => {
    proxy.calls = [];
    await room.rename(String(Math.random()));
    return proxy.calls.reduce((sum, call) => sum + unitsOf(call), 0);
  };
  const alone = await units();
  await room.makeWebhook();
  await sweepWebhooks();
  expect(await units()).toBe(alone);
  // Its place in the feed 2, the follower 2, the delivery 2, its due work 2; the claim 1, the delivery 2, the end 2.
  expect(await unitsOfSweep()).toBe(13);
  expect(room.receiver.received).toHaveLength(1);
});

it('an attempt that fails costs 8 write units', async () => {
  await room.makeWebhook();
  room.receiver.answer = (_, response) => response.writeHead(500).end();
  await room.rename('Fails');
  await sweepWebhooks();
  await advanceAttempts();
  // The claim 1, the failure 1, the delivery 2, its due work at another time 4.
  expect(await unitsOfSweep()).toBe(8);
});
