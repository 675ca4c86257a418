import { describe, expect, it } from '@jest/globals';
import { WebhookRoom } from '#test/support/webhook-room.ts';
import { dueAttempts, sweepWebhooks } from '#test/support/webhook-work.ts';
import type { Document } from '#test/support/world.ts';

const room = WebhookRoom.forTests();

describe('POST retry', () => {
  it('sends a delivery again, whatever its status', async () => {
    const webhook = await room.makeWebhook();
    await room.rename('Again');
    await sweepWebhooks();
    const [{ id } = {} as Document] = await room.deliveriesOf(webhook);
    const { status, json } = await room.manage(`POST webhooks/${webhook.id}/deliveries/${id}/retry`);
    expect([status, json.status]).toEqual([202, 'pending']);
    await sweepWebhooks();
    expect(room.receiver.received).toHaveLength(2);
    const [{ attempts } = {} as Document] = await room.deliveriesOf(webhook);
    expect(attempts).toHaveLength(2);
  });

  it('makes an attempt that waits due now, and leaves no second one', async () => {
    const webhook = await room.makeWebhook();
    room.receiver.answer = (_, response) => response.writeHead(500).end();
    await room.rename('Soon');
    await sweepWebhooks();
    const [{ id } = {} as Document] = await room.deliveriesOf(webhook);
    room.receiver.reset();
    await room.manage(`POST webhooks/${webhook.id}/deliveries/${id}/retry`);
    await sweepWebhooks();
    expect(room.receiver.received).toHaveLength(1);
    expect(await dueAttempts()).toEqual([]);
  });

  it('sends also while the receiver wants a pause', async () => {
    const webhook = await room.makeWebhook();
    room.receiver.answer = (_, response) => response.writeHead(429, { 'retry-after': '3600' }).end();
    await room.rename('Paused');
    await sweepWebhooks();
    const [{ id } = {} as Document] = await room.deliveriesOf(webhook);
    room.receiver.reset();
    await room.manage(`POST webhooks/${webhook.id}/deliveries/${id}/retry`);
    await sweepWebhooks();
    expect(await room.deliveriesOf(webhook)).toMatchObject([{ status: 'delivered', nextAt: null }]);
  });

  it('is 404 for another delivery or webhook, and 409 while the webhook is disabled', async () => {
    const webhook = await room.makeWebhook();
    await room.rename('Off');
    await sweepWebhooks();
    const [{ id } = {} as Document] = await room.deliveriesOf(webhook);
    const retry = (address: string) => room.manage(`POST webhooks/${address}/retry`);
    expect((await retry(`${webhook.id}/deliveries/dlv_0`)).status).toBe(404);
    expect((await retry(`wh_other/deliveries/${id}`)).status).toBe(404);
    await room.manage(`PATCH webhooks/${webhook.id}`, { enabled: false });
    expect(await retry(`${webhook.id}/deliveries/${id}`)).toMatchObject({ status: 409, json: { code: 'conflict' } });
  });
});

it('a caller without a permission of the key may not retry', async () => {
  const webhook = await room.makeWebhook();
  await room.rename('Careful');
  await sweepWebhooks();
  const [{ id } = {} as Document] = await room.deliveriesOf(webhook);
  const answer = await room.manage(
    `POST webhooks/${webhook.id}/deliveries/${id}/retry`,
    undefined,
    await room.weakKey(),
  );
  expect([answer.status, answer.json.code]).toEqual([403, 'permission_denied']);
});
