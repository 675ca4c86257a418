import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, expect, it, jest } from '@jest/globals';
import { Permission } from '#lib/domain/access/permission.ts';

// Loaded before the functions, so that it sees each use of the loop around transactions.
const actual = await import('#lib/table/writer/repeat-write.ts');
const running = new AsyncLocalStorage<string>();
const nested: string[] = [];
let loops = 0;

type Loop = (...args: unknown[]) => unknown;
const watched =
  (name: string, loop: Loop): Loop =>
  (...args) => {
    loops++;
    const outer = running.getStore();
    if (outer !== undefined) nested.push(`${name} in ${outer}: ${new Error().stack}`);
    return running.run(name, () => loop(...args));
  };
const { repeatTransaction, repeatWrite } = actual;
jest.unstable_mockModule('#lib/table/writer/repeat-write.ts', () => ({
  ...actual,
  ...Object.fromEntries(
    Object.entries({ repeatTransaction, repeatWrite }).map(([name, loop]) => [name, watched(name, loop as Loop)]),
  ),
}));
const { call } = await import('#test/support/call.ts');
const { demoKeys, openDemo } = await import('#test/support/demo-workspace.ts');
const { everyRoute, pendingMembers } = await import('#test/support/every-route.ts');
const { MailSink } = await import('#test/support/mail-sink.ts');
const { testTable } = await import('#test/support/world.ts');
const { ApiKeys } = await import('#lib/workspace/command/api-keys.ts');

const mail = await MailSink.start();
afterAll(() => mail.stop());
const key = demoKeys.all;
const manager = 'saffron-manager-key-1111111';
const importing = openDemo(({ apiKeys, members }) => {
  apiKeys.push({ id: 'key_manager', name: 'Manager', secret: manager, permissions: Permission.options });
  members.push(...pendingMembers);
});

/** The number of loops that a piece of work enters. None of them may run inside another. */
async function loopsOf(work: () => Promise<unknown>): Promise<number> {
  const before = loops;
  await work();
  expect(nested.splice(0)).toEqual([]);
  return loops - before;
}

it('an import repeats transactions in one loop', async () => {
  expect(await loopsOf(() => importing)).toBeGreaterThan(1);
});

it('every write repeats its transaction in one loop', async () => {
  Object.assign(process.env, { PUBLIC_URL: 'https://saffron.example', OIDC_CLIENT_ID: 'client' });
  process.env['OIDC_LOGOUT_URL'] = 'https://issuer.example/logout';
  const { writes, prepare } = everyRoute(key, manager);
  await prepare();
  const channelIdentifier = 'new.saffron.example';
  const more = {
    'visitor-session-open': () =>
      call('POST /api/v1/connect/visitor-sessions', {
        key,
        body: { channelIdentifier, customer: { externalId: 'n' } },
      }),
  };
  const requests = [
    ...Object.entries(writes).map(([name, { send }]) => [name, send] as const),
    ...Object.entries(more),
  ];
  for (const [name, send] of requests) {
    let answer = { status: 0, text: '' };
    const entered = await loopsOf(async () => {
      answer = await send();
    });
    if (answer.status >= 300) throw new Error(`${name}: ${answer.status} ${answer.text}`);
    // A read mark is one plain write.
    if (name !== 'conversation-read') expect({ name, entered }).not.toEqual({ name, entered: 0 });
  }
});

it('the commands of the operator repeat their transactions in one loop', async () => {
  const keys = await ApiKeys.of(testTable(), 'ws_saffron');
  const work = async () => {
    const created = { name: 'Loop', memberId: null, permissions: [], expiresAt: null };
    const { key } = await keys.create(created);
    await keys.rotate(key.id, new Date(), 0);
    await keys.revoke(key.id, new Date());
  };
  expect(await loopsOf(work)).toBe(3);
});
