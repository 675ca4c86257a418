import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { Permission } from '#lib/domain/access/permission.ts';
import { type Answer, call } from '#test/support/call.ts';
import { demoKeys, openDemo } from '#test/support/demo-workspace.ts';
import { exportedFromScan } from '#test/support/document-text.ts';
import { everyRoute } from '#test/support/every-route.ts';
import { type Fault, FaultProxy } from '#test/support/fault-proxy.ts';
import { MailSink } from '#test/support/mail-sink.ts';
import { S3FaultProxy } from '#test/support/s3-fault-proxy.ts';
import { shortenPauses } from '#test/support/short-pauses.ts';
import { type Document, testTable } from '#test/support/world.ts';

// Shared by the two files of faults. Each imports it for itself, with its own demo workspace.

export const key = demoKeys.all;
export const managerKey = 'saffron-manager-key-0000000';
await openDemo(({ apiKeys }) =>
  apiKeys.push({ id: 'key_manager', name: 'Manager', secret: managerKey, permissions: Permission.options }),
);
await testTable().get({ pk: 'loaded before', sk: 'the proxy' });
export const table = await FaultProxy.start(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
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

export async function workspace(): Promise<Document> {
  const { exportedAt, ...document } = await exportedFromScan('ws_saffron');
  return document;
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
/** `npm test` tries the fast ones with every route: a refusal, no answer, no connection, and a wrong answer. */
const faults: Readonly<Record<'fast' | 'long', readonly [string, Fault][]>> = {
  fast: [
    ['throttles', throttled],
    ['hangs', { kind: 'hang' }],
    ['resets the connection', { kind: 'reset before' }],
    ['sends half of its answer and ends', { kind: 'cut reply', end: 'clean' }],
  ],
  long: [
    ['has no capacity', { kind: 'error', type: 'ProvisionedThroughputExceededException', status: 400 }],
    ['answers 500', { kind: 'error', type: 'InternalServerError', status: 500 }],
    ['sends half of its answer and breaks off', { kind: 'cut reply', end: 'broken' }],
    ['sends half of its answer and stalls', { kind: 'cut reply', end: 'stalled' }],
  ],
};
export const tableFaults = [...faults.fast, ...faults.long];
export const faultsOf = (run: keyof typeof faults) => faults[run];

/** Sends the requests to a table that fails every call, for each kind of fault. */
export function itFailsEveryCall(faults: readonly (readonly [string, Fault])[], requests = all): void {
  it.each(faults)('makes every route answer 503 and store nothing when it %s', async (_, fault) => {
    await lastSeen();
    table.plan('any', fault);
    expect(await refusalsOf(requests)).toEqual(unavailable(requests));
    table.heal();
    await expectUnchanged();
  });
}

/** Sends the writes to a table that fails only writes, for each kind of fault. */
export function itFailsEveryWrite(faults: readonly (readonly [string, Fault])[], names = Object.keys(writes)): void {
  const sent = Object.entries(writes).filter(([name]) => names.includes(name));
  const sends = Object.fromEntries(sent.map(([name, { send }]) => [name, send]));
  const operations = new Set(sent.map(([, { operation }]) => operation));
  it.each(faults.filter(([, { kind }]) => kind !== 'cut reply'))(
    'makes every write answer 503 and store nothing when it %s',
    async (_, fault) => {
      await lastSeen();
      for (const operation of operations) table.plan(operation, fault);
      expect(await refusalsOf(sends)).toEqual(unavailable(sends));
      table.heal();
      await expectUnchanged();
    },
  );
}
