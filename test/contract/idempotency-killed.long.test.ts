import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { bundleFunctions } from '#lib/bundle/bundle-functions.ts';
import { partBytes } from '#lib/files/write-file.ts';
import { httpApiEvent } from '#lib/local/event.ts';
import { call } from '#test/support/call.ts';
import { KillableFunctions, type KillPoint } from '#test/support/killable-functions.ts';
import { formBody } from '#test/support/multipart.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { leftovers, objectBytes, sweepFiles } from '#test/support/stored-files.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';

let folder: string;
let files: ReadonlyMap<string, string>;
let uploads: Workspace<'files'>;
let entries: Workspace;

beforeAll(async () => {
  await openOwnTable();
  folder = await mkdtemp(join(tmpdir(), 'idempotency-killed-'));
  const bundles = await bundleFunctions(undefined, join(folder, 'build', 'functions'));
  files = new Map(bundles.map(({ name, file }) => [name, file]));
  uploads = await openWorkspace('files');
  entries = await openWorkspace('kitchen');
});
afterAll(() => rm(folder, { recursive: true }));

/** Before and after each write of a call, beginning with the first of these writes. */
const deathsAround = (writes: number, first = 1): KillPoint[] =>
  Array.from({ length: writes }, (_, index) => index + first).flatMap((write): KillPoint[] => [
    { write, when: 'before' },
    { write, when: 'after' },
  ]);

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Repeats the request until there is an answer, as clients do. @param whenKilled runs before each repetition */
async function writeWithRetries(functions: KillableFunctions, name: string, sent: Sent, whenKilled = async () => {}) {
  const { method, url, key, body } = sent;
  const headers = Object.entries({ host: '127.0.0.1', authorization: `Bearer ${key}`, ...sent.headers });
  const raw = { method, url, headers, body, sourceIp: '127.0.0.1', requestId: 'x', routeKey: '$default' };
  for (;;) {
    const answer = await functions.invoke(files.get(name) ?? '', httpApiEvent(raw));
    if (answer) return answer as APIGatewayProxyStructuredResultV2;
    await whenKilled();
  }
}

async function withDeaths(writes: number, work: (functions: KillableFunctions) => Promise<void>): Promise<void> {
  const targets = { table: process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '' };
  await untilAllAreDead(await KillableFunctions.start(targets, deathsAround(writes)), work);
}

/** Like `withDeaths`, with deaths around writes to the bucket, too. */
async function withDeathsAtBucket(
  deaths: KillPoint[],
  work: (functions: KillableFunctions) => Promise<void>,
): Promise<void> {
  const table = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
  const bucket = process.env['AWS_ENDPOINT_URL_S3'] ?? '';
  await untilAllAreDead(await KillableFunctions.start({ table, bucket }, deaths), work);
}

async function untilAllAreDead(functions: KillableFunctions, work: (functions: KillableFunctions) => Promise<void>) {
  try {
    while (functions.deathsLeft > 0) await work(functions);
  } finally {
    await functions.stop();
  }
}

const sentFiles = ['one', 'two'].map((bytes) => ({ filename: `${bytes}.txt`, bytes }));
const announced = { files: ['one', 'two'].map((name) => ({ name, type: 'text/plain', size: 3 })) };

it.each([
  // Each of two files is announced, and one transaction stores both.
  ['of files', 'attachments-upload', 3, formBody(sentFiles)],
  [
    'that announces files',
    'attachments-announce',
    1,
    { headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(announced)) },
  ],
])('an upload %s happens one time, whenever its process is killed', async (_, name, writes, { headers, body }) => {
  const { workspaceId, keys } = uploads;
  const before = await leftovers(workspaceId);
  const answered: string[] = [];
  await withDeaths(writes, async (functions) => {
    const retried = `${writes}-${answered.length}`;
    const url = `/api/v1/connect/attachments${name === 'attachments-announce' ? '/announce' : ''}`;
    const sent = { method: 'POST', url, key: keys.uploader, body };
    const own = { ...sent, headers: { ...headers, 'idempotency-key': retried } };
    const first = await writeWithRetries(functions, name, own);
    expect(first.statusCode).toBe(200);
    expect((await writeWithRetries(functions, name, own)).body).toBe(first.body);
    answered.push(...JSON.parse(first.body ?? '').files.map(({ s3Key }: { s3Key: string }) => s3Key));
  });
  const wanted = (kind: 'records' | 'announced', now: Awaited<ReturnType<typeof leftovers>>) =>
    now[kind].filter((s3Key) => !before[kind].includes(s3Key));
  if (writes === 1) expect(wanted('announced', await leftovers(workspaceId))).toEqual(answered.toSorted());
  await sweepFiles('9999');
  const left = await leftovers(workspaceId);
  expect(left).toEqual({ objects: left.records, records: left.records, announced: [], openUploads: [] });
  if (writes === 3) expect(wanted('records', left)).toEqual(answered.toSorted());
});

