import { describe, expect, it } from '@jest/globals';
import { Permission } from '#lib/domain/access/permission.ts';
import { hashOf } from '#lib/table/access/find-session.ts';
import { keys } from '#lib/table/keys.ts';
import { call } from '#test/support/call.ts';
import { adminKeys, changeMember, openSignIns } from '#test/support/sign-in.ts';
import { acceptMembership, signedInBy, signIn } from '#test/support/signed-in.ts';
import { load, testTable } from '#test/support/world.ts';

await openSignIns();
const hour = 3_600_000;
const ali = { workspaceId: 'ws_apple', address: 'ali@example.com' };
const mona = { workspaceId: 'ws_apple', address: 'mona@example.com' };
const profile = 'GET /api/v1/profile';
const codeOf = async (answer: ReturnType<typeof call>) => {
  const { status, json } = await answer;
  return [status, json?.code];
};
const invalid = [401, 'invalid_session'];
const missing = [401, 'missing_session'];

it('GET /profile contains the member, the workspace, all workspaces of the person, and the session', async () => {
  const began = Date.now();
  const { status, json, headers } = await (await signIn(mona, began)).call(profile);
  expect(status).toBe(200);
  expect(json).toEqual({
    id: 'mem_mona',
    name: 'Mona',
    email: 'Mona@example.com',
    language: null,
    permissions: Permission.options,
    workspace: {
      id: 'ws_apple',
      name: 'Apple',
      languages: ['en', 'ar'],
      defaultLanguage: 'en',
      currency: 'SAR',
      timeZone: 'UTC',
    },
    workspaces: [
      { id: 'ws_apple', name: 'Apple', memberId: 'mem_mona' },
      { id: 'ws_pear', name: 'Pear', memberId: 'mem_mona.2:a' },
    ],
    session: { createdAt: new Date(began).toISOString(), expiresAt: new Date(began + 12 * hour).toISOString() },
  });
  expect(headers['cache-control']).toBe('private, no-cache');
  expect(headers['vary']?.split(', ')).toContain('Cookie');
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

it('GET /profile contains the language of the member', async () => {
  expect((await (await signIn(ali)).call(profile)).json.language).toBe('ar');
});

it('GET /profile is 304 for its ETag, and HEAD works', async () => {
  const session = await signIn(ali);
  const { headers } = await session.call(profile);
  const again = await session.call(profile, { headers: { 'if-none-match': headers['etag'] ?? '' } });
  expect([again.status, again.text]).toEqual([304, '']);
  expect((await session.call('HEAD /api/v1/profile')).status).toBe(200);
});

describe('without a valid session', () => {
  it('a request without a session is 401, with WWW-Authenticate', async () => {
    const { headers } = await call(profile);
    expect(headers['www-authenticate']).toBe('Bearer');
    expect(await codeOf(call(profile))).toEqual(missing);
    for (const cookie of ['', 'other=1', '__Host-session='])
      expect(await codeOf(call(profile, { headers: { cookie } }))).toEqual(missing);
  });

  it('a key in any location, alone or with a cookie, is `missing_session`', async () => {
    const session = await signIn(ali);
    expect(await codeOf(call(profile, { key: adminKeys.apple }))).toEqual(missing);
    expect(await codeOf(session.call(profile, { key: adminKeys.apple }))).toEqual(missing);
    expect(await codeOf(session.call(profile, { headers: { 'x-api-key': 'anything' } }))).toEqual(missing);
    expect(await codeOf(session.call(`${profile}?apiKey=anything`))).toEqual(missing);
    expect((await session.call(`${profile}?apiKey=`)).status).toBe(200);
  });

  it('a cookie of no session is `invalid_session`', async () => {
    const { cookie } = await signIn(ali);
    const last = cookie.endsWith('0') ? '1' : '0';
    const wrong = [
      'nonsense',
      `${cookie.slice(0, -1)}${last}`,
      cookie.slice(0, -1),
      cookie.replace('mem_ali', 'mem_boss'),
      cookie.replace('ws_apple', 'ws_pear'),
      cookie.replace('mem_ali', '..'),
      cookie.replace('mem_ali', 'a#b'),
    ];
    for (const value of wrong) expect(await codeOf(signedInBy(value).call(profile))).toEqual(invalid);
    // Under an `https:` address the plain name has no effect.
    expect(await codeOf(call(profile, { headers: { cookie: `session=${cookie}` } }))).toEqual(missing);
  });
});

describe('a session', () => {
  it('ends 12 hours after its last use, and is valid until then', async () => {
    const now = Date.now();
    expect((await (await signIn(ali, now - 12 * hour + 60_000)).call(profile)).status).toBe(200);
    expect(await codeOf((await signIn(ali, now - 12 * hour)).call(profile))).toEqual(invalid);
  });

  it('ends 7 days after the sign-in, however often it is renewed', async () => {
    const now = Date.now();
    const usedNow = async (createdAt: number) => {
      const session = await signIn(ali, createdAt);
      await testTable().update(keys.session(hashOf(session.cookie)), {
        UpdateExpression: 'SET usedAt = :now',
        ExpressionAttributeValues: { ':now': now },
      });
      return session;
    };
    const createdAt = now - 7 * 24 * hour + 60_000;
    const { status, json } = await (await usedNow(createdAt)).call(profile);
    expect([status, json.session.expiresAt]).toEqual([200, new Date(createdAt + 7 * 24 * hour).toISOString()]);
    expect(await codeOf((await usedNow(now - 7 * 24 * hour)).call(profile))).toEqual(invalid);
  });

  it('is renewed here, at most hourly, and by no other route', async () => {
    const usedAt = async ({ cookie }: { cookie: string }) =>
      (await testTable().get(keys.session(hashOf(cookie))))?.['usedAt'];
    const began = Date.now() - 2 * hour;
    const old = await signIn(mona, began);
    expect((await old.call('GET /api/v1/manage/menu-products')).status).toBe(200);
    expect((await old.call('PATCH /api/v1/profile', { body: {} })).status).toBe(200);
    expect(await usedAt(old)).toBe(began);
    const { json } = await old.call(profile);
    const renewed = Number(await usedAt(old));
    expect(renewed).toBeGreaterThan(began + hour);
    expect(json.session).toEqual({
      createdAt: new Date(began).toISOString(),
      expiresAt: new Date(renewed + 12 * hour).toISOString(),
    });
    await old.call(profile);
    expect(await usedAt(old)).toBe(renewed);
  });
});

describe('the next request', () => {
  it('is 401 after the member was deactivated, even when it is active again', async () => {
    const session = await signIn(ali);
    await session.call(profile);
    await changeMember('mem_ali', { active: false });
    expect(await codeOf(session.call(profile))).toEqual(invalid);
    await changeMember('mem_ali', { active: true });
    expect(await codeOf(session.call(profile))).toEqual(invalid);
    expect((await (await signIn(ali)).call(profile)).status).toBe(200);
  });

  it('is 401 after a deactivation and activation without a request in between', async () => {
    const session = await signIn(ali);
    await changeMember('mem_ali', { active: false });
    await changeMember('mem_ali', { active: true });
    expect(await codeOf(session.call(profile))).toEqual(invalid);
  });

  it('is 401 after the member got another address, even after it got the former one back', async () => {
    const session = await signIn(ali);
    await changeMember('mem_ali', { email: 'ali.b@example.com' });
    expect(await codeOf(session.call(profile))).toEqual(invalid);
    await changeMember('mem_ali', { email: 'ali@example.com' });
    expect(await codeOf(session.call(profile))).toEqual(invalid);
    await acceptMembership(ali);
    expect(await codeOf(session.call(profile))).toEqual(invalid);
  });

  it('is 401 after the member was removed, and after one with the same id was created', async () => {
    const path = '/api/v1/manage/members/mem_new';
    const body = { name: 'New', email: 'new@example.com' };
    await call(`PUT ${path}`, { key: adminKeys.apple, body });
    await acceptMembership({ workspaceId: 'ws_apple', address: 'new@example.com' });
    const session = await signIn({ workspaceId: 'ws_apple', address: 'new@example.com' });
    await call(`DELETE ${path}`, { key: adminKeys.apple });
    expect(await codeOf(session.call(profile))).toEqual(invalid);
    await call(`PUT ${path}`, { key: adminKeys.apple, body });
    expect(await codeOf(session.call(profile))).toEqual(invalid);
  });

  it('shows the current permissions, name and spelling of the address', async () => {
    const session = await signIn(ali);
    await changeMember('mem_ali', { name: 'Ali B.', permissions: [], email: ' ALI@example.com ' });
    expect((await session.call(profile)).json).toMatchObject({ name: 'Ali B.', permissions: [] });
    await changeMember('mem_ali', { name: 'Ali', permissions: ['menu:product:read'], email: 'ali@example.com' });
  });

  it('is 401 after an import deactivated the member, even after one that activated it again', async () => {
    const document = (active: boolean) => ({
      version: 1,
      workspace: { id: 'ws_fig', name: 'Fig', languages: ['en'], defaultLanguage: 'en' },
      members: [{ id: 'mem_fig', name: 'Fig', email: 'fig@example.com', active, permissions: [] }],
    });
    await load(document(true));
    const session = await signIn({ workspaceId: 'ws_fig', address: 'fig@example.com' });
    await load(document(true));
    expect((await session.call(profile)).status).toBe(200);
    await load(document(false));
    expect(await codeOf(session.call(profile))).toEqual(invalid);
    await load(document(true));
    expect(await codeOf(session.call(profile))).toEqual(invalid);
  });
});

it('GET /profile names no workspace of others, and none where the person is inactive', async () => {
  const session = await signIn(mona);
  const ids = async () => (await session.call(profile)).json.workspaces.map(({ id }: { id: string }) => id);
  await changeMember('mem_mona.2:a', { active: false }, adminKeys.pear);
  expect(await ids()).toEqual(['ws_apple']);
  await changeMember('mem_mona.2:a', { active: true }, adminKeys.pear);
  expect(await ids()).toEqual(['ws_apple', 'ws_pear']);
});

it('GET /profile reads session and member in one round trip, with one more read for each step to the workspaces', async () => {
  const lines = await import('#test/support/log-capture.ts').then(({ capturedLines }) =>
    capturedLines(async () => (await signIn(mona)).call('GET /api/v1/manage/workspace')),
  );
  expect(JSON.parse(lines.at(-1) ?? '').dynamodb.calls.BatchGetItem).toBe(2);
});
