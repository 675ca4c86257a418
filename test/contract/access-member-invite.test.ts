import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { keys } from '#lib/table/keys.ts';
import { call } from '#test/support/call.ts';
import { capturedLines } from '#test/support/log-capture.ts';
import { MailSink } from '#test/support/mail-sink.ts';
import { acceptMembership, signIn } from '#test/support/signed-in.ts';
import { UserPool } from '#test/support/user-pool.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const {
  keys: { admin, clerk, boss },
  workspaceId,
} = await openWorkspace('access');
const other = await openWorkspace('access');
const path = '/api/v1/manage/members';
const invite = (id: string, key = admin) => call(`POST ${path}/${id}/invite`, { key });
const createMember = async (body: object) =>
  (await call(`POST ${path}`, { key: admin, body: { name: 'Guest', ...body } })).json.id as string;
const itemOf = (id: string) => testTable().get(keys.record(workspaceId, 'member', id));
const pin = (id: string) =>
  testTable().update(keys.record(workspaceId, 'member', id), {
    UpdateExpression: 'SET #identity = :identity',
    ExpressionAttributeNames: { '#identity': 'identity' },
    ExpressionAttributeValues: { ':identity': 'of somebody' },
  });
let count = 0;
const address = () => `guest-${++count}-${workspaceId}@example.com`;

let mail: MailSink;
let pool: UserPool;

beforeAll(async () => {
  mail = await MailSink.start();
  pool = await UserPool.start();
  process.env['PUBLIC_URL'] = 'https://api.saffron.example';
});
afterAll(() => Promise.all([mail.stop(), pool.stop()]));
afterEach(() => {
  mail.heal();
  pool.calls = [];
  pool.fault = undefined;
  delete process.env['USER_POOL_ID'];
});

describe('an invitation without a user pool', () => {
  it('is a mail with the address of the sign-in page, and answers 204 without a body', async () => {
    const email = address();
    const { status, text } = await invite(await createMember({ email: ` ${email.toUpperCase()} ` }));
    expect([status, text]).toEqual([204, '']);
    expect(mail.mails).toHaveLength(1);
    expect(mail.mails[0]).toMatchObject({ to: [email], subject: expect.stringContaining('You are invited to ') });
    for (const form of [mail.mails[0]?.text, mail.mails[0]?.html]) {
      expect(form).toContain('https://api.saffron.example/console');
      // Each sentence isolates the direction of the workspace's name.
      expect(form?.match(/\u2068[^\u2069]+\u2069\. /g)).toHaveLength(2);
    }
  });

  it('can be repeated', async () => {
    const id = await createMember({ email: address() });
    expect([(await invite(id)).status, (await invite(id)).status]).toEqual([204, 204]);
    expect(mail.mails).toHaveLength(2);
  });

  it('is not sent when a member is created', async () => {
    await createMember({ email: address() });
    expect(mail.attempts).toBe(0);
  });

  it('answers 503 while the mail service refuses it for the moment, and keeps the identity', async () => {
    const id = await createMember({ email: address() });
    await pin(id);
    mail.plan({ kind: 'error', type: 'TooManyRequestsException', status: 429 });
    const { status, headers } = await invite(id);
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(await itemOf(id)).toHaveProperty('identity');
  });

  it('answers 409 if the mail service refuses the address permanently', async () => {
    mail.plan({ kind: 'error', type: 'BadRequestException', status: 400 });
    const { status, json } = await invite(await createMember({ email: address() }));
    expect([status, json.code]).toEqual([409, 'conflict']);
  });
});

describe('an invitation to a user pool', () => {
  it('makes an account with a verified address, and the pool mails its first password', async () => {
    process.env['USER_POOL_ID'] = 'eu-west-1_pool';
    const email = address();
    expect((await invite(await createMember({ email: email.toUpperCase() }))).status).toBe(204);
    expect(pool.calls).toEqual([
      {
        UserPoolId: 'eu-west-1_pool',
        Username: email,
        DesiredDeliveryMediums: ['EMAIL'],
        UserAttributes: [
          { Name: 'email', Value: email },
          { Name: 'email_verified', Value: 'true' },
        ],
      },
    ]);
    expect(mail.attempts).toBe(0);
  });

  it('mails a new first password when it is repeated', async () => {
    process.env['USER_POOL_ID'] = 'eu-west-1_pool';
    const id = await createMember({ email: address() });
    expect([(await invite(id)).status, (await invite(id)).status]).toEqual([204, 204]);
    expect(pool.calls.map(({ MessageAction }) => MessageAction)).toEqual([undefined, undefined, 'RESEND']);
  });

  it('succeeds for a person who already has a password', async () => {
    process.env['USER_POOL_ID'] = 'eu-west-1_pool';
    const email = address();
    pool.users.set(email, 'signed up');
    expect((await invite(await createMember({ email }))).status).toBe(204);
  });

  it.each([
    ['InvalidParameterException', 400, 409],
    ['TooManyRequestsException', 400, 503],
    ['InternalErrorException', 500, 503],
    ['CodeDeliveryFailureException', 400, 503],
  ])('that the pool rejects with %s (%s) answers %s', async (type, status, answered) => {
    process.env['USER_POOL_ID'] = 'eu-west-1_pool';
    const id = await createMember({ email: address() });
    await pin(id);
    pool.fault = { type, status };
    expect((await invite(id)).status).toBe(answered);
    expect(await itemOf(id)).toHaveProperty('identity');
  });
});

