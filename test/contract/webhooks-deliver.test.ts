import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { StoredWebhook } from '#lib/domain/webhooks/webhook.ts';
import { findRecord } from '#lib/table/table.ts';
import { webhookKeys } from '#lib/table/webhooks/keys.ts';
import { call } from '#test/support/call.ts';
import { plainProduct as product } from '#test/support/plain-product.ts';
import { WebhookReceiver } from '#test/support/webhook-receiver.ts';
import { WebhookRoom } from '#test/support/webhook-room.ts';
import {
  advanceAttempts,
  dueAttempts,
  parkedAttempts,
  streamChange,
  sweepWebhooks,
} from '#test/support/webhook-work.ts';
import { type Document, testTable } from '#test/support/world.ts';

const room = WebhookRoom.forTests();

/** The key of how its last attempts went. */
async function stateKeyOf({ id }: Document) {
  const stored = await findRecord<StoredWebhook>(testTable(), room.workspace, 'webhook', id);
  if (!stored) throw new Error('The webhook is not stored.');
  return webhookKeys.webhookState(room.workspace.workspaceId, stored);
}

describe('an event', () => {
  it('arrives once, signed, with the record as the key of the webhook sees it', async () => {
    const webhook = await room.makeWebhook();
    await room.rename('First');
    await sweepWebhooks();
    await sweepWebhooks();
    const [request, ...others] = room.receiver.received;
    expect(others).toEqual([]);
    expect(request?.json).toEqual({
      type: 'member.updated',
      timestamp: expect.stringMatching(/Z$/),
      data: {
        workspaceId: room.workspace.workspaceId,
        kind: 'members',
        recordId: 'mem_1',
        changed: ['name'],
        actor: { type: 'key', id: 'key_admin', name: 'admin' },
        record: (await room.manage('GET members/mem_1')).json,
      },
    });
    const { 'webhook-id': id, 'webhook-timestamp': at, ...headers } = request?.headers ?? {};
    const secret = Buffer.from(webhook.secret.slice('whsec_'.length), 'base64');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'workspace-api',
      'webhook-signature': `v1,${createHmac('sha256', secret).update(`${id}.${at}.${request?.body}`).digest('base64')}`,
    });
    expect(await room.deliveriesOf(webhook)).toEqual([
      {
        id: expect.stringMatching(/^dlv_/),
        eventId: id,
        type: 'member.updated',
        status: 'delivered',
        attempts: [{ at: expect.stringMatching(/Z$/), milliseconds: expect.any(Number), httpStatus: 204, error: null }],
        nextAt: null,
      },
    ]);
    expect(await dueAttempts()).toEqual([]);
  });

  it('reaches every webhook that has its type, in the order of neither', async () => {
    await room.makeWebhook();
    await room.makeWebhook({ types: ['member.updated'] });
    await room.makeWebhook({ types: ['menu_product.*'] });
    await room.makeWebhook({ enabled: false });
    await room.rename('Second');
    await sweepWebhooks();
    expect(room.receiver.events).toEqual([
      ['member.updated', 'mem_1'],
      ['member.updated', 'mem_1'],
    ]);
  });

  it('of before a webhook was made, or of while it is disabled, is not sent', async () => {
    await room.rename('Before');
    const { id } = await room.makeWebhook();
    await room.manage(`PATCH webhooks/${id}`, { enabled: false });
    await room.rename('Meanwhile');
    await sweepWebhooks();
    await room.manage(`PATCH webhooks/${id}`, { enabled: true });
    await sweepWebhooks();
    expect(room.receiver.events).toEqual([]);
  });

  it('counts as its webhook was at its time, whenever it is read', async () => {
    const { id } = await room.makeWebhook();
    await room.rename('Enabled');
    await room.manage(`PATCH webhooks/${id}`, { enabled: false });
    await room.rename('Disabled');
    await room.manage(`PATCH webhooks/${id}`, { enabled: true });
    await room.manage('PUT menu-products/prod_again', product('prod_again'));
    await room.manage(`PATCH webhooks/${id}`, { enabled: false });
    await room.rename('Disabled again');
    await sweepWebhooks();
    expect(room.receiver.events).toEqual([]);
    await room.manage(`PATCH webhooks/${id}`, { enabled: true });
    await sweepWebhooks();
    await sweepWebhooks();
    expect(room.receiver.events.toSorted()).toEqual([
      ['member.updated', 'mem_1'],
      ['menu_product.created', 'prod_again'],
    ]);
  });

  it('of after a webhook was made is sent, whatever its createdAt says', async () => {
    await room.rename('Before');
    await room.makeWebhook({ createdAt: '9999-01-01T00:00:00Z' });
    await room.makeWebhook({ createdAt: '2000-01-01T00:00:00Z' });
    await room.manage('PUT menu-products/prod_later', product('prod_later'));
    await sweepWebhooks();
    const later = ['menu_product.created', 'prod_later'];
    expect(room.receiver.events).toEqual([later, later]);
  });

  it('is sent at once when the stream tells of it', async () => {
    await room.makeWebhook();
    await room.rename('Streamed');
    expect(await streamChange(room.workspace.workspaceId)).toEqual([]);
    expect(room.receiver.events).toEqual([['member.updated', 'mem_1']]);
  });

  it('of another workspace goes to no webhook of this one', async () => {
    await room.makeWebhook();
    await room.manage('PATCH members/mem_1', { name: 'Elsewhere' }, room.other.keys.admin);
    await sweepWebhooks();
    expect(room.receiver.received).toEqual([]);
  });

  it('becomes one delivery, however many workers follow at the same time', async () => {
    const webhook = await room.makeWebhook();
    for (const name of ['A', 'B', 'C']) await room.rename(`Many ${name}`);
    await Promise.all([sweepWebhooks(), streamChange(room.workspace.workspaceId), sweepWebhooks(), sweepWebhooks()]);
    await sweepWebhooks();
    expect(room.receiver.events).toHaveLength(3);
    expect(await room.deliveriesOf(webhook)).toHaveLength(3);
  });

  it('of a record that is gone has the record null', async () => {
    await room.makeWebhook();
    await room.manage('PUT menu-products/prod_gone', product('prod_gone'));
    await room.manage('DELETE menu-products/prod_gone');
    await sweepWebhooks();
    expect(room.receiver.received.map(({ json }) => [json.type, json.data.record]).sort()).toEqual([
      ['menu_product.created', null],
      ['menu_product.deleted', null],
    ]);
  });

  it('of an entry whose database is gone has the record null', async () => {
    await room.makeWebhook({ types: ['cms_entry.*'] });
    const fields = [{ key: 'title', name: { en: 'Title' }, type: 'text' }];
    await room.manage('PUT cms-models/brief', { name: { en: 'Brief' }, fields });
    await room.manage('PUT cms-entries/brief/one', { values: { title: 'One' } });
    await room.manage('DELETE cms-entries/brief/one');
    await room.manage('DELETE cms-models/brief');
    await sweepWebhooks();
    expect(room.receiver.received.map(({ json }) => [json.type, json.data.record]).sort()).toEqual([
      ['cms_entry.created', null],
      ['cms_entry.deleted', null],
    ]);
  });

  it('of a large record says that the record is left out', async () => {
    await room.makeWebhook();
    await room.manage(
      'PUT menu-products/prod_large',
      product('prod_large', { description: { en: 'x'.repeat(210_000) } }),
    );
    await sweepWebhooks();
    const [{ json } = { json: {} }] = room.receiver.received;
    expect(json.data).toMatchObject({ recordId: 'prod_large', truncated: true });
    expect(Object.hasOwn(json.data, 'record')).toBe(false);
  });
});

