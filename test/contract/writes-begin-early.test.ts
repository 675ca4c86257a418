import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { manage, secretOf } = await openWorkspace('records');

/** A key that this container has seen, and a record that it may change. */
async function knownKey() {
  const permissions = ['messaging:customer:read', 'messaging:customer:manage'];
  const { id: keyId, secret: key } = (await manage('POST api-keys', { name: 'Own', permissions })).json;
  const created = await manage('POST customers', { name: 'Before' }, { key });
  expect(created.status).toBe(201);
  return { key: String(key), keyId: String(keyId), id: String(created.json.id) };
}

const rename = (id: string, key: string) => manage(`PATCH customers/${id}`, { name: 'After' }, { key });

const eventsOf = async (id: string) => (await manage(`GET audit-events?recordKind=customers&recordId=${id}`)).json.data;

async function expectUnchanged(id: string): Promise<void> {
  expect((await manage(`GET customers/${id}`)).json.name).toBe('Before');
  expect(await eventsOf(id)).toHaveLength(1);
}

describe('a write that began before its key was read', () => {
  it('changes nothing if the key has been revoked in the meantime', async () => {
    const { key, keyId, id } = await knownKey();
    expect((await manage(`PATCH api-keys/${keyId}`, { revokedAt: new Date().toISOString() })).status).toBe(200);
    expect((await rename(id, key)).status).toBe(401);
    await expectUnchanged(id);
  });

  it('changes nothing if the key has lost the permission', async () => {
    const { key, keyId, id } = await knownKey();
    expect((await manage(`PATCH api-keys/${keyId}`, { permissions: ['forms:form:read'] })).status).toBe(200);
    expect((await rename(id, key)).status).toBe(403);
    await expectUnchanged(id);
  });

  it('changes nothing if its body is refused later', async () => {
    const { key, id } = await knownKey();
    const headers = { 'content-type': 'text/plain' };
    expect((await manage(`PATCH customers/${id}`, { name: 'After' }, { key, headers })).status).toBe(415);
    await expectUnchanged(id);
  });

  it('is made once, by the caller as it is stored now, if the key has another name or more permissions', async () => {
    const { key, keyId, id } = await knownKey();
    const change = {
      name: 'Renamed',
      permissions: ['messaging:customer:read', 'messaging:customer:manage', 'forms:form:read'],
    };
    expect((await manage(`PATCH api-keys/${keyId}`, change)).status).toBe(200);
    expect((await rename(id, key)).status).toBe(200);
    const [event, ...others] = await eventsOf(id);
    expect([event.action, event.actor.name, others.length]).toEqual(['update', 'Renamed', 1]);
  });

  it('does not hold back the next write of the record', async () => {
    const { key, keyId, id } = await knownKey();
    await manage(`PATCH api-keys/${keyId}`, { permissions: ['forms:form:read'] });
    const [refused, made] = await Promise.all([rename(id, key), manage(`PATCH customers/${id}`, { name: 'Other' })]);
    expect([refused.status, made.status]).toEqual([403, 200]);
  });
});

it('a form takes one response of a known key, also if its answers are sent as another type first', async () => {
  const key = secretOf('forms:response:create');
  const form = {
    slug: 'early',
    title: { en: 'Early' },
    fields: [{ id: 'ff_1', ref: 'a', title: { en: 'A' }, type: 'EMAIL', order: 1 }],
  };
  expect((await manage('POST forms', form)).status).toBe(201);
  const submit = (headers: Record<string, string>) =>
    call(`POST /api/public/forms/early?apiKey=${key}`, { body: { a: 'a@example.com' }, headers });
  const statuses = [
    await submit({}),
    await submit({ 'content-type': 'text/plain', 'idempotency-key': 'a' }),
    await submit({ 'idempotency-key': 'a' }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 415, 200]);
  const { data } = (await manage('GET form-responses')).json;
  expect(data.filter(({ answers }: { answers: object }) => 'a' in answers)).toHaveLength(2);
});
