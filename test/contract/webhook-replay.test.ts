import { describe, expect, it } from '@jest/globals';
import { plainProduct as product } from '#test/support/plain-product.ts';
import { WebhookRoom } from '#test/support/webhook-room.ts';
import { sweepWebhooks } from '#test/support/webhook-work.ts';

const room = WebhookRoom.forTests();

describe('POST replay', () => {
  it('sends the events of a time again, with the same ids', async () => {
    const webhook = await room.makeWebhook();
    await room.rename('Too early');
    await new Promise((resolve) => setTimeout(resolve, 5));
    const since = new Date().toISOString();
    for (const name of ['One', 'Two']) await room.rename(name);
    await room.manage('PUT menu-products/prod_replay', product('prod_replay'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const until = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await room.rename('Too late');
    await sweepWebhooks();
    const ids = room.receiver.received.map(({ headers }) => headers['webhook-id']);
    room.receiver.reset();
    const { status, json } = await room.manage(`POST webhooks/${webhook.id}/replay`, {
      since,
      until,
      types: ['member.*'],
    });
    expect([status, json]).toEqual([202, { events: 2 }]);
    await sweepWebhooks();
    await sweepWebhooks();
    expect(room.receiver.events).toEqual([
      ['member.updated', 'mem_1'],
      ['member.updated', 'mem_1'],
    ]);
    for (const { headers } of room.receiver.received) expect(ids).toContain(headers['webhook-id']);
  });

  it('without events, or of a disabled webhook, sends nothing', async () => {
    const webhook = await room.makeWebhook();
    const since = new Date(Date.now() + 60_000).toISOString();
    expect((await room.manage(`POST webhooks/${webhook.id}/replay`, { since })).json).toEqual({ events: 0 });
    await room.manage(`PATCH webhooks/${webhook.id}`, { enabled: false });
    expect((await room.manage(`POST webhooks/${webhook.id}/replay`, { since })).status).toBe(409);
  });

  it.each([
    [{}, 'since', 'required'],
    [{ since: 'yesterday' }, 'since', 'format'],
    [{ since: '2026-01-01T00:00:00Z', types: ['nothing'] }, 'types.0', 'not_allowed'],
    [{ since: '2026-01-01T00:00:00Z', types: [] }, 'types', 'min_items'],
  ])('refuses %j at %s', async (body, path, code) => {
    const webhook = await room.makeWebhook();
    const { status, json } = await room.manage(`POST webhooks/${webhook.id}/replay`, body);
    expect([status, json.errors]).toEqual([400, [expect.objectContaining({ path, code })]]);
  });
});

it('a webhook that is made again under its id gets nothing of a replay of the former one', async () => {
  const { id } = await room.makeWebhook();
  await room.rename('Former');
  await sweepWebhooks();
  const since = new Date(Date.now() - 60_000).toISOString();
  expect((await room.manage(`POST webhooks/${id}/replay`, { since })).status).toBe(202);
  await room.manage(`DELETE webhooks/${id}`);
  room.receiver.reset();
  await room.makeWebhook({ id });
  await sweepWebhooks();
  expect([await room.deliveriesOf({ id }), room.receiver.events]).toEqual([[], []]);
});

it('a caller without a permission of the key may not replay', async () => {
  const { id } = await room.makeWebhook();
  const since = '2026-01-01T00:00:00Z';
  const answer = await room.manage(`POST webhooks/${id}/replay`, { since }, await room.weakKey());
  expect([answer.status, answer.json.code]).toEqual([403, 'permission_denied']);
});