describe('an attempt that fails', () => {
  it('is made again after 5 seconds, then after minutes and hours, and the tenth is the last', async () => {
    const webhook = await room.makeWebhook();
    room.receiver.answer = (_, response) => response.writeHead(500).end();
    await room.rename('Failing');
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      await sweepWebhooks();
      const [{ status, nextAt, attempts } = {} as Document] = await room.deliveriesOf(webhook);
      expect([status, attempts.length]).toEqual([attempt < 10 ? 'pending' : 'failed', attempt]);
      expect(attempts.at(-1)).toMatchObject({ httpStatus: 500, error: 'http_status' });
      if (nextAt) waits.push((Date.parse(nextAt) - Date.parse(attempts.at(-1).at)) / 1_000);
      await advanceAttempts();
    }
    const least = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(waits.map((wait, index) => wait >= (least[index] ?? 0) && wait < (least[index] ?? 0) * 1.2 + 30)).toEqual(
      least.map(() => true),
    );
    await sweepWebhooks();
    expect(room.receiver.received).toHaveLength(10);
    expect(new Set(room.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await dueAttempts()).toEqual([]);
    expect(await room.deliveriesOf(webhook, 'status=failed')).toHaveLength(1);
    expect(await room.deliveriesOf(webhook, 'status=pending')).toEqual([]);
  });

  it('and is not due yet is not made by the stream', async () => {
    await room.makeWebhook();
    room.receiver.answer = (_, response) => response.writeHead(500).end();
    await room.rename('Early');
    await sweepWebhooks();
    await advanceAttempts();
    await sweepWebhooks();
    // The third attempt is due in five minutes.
    await streamChange(room.workspace.workspaceId);
    expect(room.receiver.received).toHaveLength(2);
  });

  it('with 429 and Retry-After holds the whole webhook', async () => {
    const webhook = await room.makeWebhook();
    room.receiver.answer = (_, response) => response.writeHead(429, { 'retry-after': '3600' }).end();
    await room.rename('Held 1');
    await sweepWebhooks();
    await room.rename('Held 2');
    await sweepWebhooks();
    expect(room.receiver.received).toHaveLength(1);
    const waits = (await room.deliveriesOf(webhook)).map(({ nextAt, status }) => [
      status,
      Date.parse(nextAt) > Date.now() + 3_500_000,
    ]);
    expect(waits).toEqual([
      ['pending', true],
      ['pending', true],
    ]);
  });

  it('leaves the pause that another answer asks for as it is', async () => {
    const webhook = await room.makeWebhook();
    const asked: ServerResponse[] = [];
    room.receiver.answer = (_, response) => {
      asked.push(response);
      const [first, second] = asked;
      // Both are under way, so that neither sees the other's pause.
      if (!first || !second) return;
      first.writeHead(503, { 'retry-after': '3600' }).end();
      second.writeHead(500).end();
    };
    for (const name of ['Both 1', 'Both 2']) await room.rename(name);
    await sweepWebhooks();
    expect(room.receiver.received).toHaveLength(2);
    await advanceAttempts();
    await sweepWebhooks();
    expect(room.receiver.received).toHaveLength(2);
    for (const { nextAt } of await room.deliveriesOf(webhook)) {
      expect(Date.parse(nextAt)).toBeGreaterThan(Date.now() + 3_500_000);
    }
  });

  it('with 410 disables the webhook, and enabling it sends what was parked', async () => {
    const webhook = await room.makeWebhook({ types: ['member.*', 'webhook.*'] });
    room.receiver.answer = (_, response) => response.writeHead(410).end();
    await room.rename('Gone');
    await sweepWebhooks();
    expect((await room.manage(`GET webhooks/${webhook.id}`)).json).toMatchObject({
      enabled: false,
      disabledReason: 'gone',
    });
    expect(await room.deliveriesOf(webhook)).toMatchObject([{ status: 'parked', nextAt: null }]);
    expect(await parkedAttempts()).toHaveLength(1);
    const { json } = await call('GET /api/v1/events?types=webhook.disabled&limit=100', {
      key: room.workspace.keys.admin,
    });
    expect(json.data.at(-1)).toMatchObject({
      type: 'webhook.disabled',
      recordId: webhook.id,
      actor: { type: 'system', id: null },
      requestId: null,
    });
    room.receiver.reset();
    await room.manage(`PATCH webhooks/${webhook.id}`, { enabled: true });
    await sweepWebhooks();
    await sweepWebhooks();
    expect(room.receiver.events.filter(([type]) => type === 'member.updated')).toHaveLength(1);
    expect(await parkedAttempts()).toEqual([]);
    expect((await room.manage(`GET webhooks/${webhook.id}`)).json).toMatchObject({
      enabled: true,
      disabledReason: null,
    });
  });

  it('ten times in three days disables the webhook', async () => {
    const webhook = await room.makeWebhook();
    room.receiver.answer = (_, response) => response.writeHead(500).end();
    const failing = { failures: 9, failingSince: Date.now() - 3 * 24 * 3_600_000 - 1 };
    await testTable().put({ ...(await stateKeyOf(webhook)), ...failing });
    await room.rename('For days');
    await sweepWebhooks();
    expect((await room.manage(`GET webhooks/${webhook.id}`)).json).toMatchObject({
      enabled: false,
      disabledReason: 'failing',
    });
    // Enabled again, it is not disabled by the next failure.
    await room.manage(`PATCH webhooks/${webhook.id}`, { enabled: true });
    await sweepWebhooks();
    expect((await room.manage(`GET webhooks/${webhook.id}`)).json).toMatchObject({ enabled: true });
    expect(room.receiver.received).toHaveLength(2);
  });

  it('is forgotten after a success', async () => {
    const webhook = await room.makeWebhook();
    room.receiver.answer = (_, response) => response.writeHead(500).end();
    await room.rename('Once');
    await sweepWebhooks();
    room.receiver.reset();
    await advanceAttempts();
    await sweepWebhooks();
    expect(room.receiver.received).toHaveLength(1);
    const state = await testTable().get(await stateKeyOf(webhook));
    expect(Object.keys(state ?? {}).sort()).toEqual(['pk', 'sk']);
  });

  it('for a key that may not read the event says so, and is made again with another key', async () => {
    const webhook = await room.makeWebhook();
    room.receiver.answer = (_, response) => response.writeHead(500).end();
    await room.rename('Refused');
    await sweepWebhooks();
    const { json: key } = await room.manage('POST api-keys', { name: 'Weak', permissions: ['menu:product:read'] });
    await room.manage(`PATCH webhooks/${webhook.id}`, { apiKeyId: key.id });
    room.receiver.reset();
    await advanceAttempts();
    await sweepWebhooks();
    const [{ attempts } = {} as Document] = await room.deliveriesOf(webhook);
    expect(attempts.at(-1)).toMatchObject({ httpStatus: null, error: 'key_refused' });
    expect(room.receiver.received).toEqual([]);
    await room.manage(`PATCH webhooks/${webhook.id}`, { apiKeyId: 'key_admin' });
    await advanceAttempts();
    await sweepWebhooks();
    expect(room.receiver.events).toEqual([['member.updated', 'mem_1']]);
  });
});

