import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Permission } from '#lib/domain/access/permission.ts';
import type { StoredWebhook } from '#lib/domain/webhooks/webhook.ts';
import { keys } from '#lib/table/keys.ts';
import { recordOf } from '#lib/table/table.ts';
import { webhookKeys } from '#lib/table/webhooks/keys.ts';
import { type Answer, call } from '#test/support/call.ts';
import { demoKeys, openDemo } from '#test/support/demo-workspace.ts';
import { exportedFromScan } from '#test/support/document-text.ts';
import { chef, everyRoute, pendingMembers } from '#test/support/every-route.ts';
import { type Fault, FaultProxy } from '#test/support/fault-proxy.ts';
import { MailSink } from '#test/support/mail-sink.ts';
import { type S3Fault, S3FaultProxy } from '#test/support/s3-fault-proxy.ts';
import { shortenPauses } from '#test/support/short-pauses.ts';
import { timed } from '#test/support/spent-time.ts';
import { type Document, testTable } from '#test/support/world.ts';

// Shared by the two files of faults. Each imports it for itself, with its own demo workspace.

export const key = demoKeys.all;
export const managerKey = 'saffron-manager-key-0000000';
await openDemo(({ apiKeys, members }) => {
  apiKeys.push({ id: 'key_manager', name: 'Manager', secret: managerKey, permissions: Permission.options });
  members.push(...pendingMembers);
});
await testTable().get({ pk: 'loaded before', sk: 'the proxy' });
export const table = await FaultProxy.start();
export const bucket = await S3FaultProxy.start();
const mail = await MailSink.start();
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = table.url;
process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;
Object.assign(process.env, { PUBLIC_URL: 'https://saffron.example', OIDC_CLIENT_ID: 'client' });
process.env['OIDC_LOGOUT_URL'] = 'https://issuer.example/logout';

beforeAll(shortenPauses);
afterEach(() => {
  table.heal();
  bucket.heal();
});
afterAll(() => Promise.all([table.stop(), bucket.stop(), mail.stop()]));

export const { reads, writes, files, prepare } = everyRoute(key, managerKey);
const question = { agentId: 'agent_saffron', conversationId: 'conv_huda', lastMessageId: 'msg_10' };
export const stream = () => call('POST /api/v1/connect/ai-stream', { key, body: question });
export const all: Readonly<Record<string, () => Promise<Answer>>> = {
  ...reads,
  ...Object.fromEntries(Object.entries(writes).map(([name, { send }]) => [name, send])),
  'ai-reply-stream': stream,
};

beforeAll(prepare);

/** The export of the workspace, with the webhooks, which are in no document. */
export async function workspace(): Promise<Document> {
  const { exportedAt, ...document } = await exportedFromScan('ws_saffron');
  return { ...document, ...(await webhooksOf('ws_saffron')) };
}

async function webhooksOf(workspaceId: string) {
  const items = (pk: string) => Array.fromAsync(testTable().query({ pk }));
  const webhooks = await items(keys.records(workspaceId, 'webhook'));
  const deliveries = (
    await Promise.all(webhooks.map((item) => items(webhookKeys.deliveries(workspaceId, recordOf<StoredWebhook>(item)))))
  ).flat();
  return { webhooks, deliveries, followers: await items(webhookKeys.followers()) };
}

/** The last export is kept, because an export takes as long as a dozen requests. */
let seen: Document | undefined;

/** Discards the last export after an intended change. */
export function forgetLook(): void {
  seen = undefined;
}

export async function lastSeen(): Promise<Document> {
  seen ??= await workspace();
  return seen;
}

export async function expectUnchanged(): Promise<void> {
  expect(await workspace()).toEqual(seen);
}

/** Sends all requests in parallel, and expects none to succeed. @returns their answers */
export async function refusalsOf(requests: Readonly<Record<string, () => Promise<Answer>>>) {
  const answers = Object.entries(requests).map(async ([name, send]) => {
    const { status, json, headers } = await send();
    return [name, [status, json?.code, headers['retry-after']]] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}

export const unavailable = (names: object) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, [503, 'unavailable', expect.stringMatching(/^[1-9]$/)]]));

