import { beforeEach, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openKitchen } from '#test/support/kitchen.ts';

let kitchen: Awaited<ReturnType<typeof openKitchen>>;
beforeEach(async () => {
  kitchen = await openKitchen();
});

const address = '/api/public/cms/chefs/chef_1';
const update = (
  idempotencyKey: string,
  values: object,
  more: { query?: string; key?: string; ifMatch?: string } = {},
) =>
  call(`PATCH ${address}?${more.query ?? ''}`, {
    key: more.key ?? kitchen.keys.editor,
    body: { values },
    headers: { 'idempotency-key': idempotencyKey, ...(more.ifMatch && { 'if-match': more.ifMatch }) },
  });
const read = () => call(`GET ${address}`, { key: kitchen.keys.editor });

describe('an update with an Idempotency-Key', () => {
  it('is carried out once; a repetition gets the same answer', async () => {
    const first = await update('one', { bio: { en: 'First' } });
    await update('two', { bio: { en: 'Second' } });
    const again = await update('one', { bio: { en: 'First' } });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers['etag']).toBe(first.headers['etag']);
    expect((await read()).json.bio).toEqual({ en: 'Second' });
  });

  it('is carried out once by PATCH and PUT together, and with If-Match', async () => {
    const { headers } = await read();
    const ifMatch = headers['etag'] ?? '';
    const first = await update('one', { joined: '2026-01-01' }, { ifMatch });
    const options = { key: kitchen.keys.editor, body: { values: { joined: '2026-01-01' } } };
    const again = await call(`PUT ${address}`, {
      ...options,
      headers: { 'idempotency-key': 'one', 'if-match': ifMatch },
    });
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
  });

  it('is carried out once when it is sent many times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => update('one', { published: true })));
    expect(new Set(answers.map(({ status }) => status)).isSubsetOf(new Set([200, 409]))).toBe(true);
    const done = answers.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThan(0);
    expect(new Set(done.map(({ headers }) => headers['etag'])).size).toBe(1);
    for (const { status, json, headers } of answers) {
      if (status === 409) expect([json.code, headers['retry-after']]).toEqual(['conflict', '1']);
    }
  });

  it.each<[string, () => ReturnType<typeof update>]>([
    ['other values', () => update('one', { bio: { en: 'Other' } })],
    ['other fields', () => update('one', { bio: { en: 'First' } }, { query: 'fields=name' })],
    ['another condition', () => update('one', { bio: { en: 'First' } }, { ifMatch: '*' })],
  ])('is 422 with %s', async (_, repeated) => {
    await update('one', { bio: { en: 'First' } });
    const { status, json } = await repeated();
    expect([status, json.code]).toEqual([422, 'idempotency_key_reused']);
    expect((await read()).json.bio).toEqual({ en: 'First' });
  });

  it('does not use the key up when it is refused', async () => {
    expect((await update('one', { nope: 1 })).status).toBe(400);
    expect((await update('one', { joined: '2026-01-01' }, { ifMatch: '"another"' })).status).toBe(412);
    expect((await update('one', { joined: '2026-01-01' })).status).toBe(200);
  });

  it('stands for the key, the entry and the workspace that it was sent with', async () => {
    await update('one', { bio: { en: 'First' } });
    expect((await update('one', { bio: { en: 'Chief' } }, { key: kitchen.keys.chief })).status).toBe(200);
    const headers = { 'idempotency-key': 'one' };
    const body = { values: { bio: { en: 'Other' } } };
    expect((await call('PATCH /api/public/cms/chefs/chef_2', { key: kitchen.keys.editor, body, headers })).status).toBe(
      200,
    );
    const other = await openKitchen();
    const theirs = await call(`PATCH ${address}`, { key: other.keys.editor, body, headers });
    expect([theirs.status, theirs.json.bio]).toEqual([200, { en: 'Other' }]);
    expect(theirs.text).not.toContain(kitchen.canary);
  });

  it.each(['', 'x'.repeat(256)])('is 400 for a key of the wrong length', async (key) => {
    const { status, json } = await update(key, {});
    expect([status, json.code, json.errors[0].path]).toEqual([400, 'validation_failed', 'Idempotency-Key']);
  });
});