describe('a webhook whose key may read the public shapes alone', () => {
  it('gets those', async () => {
    const { json: key } = await room.manage('POST api-keys', { name: 'Site', permissions: ['menu:product:read'] });
    await room.makeWebhook({ apiKeyId: key.id });
    await room.manage('PUT menu-products/prod_public', product('prod_public'));
    await room.rename('Unseen');
    await sweepWebhooks();
    expect(room.receiver.events).toEqual([['menu_product.created', 'prod_public']]);
    const { category, categoryId, slug } = room.receiver.received[0]?.json.data.record ?? {};
    expect([category?.id, categoryId, slug]).toEqual(['cat_1', undefined, 'prod_public']);
  });

  it('gets no draft, and no name of a hidden field', async () => {
    const permissions = ['menu:product:read', 'cms:entry:read'];
    const { json: key } = await room.manage('POST api-keys', { name: 'Site', permissions });
    await room.makeWebhook({ apiKeyId: key.id, types: ['menu_product.unpublished', 'cms_entry.updated'] });
    await room.manage('PUT menu-products/prod_draft', product('prod_draft'));
    await room.manage('PATCH menu-products/prod_draft', { published: false, name: { en: 'Unseen' } });
    await room.manage('PATCH cms-entries/chefs/chef_1', {
      values: { joined: '2026-03-04', phone: '+966 50 123 4567' },
    });
    await sweepWebhooks();
    const got = room.receiver.received.map(({ json }) => [json.type, json.data.changed]).sort();
    expect(got).toEqual([
      ['cms_entry.updated', ['values.joined']],
      ['menu_product.unpublished', ['name.en', 'published']],
    ]);
    const unpublished = room.receiver.received.find(({ json }) => json.type === 'menu_product.unpublished');
    expect(unpublished?.json.data.record).toBeNull();
  });
});