export const throttled: Fault = { kind: 'error', type: 'ThrottlingException', status: 400 };
export const hangs = ['hangs', { kind: 'hang' }] as const;
export type NamedFaults<Kind> = readonly (readonly [string, Kind])[];
export const tableFaults: NamedFaults<Fault> = [
  ['throttles', throttled],
  hangs,
  ['resets the connection', { kind: 'reset before' }],
  ['sends half of its answer and ends', { kind: 'cut reply', end: 'clean' }],
  ['has no capacity', { kind: 'error', type: 'ProvisionedThroughputExceededException', status: 400 }],
  ['answers 500', { kind: 'error', type: 'InternalServerError', status: 500 }],
  ['sends half of its answer and breaks off', { kind: 'cut reply', end: 'broken' }],
  ['sends half of its answer and stalls', { kind: 'cut reply', end: 'stalled' }],
];
export const bucketFaults: NamedFaults<S3Fault> = [
  ['answers 503', { kind: 'error', code: 'SlowDown', status: 503 }],
  ['answers 500', { kind: 'error', code: 'InternalError', status: 500 }],
  ['answers 403', { kind: 'error', code: 'AccessDenied', status: 403 }],
  hangs,
  ['resets the connection', { kind: 'reset before' }],
  ['loses the answer', { kind: 'reset after' }],
];

/** Expects 503 for each request, and nothing stored. Ends the faults. */
async function expectRefused(requests: Readonly<Record<string, () => Promise<Answer>>>): Promise<void> {
  expect(await refusalsOf(requests)).toEqual(unavailable(requests));
  table.heal();
  bucket.heal();
  await expectUnchanged();
}

/** Sends the requests to a table that fails every call, for each kind of fault. */
export function itFailsEveryCall(faults: NamedFaults<Fault>, requests = all): void {
  it.each(faults)('makes every route answer 503 and store nothing when it %s', async (_, fault) => {
    await lastSeen();
    table.plan('any', fault);
    await expectRefused(requests);
  });
}

/** Sends the writes to a table that fails only writes, for each kind of fault. */
export function itFailsEveryWrite(faults: NamedFaults<Fault>, names = Object.keys(writes)): void {
  const sent = Object.entries(writes).filter(([name]) => names.includes(name));
  const sends = Object.fromEntries(sent.map(([name, { send }]) => [name, send]));
  const operations = new Set(sent.map(([, { operation }]) => operation));
  it.each(faults.filter(([, { kind }]) => kind !== 'cut reply'))(
    'makes every write answer 503 and store nothing when it %s',
    async (_, fault) => {
      await lastSeen();
      for (const operation of operations) table.plan(operation, fault);
      await expectRefused(sends);
    },
  );
}

/** Sends each write to a table that carries it out and loses the answer. */
export function itStoresOneTime(names = Object.keys(writes)): void {
  it.each(Object.entries(writes).filter(([name]) => names.includes(name)))(
    'and has lost the answer is called again, so that %s is answered and stored one time',
    async (_, { operation, list, adds = 1, send }) => {
      const before = await lastSeen();
      table.plan(operation, { kind: 'reset after' }, 1);
      expect([200, 201, 202, 204]).toContain((await send()).status);
      // An invitation also counts itself, by a call of its own.
      const [lost, ...others] = table.calls.filter((call) => call.operation === operation);
      expect(others.filter(({ input }) => isDeepStrictEqual(input, lost?.input))).toHaveLength(1);
      table.heal();
      forgetLook();
      const after = await lastSeen();
      if (list) expect(list(after)).toHaveLength(list(before).length + adds);
      else expect(after).not.toEqual(before);
    },
  );
}

/** Sends the requests for files to a bucket that fails every call, for each kind of fault. */
export function itFailsTheBucket(faults: NamedFaults<S3Fault>): void {
  it.each(faults)('makes every route that needs it answer 503 when every call %s', async (_, fault) => {
    await lastSeen();
    bucket.plan('any', fault);
    await expectRefused(files);
  });
}

/** Uses a new key while the table fails the calls that record its use. */
export function itForgivesUnrecordedUses(faults: NamedFaults<Fault>): void {
  describe('a failure to record the last use of a key', () => {
    it.each(faults)('neither fails nor delays a request when the table %s', async (_, fault) => {
      const { json } = await call('POST /api/v1/manage/api-keys', {
        key: managerKey,
        body: { name: 'New', permissions: ['cms:entry:read'] },
      });
      table.noteFault = fault;
      const { result, waited } = await timed(() => call(`GET ${chef}`, { key: json.secret }));
      expect(result.status).toBe(200);
      expect(waited).toBeLessThan(1_500);
    });
  });
}
