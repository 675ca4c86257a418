import { describe, expect, it } from '@jest/globals';
import { cookieIn, signInAs } from '#test/support/browser-steps.ts';
import { call } from '#test/support/call.ts';
import { adminKeys, changeMember, openIssuer, openSignIns } from '#test/support/sign-in.ts';
import { type SignedIn, signedInBy, signIn } from '#test/support/signed-in.ts';

await openSignIns();
await openIssuer();

const memberships = '/api/v1/session/memberships';
const sessionOf = ({ cookies }: { cookies: readonly string[] }) =>
  signedInBy(cookieIn(cookies[0]).replace('__Host-session=', ''));
const list = async (session: SignedIn) => (await session.call(`GET ${memberships}`)).json.data;
const answer = (session: SignedIn, workspaceId: string, accept: unknown) =>
  session.call(`POST ${memberships}/${workspaceId}`, { body: { accept } });
const code = ({ status, json }: { status: number; json: { code?: string } | undefined }) => [status, json?.code];
const events = async (key: string, recordId: string) =>
  (await call(`GET /api/v1/manage/audit-events?recordKind=members&recordId=${recordId}`, { key })).json.data;

/** A manager of `ws_pear` makes a member of an address. */
async function enrol(
  id: string,
  email: string | null,
  key: string = adminKeys.pear,
  permissions = ['menu:product:read'],
) {
  const body = { id, name: id, email, permissions };
  const { status, json } = await call('POST /api/v1/manage/members', { key, body });
  expect(status).toBe(201);
  return json;
}

describe('a member that somebody else makes over HTTPS', () => {
  it('is pending, and only the person can change that', async () => {
    const made = await enrol('mem_new', 'new@example.com');
    expect(made.acceptedAt).toBeNull();
    const put = (acceptedAt: unknown) =>
      call('PUT /api/v1/manage/members/mem_new', {
        key: adminKeys.pear,
        body: { name: 'New', email: 'new@example.com', acceptedAt },
      });
    for (const acceptedAt of ['2026-01-01T00:00:00.000Z', 'now', 1])
      expect(code(await put(acceptedAt))).toEqual([400, 'validation_failed']);
    expect((await put(null)).json.acceptedAt).toBeNull();
    const patched = await changeMember('mem_new', { acceptedAt: '2026-01-01T00:00:00.000Z' }, adminKeys.pear);
    expect(code(patched)).toEqual([400, 'validation_failed']);
    expect((await changeMember('mem_new', { name: 'Newer', active: true }, adminKeys.pear)).json.acceptedAt).toBeNull();
  });

  it('has no use of its keys before the acceptance', async () => {
    await enrol('mem_keyed', 'keyed@example.com');
    const body = { name: 'Key', memberId: 'mem_keyed', permissions: ['menu:product:read'] };
    const { secret } = (await call('POST /api/v1/manage/api-keys', { key: adminKeys.pear, body })).json;
    const reads = async () => (await call(`GET /api/public/menu/products?apiKey=${secret}`)).status;
    expect(await reads()).toBe(401);
    const session = sessionOf(await signInAs('keyed@example.com'));
    expect((await answer(session, 'ws_pear', true)).status).toBe(204);
    expect(await reads()).toBe(200);
    await changeMember('mem_keyed', { email: 'other-keyed@example.com' }, adminKeys.pear);
    expect(await reads()).toBe(401);
  });

  it('is no manager who could stay alone, and no assignee', async () => {
    const members = (await call('GET /api/v1/manage/members', { key: adminKeys.pear })).json.data;
    expect(
      members.some(({ permissions }: { permissions: string[] }) => permissions.includes('access:member:manage')),
    ).toBe(false);
    await enrol('mem_chief', 'chief@example.com', adminKeys.pear, ['access:member:manage']);
    const chief = sessionOf(await signInAs('chief@example.com'));
    await answer(chief, 'ws_pear', true);
    await enrol('mem_next', 'next@example.com', adminKeys.pear, ['access:member:manage']);
    const removed = await call('DELETE /api/v1/manage/members/mem_chief', { key: adminKeys.pear });
    expect(code(removed)).toEqual([409, 'last_manager']);
  });

  it('needs no acceptance without an e-mail address, until it gets one', async () => {
    const robot = await enrol('mem_robot', null);
    expect(robot).not.toHaveProperty('acceptedAt');
    expect(
      (await changeMember('mem_robot', { email: 'robot@example.com' }, adminKeys.pear)).json.acceptedAt,
    ).toBeNull();
    expect((await changeMember('mem_robot', { email: null }, adminKeys.pear)).json).not.toHaveProperty('acceptedAt');
  });
});

