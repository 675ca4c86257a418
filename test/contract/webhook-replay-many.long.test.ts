import { expect, it } from '@jest/globals';
import { freezeDate } from '#test/support/frozen-date.ts';
import { storeEvents } from '#test/support/many-events.ts';
import { startTableProxy } from '#test/support/proxied-table.ts';
import { WebhookRoom } from '#test/support/webhook-room.ts';

const room = WebhookRoom.forTests();
const proxy = await startTableProxy();
const { itIs } = freezeDate();
const day = 24 * 60 * 60_000;

it('a replay has the time to count more events than another request could read', async () => {
  const { id } = await room.makeWebhook();
  itIs(-day);
  await storeEvents(room.workspace.workspaceId, 4_000, ['prod_1']);
  itIs(0);
  proxy.plan('Query', { kind: 'delay', milliseconds: 800 }, undefined, 'EVENTS#');
  const since = new Date(Date.now() - 2 * day).toISOString();
  const { status, json } = await room.manage(`POST webhooks/${id}/replay`, { since, types: ['menu_product.updated'] });
  expect([status, json]).toEqual([202, { events: 4_000 }]);
  proxy.heal();
});
