import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { StoredWebhook } from '#lib/domain/webhooks/webhook.ts';
import { findRecord } from '#lib/table/table.ts';
import { secretsOf } from '#lib/webhooks/signature.ts';
import { call } from '#test/support/call.ts';
import { freezeDate } from '#test/support/frozen-date.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const { keys, workspaceId } = await openWorkspace('access', ({ apiKeys, workspace }) => {
  const permissions = ['webhooks:webhook:read', 'webhooks:webhook:manage'];
  apiKeys.push({ id: 'key_hooks', name: 'Hooks', secret: `hooks-of-${workspace.id}`, permissions });
});
const hooks = `hooks-of-${workspaceId}`;
const path = '/api/v1/manage/webhooks';
const make = async (apiKeyId = 'key_powerless') => {
  const body = { url: 'https://hooks.example.com', types: ['form.*'], apiKeyId };
  return (await call(`POST ${path}`, { key: keys.admin, body })).json;
};
const rotate = (id: string, body: unknown = {}, { key = keys.admin, headers = {} } = {}) =>
  call(`POST ${path}/${id}/rotate`, { key, body, headers });
/** The secrets that sign, in the form of answers. */
const counting = async (id: string): Promise<string[]> => {
  const stored = await findRecord<StoredWebhook>(testTable(), { workspaceId }, 'webhook', id);
  if (!stored) throw new Error('The webhook is stored.');
  const secrets = await secretsOf(workspaceId, stored, Date.now());
  return secrets.map((secret) => `whsec_${secret.export().toString('base64')}`);
};

describe('rotating a webhook', () => {
  it('answers a new secret, and the former one ends at once', async () => {
    const { id, secret, ...record } = await make();
    expect(await counting(id)).toEqual([secret]);
    const { status, headers, json } = await rotate(id);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    const { secret: fresh, ...same } = json;
    expect(same).toEqual({ id, ...record, updatedAt: same.updatedAt });
    expect(fresh).not.toBe(secret);
    expect(await counting(id)).toEqual([fresh]);
    const read = await call(`GET ${path}/${id}`, { key: keys.admin });
    expect([read.json, read.headers['etag']]).toEqual([same, headers['etag']]);
    expect(
      createHmac('sha256', Buffer.from(fresh.slice(6), 'base64'))
        .update('')
        .digest(),
    ).toHaveLength(32);
  });

  it('needs no body, whatever its media type says', async () => {
    const { id, secret } = await make();
    for (const type of [[], [['content-type', 'application/json']]]) {
      const headers = Object.fromEntries(type);
      const { status, json } = await call(`POST ${path}/${id}/rotate`, { key: keys.admin, headers });
      expect(status).toBe(200);
      expect(await counting(id)).toEqual([json.secret]);
    }
    expect(await counting(id)).not.toEqual([secret]);
    const created = await call(`POST ${path}`, { key: keys.admin });
    expect(created.status).toBe(415);
  });

  it.each<[unknown, string]>([
    [{ graceSeconds: -1 }, 'validation_failed'],
    [{ graceSeconds: 604_801 }, 'validation_failed'],
    [{ graceSeconds: 0.5 }, 'invalid_body'],
    [{ graceSeconds: '1' }, 'invalid_body'],
    [{ grace: 1 }, 'invalid_body'],
  ])('is refused with %j', async (body, code) => {
    const { status, json } = await rotate((await make()).id, body);
    expect([status, json.code]).toEqual([400, code]);
  });

  it('requires every permission of its key, and changes nothing else', async () => {
    const { id, secret } = await make('key_chief');
    const refused = await rotate(id, {}, { key: hooks });
    expect([refused.status, refused.json.message]).toEqual([403, expect.stringContaining('cms:entry:read')]);
    expect(await counting(id)).toEqual([secret]);
    expect((await rotate((await make()).id, {}, { key: hooks })).status).toBe(200);
    expect((await rotate('wh_none')).status).toBe(404);
    const other = await openWorkspace('access');
    expect((await rotate(id, {}, { key: other.keys.admin })).status).toBe(404);
  });

  it('rotates once for a repeated Idempotency-Key, and the repetition has no secret', async () => {
    const { id } = await make();
    const headers = { 'idempotency-key': 'rotate the webhook' };
    const { secret, ...record } = (await rotate(id, {}, { headers })).json;
    const again = await rotate(id, {}, { headers });
    expect([again.status, again.json]).toEqual([200, record]);
    expect(await counting(id)).toEqual([secret]);
  });
});

describe('the grace of a rotation', () => {
  const { itIs } = freezeDate();

  it('lets both secrets sign, a change keeps it, and a second rotation ends the first', async () => {
    const { id, secret } = await make();
    const second = (await rotate(id, { graceSeconds: 604_800 })).json.secret;
    await call(`PATCH ${path}/${id}`, { key: keys.admin, body: { description: 'Changed' } });
    expect(await counting(id)).toEqual([second, secret]);
    const third = (await rotate(id, { graceSeconds: 1 })).json.secret;
    expect(await counting(id)).toEqual([third, second]);
    itIs(1_000);
    expect(await counting(id)).toEqual([third]);
  });
});