describe('a person with a membership to accept', () => {
  it('starts in no workspace, although the stranger works elsewhere, and sees who asks', async () => {
    const boss = await signIn({ workspaceId: 'ws_apple', address: 'boss@example.com' });
    const body = { id: 'mem_guest', name: 'Ali', email: 'guest@example.com', permissions: ['menu:product:read'] };
    expect((await boss.call('POST /api/v1/manage/members', { body })).status).toBe(201);
    await enrol('mem_guest', ' Guest@Example.com ');
    const session = sessionOf(await signInAs('guest@example.com'));
    expect(session.cookie).toMatch(/^v1\.\.\.wss_/);
    expect(await list(session)).toEqual([
      { workspaceId: 'ws_apple', name: 'Apple', pending: true, invitedBy: 'boss@example.com' },
      { workspaceId: 'ws_pear', name: 'Pear', pending: true, invitedBy: null },
    ]);
    for (const request of [
      'GET /api/v1/profile',
      'PATCH /api/v1/profile',
      'GET /api/v1/manage/members',
      'GET /api/v1/manage/workspace',
      'GET /api/public/menu/products',
      'POST /api/v1/manage/changes',
      'GET /api/v1/connect/conversations',
    ])
      expect([request, ...code(await session.call(request, request.startsWith('GET') ? {} : { body: {} }))]).toEqual([
        request,
        403,
        'workspace_required',
      ]);
    const open = () => session.call('POST /api/v1/session', { body: { workspaceId: 'ws_pear' } });
    expect(code(await open())).toEqual([404, 'not_found']);
    expect((await answer(session, 'ws_pear', true)).status).toBe(204);
    expect((await answer(session, 'ws_pear', true)).status).toBe(204);
    expect(code(await answer(session, 'ws_pear', false))).toEqual([409, 'conflict']);
    expect((await list(session)).map(({ pending }: { pending: boolean }) => pending)).toEqual([true, false]);
    const opened = await open();
    expect(opened.json).toMatchObject({ id: 'mem_guest', workspaces: [{ id: 'ws_pear' }] });
    expect(code(await session.call(`GET ${memberships}`))).toEqual([401, 'invalid_session']);
    expect(
      (await events(adminKeys.pear, 'mem_guest')).map(({ action, actor }: never) => [
        action,
        (actor as { id: string }).id,
      ]),
    ).toEqual([
      ['signIn', 'mem_guest'],
      ['update', 'mem_guest'],
      ['create', 'key_admin'],
    ]);
    // The next sign-in asks again for the other workspace, unless this one is requested.
    expect(sessionOf(await signInAs('guest@example.com')).cookie).toMatch(/^v1\.\.\./);
    const requested = await signInAs('guest@example.com', { query: '?workspaceId=ws_pear' });
    expect(sessionOf(requested).cookie).toMatch(/^v1\.ws_pear\./);
  });

  it('declines: the member is removed, and the event says who did it', async () => {
    await enrol('mem_no', 'no@example.com');
    const session = sessionOf(await signInAs('no@example.com'));
    expect((await answer(session, 'ws_pear', false)).status).toBe(204);
    expect((await call('GET /api/v1/manage/members/mem_no', { key: adminKeys.pear })).status).toBe(404);
    expect((await events(adminKeys.pear, 'mem_no'))[0]).toMatchObject({
      action: 'delete',
      actor: { type: 'member', id: 'mem_no' },
    });
    expect(await list(session)).toEqual([]);
  });

  it('answers for oneself alone, from the same origin, with a true or false', async () => {
    await enrol('mem_own', 'own@example.com');
    const session = sessionOf(await signInAs('own@example.com'));
    for (const workspaceId of ['ws_apple', 'ws_plum', 'ws_absent', 'a%23b'])
      expect(code(await answer(session, workspaceId, true))).toEqual([404, 'not_found']);
    for (const accept of ['true', 1, null, undefined])
      expect(code(await answer(session, 'ws_pear', accept))).toEqual([400, 'invalid_body']);
    const foreign = { ...session.headers, 'sec-fetch-site': 'cross-site' };
    const request = `POST ${memberships}/ws_pear`;
    expect(code(await call(request, { headers: foreign, body: { accept: true } }))).toEqual([403, 'cross_origin']);
    expect(code(await call(request, { key: adminKeys.pear, body: { accept: true } }))).toEqual([
      401,
      'missing_session',
    ]);
    await changeMember('mem_own', { active: false }, adminKeys.pear);
    expect(code(await answer(session, 'ws_pear', true))).toEqual([404, 'not_found']);
    expect((await session.call('DELETE /api/v1/session')).status).toBe(200);
    expect(code(await session.call(`GET ${memberships}`))).toEqual([401, 'invalid_session']);
  });

  it('accepts by an ordinary session, too', async () => {
    const plum = await signIn({ workspaceId: 'ws_plum', address: 'other@example.com' });
    await enrol('mem_other', 'other@example.com');
    expect((await plum.call('GET /api/v1/profile')).json.workspaces).toHaveLength(1);
    await answer(plum, 'ws_pear', true);
    expect((await plum.call('GET /api/v1/profile')).json.workspaces).toHaveLength(2);
  });
});

