import { afterAll, afterEach, expect, it } from '@jest/globals';
import { keys } from '#lib/table/keys.ts';
import { call } from '#test/support/call.ts';
import { MailSink } from '#test/support/mail-sink.ts';
import { UserPool } from '#test/support/user-pool.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const {
  keys: { admin },
  workspaceId,
} = await openWorkspace('access');
const mail = await MailSink.start();
const pool = await UserPool.start();
process.env['PUBLIC_URL'] = 'https://api.saffron.example';
afterAll(() => Promise.all([mail.stop(), pool.stop()]));
afterEach(() => {
  delete process.env['USER_POOL_ID'];
});

const members = '/api/v1/manage/members';
const createMember = async (email: string): Promise<string> =>
  (await call(`POST ${members}`, { key: admin, body: { name: 'Guest', email } })).json.id;
const invite = (id: string) => call(`POST ${members}/${id}/invite`, { key: admin });
const unavailable = { status: 503, json: { code: 'unavailable' }, headers: { 'retry-after': '1' } };

it('POST /manage/members/{id}/invite returns 503 while the mail service hangs, and sends the invitation afterwards', async () => {
  const id = await createMember('guest@example.com');
  mail.plan({ kind: 'hang' });
  expect(await invite(id)).toMatchObject(unavailable);
  mail.heal();
  expect((await invite(id)).status).toBe(204);
});

it('POST /manage/members/{id}/invite stores an invitation if the user pool responds after the deadline of the reads', async () => {
  process.env['USER_POOL_ID'] = 'eu-west-1_pool';
  const id = await createMember('late@example.com');
  const key = keys.record(workspaceId, 'member', id);
  await testTable().update(key, {
    UpdateExpression: 'SET #identity = :identity',
    ExpressionAttributeNames: { '#identity': 'identity' },
    ExpressionAttributeValues: { ':identity': 'of somebody' },
  });
  pool.delayMilliseconds = 3_000;
  expect((await invite(id)).status).toBe(204);
  pool.delayMilliseconds = 0;
  expect(pool.calls).toHaveLength(1);
  expect(await testTable().get(key)).not.toHaveProperty('identity');
});

it('POST /manage/members/{id}/invite returns 503 in bounded time if the user pool never responds', async () => {
  process.env['USER_POOL_ID'] = 'eu-west-1_pool';
  const id = await createMember('never@example.com');
  pool.fault = 'hang';
  expect(await invite(id)).toMatchObject(unavailable);
});
