import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { WebhookRoom } from '#test/support/webhook-room.ts';
import { advanceAttempts, sweepWebhooks } from '#test/support/webhook-work.ts';

const room = WebhookRoom.forTests();

describe('POST test', () => {
  it('sends webhook.test once, also while the webhook is disabled, and is in no feed', async () => {
    const webhook = await room.makeWebhook({ enabled: false, types: ['member.created'] });
    room.receiver.answer = (_, response) => response.writeHead(500).end();
    expect((await room.manage(`POST webhooks/${webhook.id}/test`)).status).toBe(202);
    await sweepWebhooks();
    await advanceAttempts();
    await sweepWebhooks();
    const { secret, ...record } = webhook;
    expect(room.receiver.received.map(({ json }) => [json.type, json.data.record])).toEqual([['webhook.test', record]]);
    expect(await room.deliveriesOf(webhook)).toMatchObject([{ type: 'webhook.test', status: 'failed' }]);
    const { json } = await call('GET /api/v1/events?limit=100', { key: room.workspace.keys.admin });
    expect(JSON.stringify(json)).not.toContain('webhook.test');
  });
});
