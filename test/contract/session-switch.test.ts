import { describe, expect, it } from '@jest/globals';
import { keys } from '#lib/table/keys.ts';
import { cookieIn } from '#test/support/browser-steps.ts';
import { call } from '#test/support/call.ts';
import { adminKeys, changeMember, openSignIns } from '#test/support/sign-in.ts';
import { personOf, type SignedIn, signedInBy, signIn } from '#test/support/signed-in.ts';
import { testTable } from '#test/support/world.ts';

await openSignIns();
const mona = (now?: number) => signIn({ workspaceId: 'ws_apple', address: 'mona@example.com' }, now);
const switchTo = (session: SignedIn, workspaceId: unknown, headers = {}) =>
  session.call('POST /api/v1/session', { body: { workspaceId }, headers });
const newSession = ({ headers }: { headers: Readonly<Record<string, string>> }) =>
  signedInBy(cookieIn(headers['set-cookie']).replace('__Host-session=', ''));
const codes = async (...answers: ReturnType<typeof call>[]) =>
  (await Promise.all(answers)).map(({ status, json }) => json?.code ?? status);

describe('switching the workspace', () => {
  it('answers the profile of the other workspace and a new cookie, and the old secret becomes invalid', async () => {
    const session = await mona();
    const { json: profile } = await session.call('GET /api/v1/profile');
    const answer = await switchTo(session, 'ws_pear');
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-session=v1\.ws_pear\.mem_mona\.2:a\.wss_[0-9A-Za-z]{43}; Path=\/; Max-Age=604800; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect(answer.json).toEqual({
      ...profile,
      id: 'mem_mona.2:a',
      name: 'Mona M.',
      email: 'mona@example.com',
      permissions: ['menu:product:read'],
      workspace: { ...profile.workspace, id: 'ws_pear', name: 'Pear' },
    });
    expect(await codes(session.call('GET /api/v1/profile'))).toEqual(['invalid_session']);
    expect((await newSession(answer).call('GET /api/v1/profile')).json).toEqual(answer.json);
  });

  it('is a sign-in in the audit events of the other workspace alone', async () => {
    const events = async (key: string) =>
      (await call('GET /api/v1/manage/audit-events?action=signIn&limit=100', { key })).json.data;
    const session = await mona();
    const [apple, pear] = [await events(adminKeys.apple), await events(adminKeys.pear)];
    const { headers } = await switchTo(session, 'ws_pear');
    expect(await events(adminKeys.apple)).toEqual(apple);
    const [event, ...others] = await events(adminKeys.pear);
    expect(others).toEqual(pear);
    expect(event).toMatchObject({
      actor: { type: 'member', id: 'mem_mona.2:a', name: 'Mona M.' },
      recordId: 'mem_mona.2:a',
      requestId: headers['x-request-id'],
    });
  });

  it('keeps the seven days and the idle time', async () => {
    const began = Date.now() - 3_600_000 * 5;
    const answer = await switchTo(await mona(began), 'ws_pear');
    expect(answer.json.session).toEqual({
      createdAt: new Date(began).toISOString(),
      expiresAt: new Date(began + 3_600_000 * 12).toISOString(),
    });
  });

  it('opens the other workspace, and closes this one', async () => {
    const session = newSession(await switchTo(await mona(), 'ws_pear'));
    expect((await session.call('GET /api/v1/manage/workspace')).json.message).toContain('workspace:settings:read');
    const back = newSession(await switchTo(session, 'ws_apple'));
    expect((await back.call('GET /api/v1/manage/workspace')).json.id).toBe('ws_apple');
  });

  it('switching the workspace to the current workspace answers a new cookie', async () => {
    const session = await mona();
    const answer = await switchTo(session, 'ws_apple');
    expect([answer.status, newSession(answer).cookie === session.cookie]).toEqual([200, false]);
    expect(await codes(session.call('GET /api/v1/profile'))).toEqual(['invalid_session']);
  });

  it('succeeds for one of two concurrent requests', async () => {
    const session = await mona();
    const answers = await Promise.all([switchTo(session, 'ws_pear'), switchTo(session, 'ws_apple')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const [won] = answers.filter(({ status }) => status === 200);
    expect((await newSession(won as (typeof answers)[0]).call('GET /api/v1/profile')).status).toBe(200);
    const requestIds = answers.map(({ headers }) => headers['x-request-id']);
    const events = await Promise.all(
      Object.values(adminKeys).map(
        async (key) => (await call('GET /api/v1/manage/audit-events?action=signIn&limit=100', { key })).json.data,
      ),
    );
    expect(events.flat().filter(({ requestId }) => requestIds.includes(requestId))).toHaveLength(1);
  });

  it('binds the identity in the other workspace', async () => {
    await switchTo(await mona(), 'ws_pear');
    const item = await testTable().get({ pk: 'ACCESS#ws_pear#member', sk: 'mem_mona.2:a' });
    expect(item?.['identity']).toBe(personOf('mona@example.com').identity);
  });
});

describe('a workspace of other people', () => {
  it.each(['ws_plum', 'ws_absent', '', 'a#b', 'ws_apple '])(
    'is 404: %j, and the session stays',
    async (workspaceId) => {
      const session = await mona();
      const { status, json, headers } = await switchTo(session, workspaceId);
      expect([status, json, headers['set-cookie']]).toEqual([
        404,
        { message: 'Workspace not found.', code: 'not_found' },
        undefined,
      ]);
      expect((await session.call('GET /api/v1/profile')).status).toBe(200);
    },
  );

  it('includes one where the member is inactive, or where another identity is bound', async () => {
    const session = await mona();
    await changeMember('mem_mona.2:a', { active: false }, adminKeys.pear);
    expect((await switchTo(session, 'ws_pear')).status).toBe(404);
    await changeMember('mem_mona.2:a', { active: true }, adminKeys.pear);
    const key = { pk: 'ACCESS#ws_pear#member', sk: 'mem_mona.2:a' };
    const pin = (identity: string) =>
      testTable().update(key, {
        UpdateExpression: 'SET #identity = :identity',
        ExpressionAttributeNames: { '#identity': 'identity' },
        ExpressionAttributeValues: { ':identity': identity },
      });
    await pin('somebody else');
    expect((await switchTo(session, 'ws_pear')).status).toBe(404);
    await pin(personOf('mona@example.com').identity);
    expect((await switchTo(session, 'ws_pear')).status).toBe(200);
  });

  it('includes one whose directory entry is left from a former address', async () => {
    const session = await mona();
    await testTable().put({ ...keys.membership('mona@example.com', 'ws_plum'), id: 'mem_mona' });
    expect((await switchTo(session, 'ws_plum')).status).toBe(404);
    expect((await session.call('GET /api/v1/profile')).json.workspaces).toHaveLength(2);
  });
});

it('switching refuses an invalid body, a missing session, and a page of another origin', async () => {
  const session = await mona();
  for (const body of [{}, { workspaceId: 1 }, { workspaceId: 'ws_pear', more: 1 }, []])
    expect(await codes(session.call('POST /api/v1/session', { body }))).toEqual(['invalid_body']);
  const body = { workspaceId: 'ws_pear' };
  expect(await codes(call('POST /api/v1/session', { body }))).toEqual(['missing_session']);
  expect(await codes(call('POST /api/v1/session', { body, key: adminKeys.apple }))).toEqual(['missing_session']);
  expect(await codes(switchTo(session, 'ws_pear', { 'sec-fetch-site': 'same-site' }))).toEqual(['cross_origin']);
});
