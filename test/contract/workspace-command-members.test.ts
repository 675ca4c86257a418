import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Permission } from '#lib/domain/access/permission.ts';
import { keys } from '#lib/table/keys.ts';
import { parseCommandLine } from '#lib/workspace/command/command-line.ts';
import { runCommand, type TableCommand } from '#lib/workspace/command/run-command.ts';
import { call } from '#test/support/call.ts';
import { Engines, runCommandLine } from '#test/support/command-line.ts';
import { MailSink } from '#test/support/mail-sink.ts';
import { UserPool } from '#test/support/user-pool.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const {
  keys: { admin },
  workspaceId,
} = await openWorkspace('access');
const all = [...Permission.options];
let mail: MailSink;
let pool: UserPool;
let service: Engines;
let count = 0;
const address = () => `person-${++count}-${workspaceId}@example.com`;

beforeAll(async () => {
  mail = await MailSink.start();
  pool = await UserPool.start();
  service = await Engines.open(mail.url);
});
afterEach(() => {
  mail.heal();
  pool.fault = undefined;
});
afterAll(() => Promise.all([mail.stop(), pool.stop(), service.stop()]));

const invite = (email: string, ...more: string[]) =>
  runCommandLine(['member', 'invite', '--workspace', workspaceId, '--email', email, '--url', service.url, ...more]);
const memberOf = async (email: string) => {
  const { json } = await call(`GET /api/v1/manage/members?q=${encodeURIComponent(email)}`, { key: admin });
  expect(json.data).toHaveLength(1);
  return json.data[0];
};

/** As with `--stack` or `--data`: on the table of this file. */
async function on(connection: { baseUrl: string; inviter?: { userPoolId: string } }, email: string): Promise<string[]> {
  pool.lead();
  const lines: string[] = [];
  const command = parseCommandLine(['member', 'invite', '--workspace', workspaceId, '--email', email]);
  const terminal = { print: (line: string) => lines.push(line) };
  await runCommand(command as TableCommand, { table: testTable(), ...connection }, terminal as never);
  return lines;
}

describe('member invite', () => {
  it('creates a member with every permission, and mails the address of the sign-in page', async () => {
    const email = address();
    const { code, out, errors } = await invite(` ${email.toUpperCase()}`);
    const member = await memberOf(email);
    expect(member).toEqual({ id: member.id, name: email, email, active: true, permissions: all });
    expect([code, out, errors]).toEqual([0, `Member ${member.id} is invited to ${service.url}/console.\n`, '']);
    expect(mail.mails).toMatchObject([{ to: [email], text: expect.stringContaining(`${service.url}/console`) }]);
    const log = await call(`GET /api/v1/manage/audit-events?recordId=${member.id}`, { key: admin });
    expect(
      log.json.data.map(({ action, actor }: { action: string; actor: { type: string } }) => [action, actor.type]),
    ).toEqual([
      ['invite', 'operator'],
      ['create', 'operator'],
    ]);
  });

  it('sends another invitation when repeated, and creates no second member', async () => {
    const email = address();
    const first = await invite(email);
    expect(await invite(email.toUpperCase())).toEqual(first);
    expect(mail.mails).toHaveLength(2);
    await memberOf(email);
  });

  it('grants the given permissions, and removes none', async () => {
    const email = address();
    await invite(email, '--permission', 'cms:entry:read', '--permission', 'cms:entry:read');
    expect((await memberOf(email)).permissions).toEqual(['cms:entry:read']);
    await invite(email, '--permission', 'forms:form:read');
    expect((await memberOf(email)).permissions).toEqual(['cms:entry:read', 'forms:form:read']);
    await invite(email);
    expect([...(await memberOf(email)).permissions].sort()).toEqual([...all].sort());
  });

  it('lets the next sign-in bind an existing member to an identity', async () => {
    await testTable().update(keys.record(workspaceId, 'member', 'mem_boss'), {
      UpdateExpression: 'SET #identity = :identity',
      ExpressionAttributeNames: { '#identity': 'identity' },
      ExpressionAttributeValues: { ':identity': 'of somebody' },
    });
    expect((await invite('Boss@Example.com')).out).toBe(`Member mem_boss is invited to ${service.url}/console.\n`);
    expect(
      await testTable()
        .uncached()
        .get(keys.record(workspaceId, 'member', 'mem_boss')),
    ).not.toHaveProperty('identity');
    expect((await memberOf('boss@example.com')).name).toBe('Boss');
  });

  it('invites by the user pool of a stack', async () => {
    const email = address();
    const stack = { baseUrl: 'https://api.example', inviter: { userPoolId: 'eu-west-1_pool' } };
    const [line] = await on(stack, email);
    expect(line).toBe(`Member ${(await memberOf(email)).id} is invited to https://api.example/console.`);
    expect(pool.users.get(email)).toBe('invited');
    pool.fault = { type: 'TooManyRequestsException', status: 400 };
    await expect(on(stack, email)).rejects.toThrow(/is stored, but not invited: TooManyRequestsException/);
  });

  it.each([
    ['https://api.example', 'https://api.example/console'],
    ['', '/console of the service, once it runs'],
  ])('sends no mail without an issuer, and prints a note', async (baseUrl, where) => {
    const email = address();
    const [line] = await on({ baseUrl }, email);
    expect(line).toBe(`Member ${(await memberOf(email)).id} may sign in at ${where}. Nothing was mailed.`);
    expect(mail.attempts).toBe(0);
  });

  it('reports that the member is stored when the mail service refuses every mail', async () => {
    const email = address();
    mail.plan({ kind: 'error', type: 'TooManyRequestsException', status: 429 });
    const { code, errors } = await invite(email);
    expect([code, errors]).toEqual([1, expect.stringContaining('is stored, but not invited: ')]);
    await memberOf(email);
  });

  it('does nothing for an inactive member', async () => {
    const email = address();
    await invite(email, '--permission', 'cms:entry:read');
    const { id } = await memberOf(email);
    await call(`PATCH /api/v1/manage/members/${id}`, { key: admin, body: { active: false } });
    mail.heal();
    expect(await invite(email)).toEqual({
      code: 1,
      out: '',
      errors: `Member ${id} is not active. Activate the member first.\n`,
    });
    expect(mail.attempts).toBe(0);
    expect((await memberOf(email)).permissions).toEqual(['cms:entry:read']);
  });

  it('requires an existing workspace', async () => {
    const args = ['member', 'invite', '--workspace', 'ws_gone', '--email', 'a@example.com', '--url', service.url];
    expect(await runCommandLine(args)).toEqual({ code: 1, out: '', errors: 'There is no workspace ws_gone.\n' });
  });
});