describe('an invitation', () => {
  it('binds the member at the next sign-in, and keeps the record and its ETag', async () => {
    const id = await createMember({ email: address() });
    await pin(id);
    const before = await call(`GET ${path}/${id}`, { key: admin });
    expect((await invite(id)).status).toBe(204);
    expect(await itemOf(id)).not.toHaveProperty('identity');
    const after = await call(`GET ${path}/${id}`, { key: admin });
    expect([after.text, after.headers['etag']]).toEqual([before.text, before.headers['etag']]);
  });

  it('ends the sessions that the member has, and no others', async () => {
    const email = address();
    const beside = address();
    const id = await createMember({ email });
    await createMember({ email: beside });
    for (const member of [email, beside]) await acceptMembership({ workspaceId, address: member });
    const own = await signIn({ workspaceId, address: email });
    const another = await signIn({ workspaceId, address: beside });
    expect((await invite(id)).status).toBe(204);
    const profiles = await Promise.all([own, another].map((session) => session.call('GET /api/v1/profile')));
    expect(profiles.map(({ status }) => status)).toEqual([401, 200]);
    expect((await (await signIn({ workspaceId, address: email })).call('GET /api/v1/profile')).status).toBe(200);
  });

  it('answers 409 if the address points to another member, and changes neither', async () => {
    const email = address();
    const id = await createMember({ email });
    await pin(id);
    await testTable().put({ ...keys.slug(workspaceId, 'member', email), id: 'mem_boss' });
    const { status, json } = await invite(id);
    expect([status, json.code, json.message]).toEqual([409, 'conflict', expect.stringContaining('another member')]);
    expect(await itemOf(id)).toHaveProperty('identity');
  });

  it('records an audit event without a value', async () => {
    const email = address();
    const id = await createMember({ email });
    await invite(id);
    const log = await call(`GET /api/v1/manage/audit-events?recordKind=members&recordId=${id}`, { key: admin });
    expect(log.json.data[0]).toMatchObject({ action: 'invite', changed: [], actor: { id: 'key_admin' } });
    expect(log.text).not.toContain(email);
  });

  it.each([
    ['is not active', { email: 'off@example.com', active: false }, 'not active'],
    ['has no e-mail address', {}, 'no e-mail address'],
    ['has a blank e-mail address', { email: '  ' }, 'no e-mail address'],
  ])('an invitation to a member who %s is refused with 409, and nothing is sent', async (_, body, reason) => {
    const { status, json } = await invite(await createMember(body));
    expect([status, json.code, json.message]).toEqual([409, 'conflict', expect.stringContaining(reason)]);
    expect(mail.attempts).toBe(0);
  });

  it('requires every permission of the member, and names the first missing one', async () => {
    const permissions = ['cms:entry:read', 'forms:form:manage', 'audit:event:read'];
    const id = await createMember({ email: address(), permissions });
    const { status, json } = await invite(id, clerk);
    expect([status, json.code, json.message]).toEqual([
      403,
      'permission_denied',
      expect.stringContaining('forms:form:manage'),
    ]);
    expect(mail.attempts).toBe(0);
    expect(
      (await invite(await createMember({ email: address(), permissions: ['cms:entry:read'] }), clerk)).status,
    ).toBe(204);
  });

  it('requires access:member:manage, on the key and on the member of the key', async () => {
    const id = await createMember({ email: address() });
    const make403 = async (body: object) => {
      const { json } = await call('POST /api/v1/manage/api-keys', { key: admin, body: { name: 'Key', ...body } });
      return (await invite(id, json.secret)).status;
    };
    expect(await make403({ permissions: ['access:member:read'] })).toBe(403);
    const memberId = await createMember({ permissions: ['access:member:read'] });
    expect(await make403({ permissions: ['access:member:manage'], memberId })).toBe(403);
    expect((await invite(id, boss)).status).toBe(204);
  });

  it('answers 404 for an unknown member, for one of another workspace and for a malformed id', async () => {
    for (const id of ['nobody', 'x'.repeat(300), '%2E%2E', 'a%23b']) expect((await invite(id)).status).toBe(404);
    const { json } = await call(`POST ${path}`, { key: other.keys.admin, body: { name: 'Theirs', email: address() } });
    expect((await invite(json.id)).status).toBe(404);
    expect(mail.attempts).toBe(0);
  });

  it('answers 401 without a key, and 405 for every method but POST', async () => {
    expect((await call(`POST ${path}/mem_boss/invite`)).status).toBe(401);
    const { status, headers } = await call(`GET ${path}/mem_boss/invite`, { key: admin });
    expect([status, headers['allow']]).toEqual([405, 'POST']);
  });

  it('logs neither the address nor data of the account', async () => {
    const email = address();
    const id = await createMember({ email });
    const lines = await capturedLines(() => invite(id));
    expect(lines.some((line) => line.includes(id))).toBe(true);
    expect(lines.join('\n')).not.toContain(email);
  });
});

describe('the number of invitations', () => {
  it('is at most three a day for an address, also under another member, and does not count refused ones', async () => {
    const email = address();
    const id = await createMember({ email });
    for (let time = 0; time < 3; time++) expect((await invite(id)).status).toBe(204);
    const sent = mail.mails.length;
    const { status, json, headers } = await invite(id);
    expect([status, json.code]).toEqual([429, 'rate_limited']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(86_400);
    await call(`DELETE ${path}/${id}`, { key: admin });
    expect((await invite(await createMember({ email: email.toUpperCase() }))).status).toBe(429);
    expect(mail.mails.length).toBe(sent);
  });
});
