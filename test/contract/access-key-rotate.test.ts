import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { freezeDate } from '#test/support/frozen-date.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const {
  keys: { admin, clerk, boss },
} = await openWorkspace('access');
const path = '/api/v1/manage/api-keys';
const createKey = async (body: object = {}) =>
  (await call(`POST ${path}`, { key: admin, body: { name: 'Key', permissions: ['cms:entry:read'], ...body } })).json;
const rotate = (id: string, body: unknown = {}, { key = admin, headers = {} } = {}) =>
  call(`POST ${path}/${id}/rotate`, { key, body, headers });
const reads = async (key: string) => (await call('GET /api/public/cms/chefs/list', { key })).status;

describe('rotating a key', () => {
  it('answers a new secret and ends the former one immediately', async () => {
    const { id, secret, ...record } = await createKey({ expiresAt: '2999-01-01T00:00:00.000Z' });
    const { status, headers, json } = await rotate(id);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    const { secret: fresh, lastUsedAt, ...same } = json;
    expect(same).toEqual({ id, ...record, lastUsedAt: undefined });
    expect([await reads(secret), await reads(fresh)]).toEqual([401, 200]);
    const log = await call(`GET /api/v1/manage/audit-events?recordKind=api-keys&recordId=${id}`, { key: admin });
    expect(log.json.data[0]).toMatchObject({ action: 'rotate', changed: [] });
    expect(log.text).not.toContain(fresh);
  });

  it('needs no body', async () => {
    const { id, secret } = await createKey();
    const { status, json } = await call(`POST ${path}/${id}/rotate`, { key: admin });
    expect(status).toBe(200);
    expect([await reads(secret), await reads(json.secret)]).toEqual([401, 200]);
  });

  it.each<[unknown, string]>([
    [{ graceSeconds: -1 }, 'validation_failed'],
    [{ graceSeconds: 604_801 }, 'validation_failed'],
    [{ graceSeconds: '1' }, 'invalid_body'],
    [{ grace: 1 }, 'invalid_body'],
    [[], 'invalid_body'],
  ])('refuses %j (400)', async (body, code) => {
    const { status, json } = await rotate('key_reader', body);
    expect([status, json.code]).toEqual([400, code]);
  });

  it('requires every permission of the key', async () => {
    const { id, secret } = await createKey({ permissions: ['cms:entry:read', 'forms:form:manage'] });
    const refused = await rotate(id, {}, { key: clerk });
    expect([refused.status, refused.json.message]).toEqual([403, expect.stringContaining('forms:form:manage')]);
    expect(await reads(secret)).toBe(200);
    expect((await rotate((await createKey()).id, {}, { key: clerk })).status).toBe(200);
  });

  it("requires every permission of another member whose key it is, and names the key's member in the event", async () => {
    const { id, secret } = await createKey({ memberId: 'mem_boss', permissions: [] });
    const refused = await rotate(id, {}, { key: clerk });
    expect([refused.status, refused.json.code]).toEqual([403, 'permission_denied']);
    expect(await reads(secret)).toBe(403);
    expect((await rotate(id, {}, { key: boss })).status).toBe(200);
    const event = async () => (await call('GET /api/v1/manage/audit-events?limit=1', { key: admin })).json.data[0];
    expect(await event()).toMatchObject({ action: 'rotate', recordId: id, changed: [] });
    expect((await rotate(id)).status).toBe(200);
    expect(await event()).toMatchObject({ action: 'rotate', recordId: id, changed: ['memberId'] });
  });

  it('rotates one time for a repeated Idempotency-Key, and the repetition has no secret', async () => {
    const { id } = await createKey();
    const headers = { 'idempotency-key': 'rotate it' };
    const { secret, ...record } = (await rotate(id, {}, { headers })).json;
    const again = await rotate(id, {}, { headers });
    expect([again.status, again.json]).toEqual([200, record]);
    expect(await reads(secret)).toBe(200);
  });

  it('answers 404 for an unknown key', async () => expect((await rotate('key_none')).status).toBe(404));
});

describe('the grace period of a rotation', () => {
  const { itIs } = freezeDate();

  it('keeps the former secret valid, and a second rotation ends the first grace period', async () => {
    const { id, secret } = await createKey();
    const second = (await rotate(id, { graceSeconds: 604_800 })).json.secret;
    expect([await reads(secret), await reads(second)]).toEqual([200, 200]);
    const third = (await rotate(id, { graceSeconds: 1 })).json.secret;
    expect([await reads(secret), await reads(second), await reads(third)]).toEqual([401, 200, 200]);
    itIs(1_000);
    expect([await reads(second), await reads(third)]).toEqual([401, 200]);
  });
});
