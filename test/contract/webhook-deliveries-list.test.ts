import { describe, expect, it } from '@jest/globals';
import { WebhookRoom } from '#test/support/webhook-room.ts';
import { sweepWebhooks } from '#test/support/webhook-work.ts';

const room = WebhookRoom.forTests();

describe('GET deliveries', () => {
  it('has pages, newest first', async () => {
    const webhook = await room.makeWebhook();
    for (const name of ['P1', 'P2', 'P3']) await room.rename(name);
    await sweepWebhooks();
    const all = await room.deliveriesOf(webhook);
    const first = (await room.manage(`GET webhooks/${webhook.id}/deliveries?limit=2`)).json;
    const second = (await room.manage(`GET webhooks/${webhook.id}/deliveries?limit=2&cursor=${first.next}`)).json;
    expect([...first.data, ...second.data]).toEqual(all);
    expect(second.next).toBeNull();
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .reverse(),
    );
  });

  it('is 404 for a webhook of another workspace, and 403 without the permission', async () => {
    const webhook = await room.makeWebhook();
    const get = (key: string | undefined) => room.manage(`GET webhooks/${webhook.id}/deliveries`, undefined, key);
    expect((await get(room.other.keys.admin)).status).toBe(404);
    const { json: weak } = await room.manage('POST api-keys', { name: 'Weak', permissions: ['menu:product:read'] });
    expect((await get(weak.secret)).status).toBe(403);
  });
});