it('a webhook that is made again under its id has no delivery and no pause of the former one', async () => {
  const { id } = await room.makeWebhook();
  room.receiver.answer = (_, response) => response.writeHead(503, { 'retry-after': '3600' }).end();
  await room.rename('Former');
  await sweepWebhooks();
  const [former] = await room.deliveriesOf({ id });
  await room.manage(`DELETE webhooks/${id}`);
  room.receiver.reset();
  await room.makeWebhook({ id });
  await advanceAttempts();
  await sweepWebhooks();
  expect(await room.deliveriesOf({ id })).toEqual([]);
  expect((await room.manage(`POST webhooks/${id}/deliveries/${former?.['id']}/retry`)).status).toBe(404);
  await room.rename('Later');
  await sweepWebhooks();
  expect(room.receiver.events).toEqual([['member.updated', 'mem_1']]);
  expect(await dueAttempts()).toEqual([]);
});

it('a receiver that hangs takes no turn of another, and only four at a time', async () => {
  const hanging = await WebhookReceiver.start();
  let sweep: Promise<unknown> | undefined;
  try {
    hanging.answer = () => undefined;
    await room.makeWebhook({ url: hanging.url });
    await room.makeWebhook();
    for (let number = 0; number < 6; number++) await room.rename(`Hang ${number}`);
    sweep = sweepWebhooks();
    await expectSoon(() => room.receiver.received.length === 6);
    expect(hanging.received.length).toBeLessThanOrEqual(4);
  } finally {
    hanging.answer = (_, response) => response.writeHead(204).end();
    await hanging.stop();
    await sweep;
  }
});

async function expectSoon(holds: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 20_000; !holds() && Date.now() < deadline; ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(holds()).toBe(true);
}