/** Sweeps a kitchen's files. Expects objects and records to match, and nothing else to be left. */
async function sweptFiles(workspaceId: string): Promise<readonly string[]> {
  await sweepFiles('9999');
  const { records, ...left } = await leftovers(workspaceId);
  expect(left).toEqual({ objects: records, announced: [], openUploads: [] });
  return records;
}

const note = { filename: 'note.txt', bytes: 'hello' };
const film = { filename: 'film.mp4', bytes: Buffer.alloc(partBytes + 1_000, 'film') };
const uploadFiles = (functions: KillableFunctions, form: ReturnType<typeof formBody>, name: string) =>
  functions.send(files.get('attachments-upload') ?? '', '/api/v1/connect/attachments', {
    method: 'POST',
    headers: { ...form.headers, authorization: `Bearer ${uploads.keys.uploader}`, 'idempotency-key': name },
    body: form.body as Uint8Array<ArrayBuffer>,
  });

it('an upload of two files happens one time, whenever its process is killed between calls of the bucket', async () => {
  const { workspaceId } = uploads;
  const before = await sweptFiles(workspaceId);
  const answered: string[] = [];
  // Each file is announced. One is put; the other is opened, sent in two parts and completed. Then both are stored.
  await withDeathsAtBucket(deathsAround(8), async (functions) => {
    const name = `killed-${answered.length}`;
    let first: Awaited<ReturnType<typeof uploadFiles>>;
    while (!first) {
      first = await uploadFiles(functions, formBody([note, film]), name);
      // A file is readable only if it was stored as a whole.
      if (!first) expect((await leftovers(workspaceId)).records.length % 2).toBe(before.length % 2);
    }
    expect(first.statusCode).toBe(200);
    expect((await uploadFiles(functions, formBody([note, film]), name))?.body).toBe(first.body);
    const [small, large] = JSON.parse(first.body).files;
    expect((await objectBytes(small.s3Key)).toString()).toBe(note.bytes);
    expect((await objectBytes(large.s3Key)).equals(film.bytes)).toBe(true);
    answered.push(small.s3Key, large.s3Key);
  });
  expect(await sweptFiles(workspaceId)).toEqual([...before, ...answered].toSorted());
});

it('a refused upload leaves nothing, whenever its process is killed during the clean-up', async () => {
  const before = await sweptFiles(uploads.workspaceId);
  const form = formBody([note, film, { ...note, name: 'strange' }]);
  // After the seven writes of two files, their objects or parts are removed, and then their announcements.
  await withDeathsAtBucket(deathsAround(4, 8), async (functions) => {
    const answer = await uploadFiles(functions, form, 'refused');
    expect(answer?.statusCode ?? 400).toBe(400);
  });
  expect(await sweptFiles(uploads.workspaceId)).toEqual(before);
});

it.each(['things/thing_1', 'chefs/chef_1'])(
  'an update of %s is carried out one time, whenever its process is killed',
  async (path) => {
    const url = `/api/public/cms/${path}`;
    const field = path.startsWith('things') ? 'day' : 'joined';
    const key = entries.keys.editor;
    const read = () => call(`GET ${url}`, { key });
    let number = 0;
    // The update with its idempotency record, and the recorded answer.
    await withDeaths(2, async (functions) => {
      const value = `2026-01-${String(++number).padStart(2, '0')}`;
      const later = `2027-01-${String(number).padStart(2, '0')}`;
      let isApplied = false;
      const headers = { 'content-type': 'application/json', 'idempotency-key': `update-${number}` };
      const body = Buffer.from(JSON.stringify({ values: { [field]: value } }));
      const sent = { method: 'PATCH', url, key, headers, body };
      const first = await writeWithRetries(functions, 'cms-entry-update', sent, async () => {
        isApplied = (await read()).json[field] === value;
        if (isApplied) await call(`PATCH ${url}`, { key, body: { values: { [field]: later } } });
      });
      const now = await read();
      expect(now.json[field]).toBe(isApplied ? later : value);
      expect(first.statusCode).toBe(200);
      const again = await writeWithRetries(functions, 'cms-entry-update', sent);
      expect([again.statusCode, again.body, again.headers?.['etag']]).toEqual([
        200,
        first.body,
        first.headers?.['etag'],
      ]);
      expect((await read()).text).toBe(now.text);
    });
  },
);