describe('another e-mail address', () => {
  it('needs acceptance again, whoever changed it, and the former person is out', async () => {
    await enrol('mem_moved', 'before@example.com', adminKeys.pear, ['access:member:read', 'access:member:manage']);
    const person = sessionOf(await signInAs('before@example.com'));
    await answer(person, 'ws_pear', true);
    const opened = await person.call('POST /api/v1/session', { body: { workspaceId: 'ws_pear' } });
    const own = signedInBy(cookieIn(opened.headers['set-cookie']).replace('__Host-session=', ''));
    const moved = await own.call('PATCH /api/v1/manage/members/mem_moved', { body: { email: 'after@example.com' } });
    expect([moved.status, moved.json.acceptedAt]).toEqual([200, null]);
    expect((await own.call('GET /api/v1/profile')).status).toBe(401);
    expect(await list(sessionOf(await signInAs('after@example.com')))).toEqual([
      { workspaceId: 'ws_pear', name: 'Pear', pending: true, invitedBy: 'before@example.com' },
    ]);
  });

  it('in another case is the same, and stays accepted', async () => {
    const { json } = await changeMember('mem_boss', { email: 'BOSS@example.com' });
    expect(json).not.toHaveProperty('acceptedAt');
  });
});

it('a person with several workspaces and no last one chooses', async () => {
  const session = sessionOf(await signInAs('mona@example.com'));
  expect(session.cookie).toMatch(/^v1\.\.\.wss_/);
  expect((await list(session)).map(({ workspaceId }: { workspaceId: string }) => workspaceId)).toEqual([
    'ws_apple',
    'ws_pear',
  ]);
  const opened = await session.call('POST /api/v1/session', { body: { workspaceId: 'ws_pear' } });
  expect(opened.json.workspace.id).toBe('ws_pear');
  expect(sessionOf(await signInAs('mona@example.com')).cookie).toMatch(/^v1\.ws_pear\./);
});
