import { expect, it } from '@jest/globals';
import type { ScheduledEvent } from 'aws-lambda';
import { issuesOf } from '#test/support/answers.ts';
import { call } from '#test/support/call.ts';
import { importText } from '#test/support/document-text.ts';
import {
  filesOf,
  hashOf,
  historyOf,
  huge,
  large,
  openLarge,
  removeFiles,
  startBucketProxy,
  text,
} from '#test/support/large-records.ts';
import { startTableProxy } from '#test/support/proxied-table.ts';

// The functions are imported from here on, so that bucket and table are behind proxies.
const bucket = await startBucketProxy();
const table = await startTableProxy();
const [kitchen, other] = [await openLarge(), await openLarge()];
const { manage, rowsOf, shown, version, restore } = historyOf(kitchen);
const key = kitchen.secretOf('all');

it('each state of the largest record comes back byte for byte, through every route that changes it', async () => {
  const path = 'cms-entries/large/huge';
  const seen: string[] = [];
  const step = async (change: Promise<{ readonly status: number }>, status = 200) => {
    expect((await change).status).toBe(status);
    seen.push((await manage(`GET ${path}`)).text);
  };
  await step(manage(`PUT ${path}`, huge()), 201);
  await step(manage(`PUT ${path}`, huge('Again')));
  await step(manage(`PATCH ${path}`, { values: { b: text(84_000) } }));
  await step(call('PATCH /api/public/cms/large/huge', { key, body: { values: { c: text(84_000) } } }));
  const bulk = { method: 'PATCH', kind: 'cms-entries', id: 'large/huge', record: { values: { d: text(84_000) } } };
  await step(manage('POST changes', { changes: [bulk] }));
  const rows = await rowsOf(path);
  expect(rows.map(({ action }) => action)).toEqual(['update', 'update', 'update', 'update', 'create']);
  const texts = await Promise.all(rows.map(async (row) => (await version(path, row)).text));
  expect(texts.toReversed().map(hashOf)).toEqual(seen.map(hashOf));
  expect((await manage(`DELETE ${path}`)).status).toBe(204);
  const { json: deleted } = await manage('GET deleted?kind=cms-entries');
  expect(deleted.data).toMatchObject([{ id: 'large/huge', name: 'Again', version: rows[0]?.id }]);
  const back = await restore(path, rows[1]);
  expect([back.status, hashOf(JSON.stringify(back.json.values))]).toEqual([201, valuesIn(seen[3])]);
  const again = await restore(path, rows[4]);
  expect([again.status, hashOf(JSON.stringify(again.json.values))]).toEqual([200, valuesIn(seen[0])]);
  expect((await filesOf(kitchen)).length).toBe(8);
}, 30_000);

const valuesIn = (record = ''): string => hashOf(JSON.stringify(JSON.parse(record).values));

it('the state that an import has left is kept, too', async () => {
  const path = 'menu-products/prod_1';
  const before = await shown(path);
  await manage(`PATCH ${path}`, { description: { en: text(60_000) } });
  const rows = await rowsOf(path);
  expect(rows.map(({ action }) => action)).toEqual(['update', 'import']);
  expect(hashOf((await version(path, rows[1])).text)).toBe(before);
});

it('a small record, and a large one that compresses, cost no call of the bucket', async () => {
  const path = 'cms-entries/large/small';
  await manage(`PUT ${path}`, { values: { title: 'Small' } });
  await manage(`PATCH ${path}`, { values: { a: 'A text. '.repeat(10_000) } });
  const [row] = await rowsOf(path);
  expect((await version(path, row)).status).toBe(200);
  await manage(`DELETE ${path}`);
  await manage('GET deleted?kind=cms-models');
  expect((await restore(path, row)).status).toBe(201);
  expect(bucket.calls).toEqual([]);
});

it('the schedule keeps a large version', async () => {
  const { handler } = await import('#functions/schedules-apply/handler.ts');
  const path = 'cms-entries/large/scheduled';
  const publishAt = new Date(Date.now() + 3_600_000).toISOString();
  await manage(`PUT ${path}`, { ...large(), published: false, publishAt });
  const due = { time: new Date(Date.parse(publishAt) + 1).toISOString() } as ScheduledEvent;
  await handler(due, { getRemainingTimeInMillis: () => 60_000 });
  const [row, made] = await rowsOf(path);
  expect(hashOf((await version(path, row)).text)).toBe(await shown(path));
  expect((await version(path, made)).json.published).toBe(false);
});

it('a version that the bucket does not take is listed, is 404, and restores nothing; its write succeeds', async () => {
  const path = 'cms-entries/large/lost';
  bucket.plan('PutObject', { kind: 'error', code: 'AccessDenied', status: 403 });
  expect((await manage(`PUT ${path}`, large())).status).toBe(201);
  expect((await manage(`PATCH ${path}`, { values: { title: 'Changed' } })).status).toBe(200);
  const lost = await rowsOf(path);
  expect(lost.map(({ action }) => action)).toEqual(['update', 'create']);
  for (const row of lost) {
    expect((await version(path, row)).status).toBe(404);
    expect(issuesOf(await restore(path, row))).toEqual(['version not_found']);
  }
  expect((await manage(`DELETE ${path}`)).status).toBe(204);
  const { json } = await manage('GET deleted?kind=cms-entries&limit=1');
  expect(json.data).toMatchObject([{ id: 'large/lost', name: 'lost', version: lost[0]?.id }]);
});

it('a bucket that does not answer is 503 for a version, a restore and the deleted records', async () => {
  const path = 'cms-entries/large/unread';
  await manage(`PUT ${path}`, large());
  const [row] = await rowsOf(path);
  await manage(`DELETE ${path}`);
  bucket.plan('GetObject', { kind: 'reset before' });
  for (const answer of [await version(path, row), await restore(path, row), await manage('GET deleted')]) {
    expect([answer.status, answer.json.code]).toEqual([503, 'unavailable']);
    expect(answer.headers['retry-after']).toEqual(expect.any(String));
  }
  bucket.heal();
  expect((await restore(path, row)).status).toBe(201);
});

it('a version whose file is gone is one that was not kept', async () => {
  const path = 'cms-entries/large/gone';
  await manage(`PUT ${path}`, large());
  const [row] = await rowsOf(path);
  await manage(`DELETE ${path}`);
  await removeFiles(kitchen);
  expect((await version(path, row)).status).toBe(404);
  expect(issuesOf(await restore(path, row))).toEqual(['version not_found']);
  expect((await manage('GET deleted?kind=cms-entries&limit=1')).json.data).toMatchObject([{ name: 'gone' }]);
});

it('a change that is not stored leaves a file that nothing finds', async () => {
  const path = 'cms-entries/large/orphan';
  await manage(`PUT ${path}`, large());
  const before = [await shown(path), await rowsOf(path)];
  const files = await filesOf(kitchen);
  table.plan('TransactWriteItems', { kind: 'error', type: 'ThrottlingException', status: 400 }, 1_000);
  expect((await manage(`PATCH ${path}`, { values: { title: 'Never' } })).status).toBe(503);
  table.heal();
  expect([await shown(path), await rowsOf(path)]).toEqual(before);
  expect((await filesOf(kitchen)).length).toBeGreaterThan(files.length);
});

it('a caller whose key was revoked writes no file', async () => {
  const permissions = ['cms:entry:read', 'cms:entry:create', 'cms:entry:update', 'cms:model:read'];
  const { id, secret } = (await manage('POST api-keys', { name: 'Ended', permissions })).json;
  const path = 'cms-entries/large/ended';
  await manage(`PUT ${path}`, large('First'));
  const patch = (name: string) =>
    call(`PATCH /api/v1/manage/${path}`, { key: secret, body: { values: { title: name } } });
  expect((await patch('Second')).status).toBe(200);
  expect((await manage(`PATCH api-keys/${id}`, { revokedAt: new Date().toISOString() })).status).toBe(200);
  bucket.heal();
  // The work of an expected caller begins before its key is read.
  expect((await patch('Third')).status).toBe(401);
  expect((await manage(`GET ${path}`)).json.values.title).toBe('Second');
  expect(bucket.calls).toEqual([]);
});

const notOurs = { message: 'This file does not belong to this workspace.' };

it('two workspaces share no file, and no answer, address or document leads to one', async () => {
  const path = 'cms-entries/large/shared';
  for (const { manage: send } of [kitchen, other]) await send(`PUT ${path}`, large());
  const [row] = await rowsOf(path);
  const [own, foreign] = [await filesOf(kitchen), await filesOf(other)];
  expect([own.length > 0, foreign.length]).toEqual([true, 1]);
  expect((await other.manage(`GET ${path}/versions/${row?.id}`)).status).toBe(404);
  const answers = [await manage(`GET ${path}/versions`), await version(path, row), await restore(path, row)];
  for (const { text: body, headers } of answers) expect(body + JSON.stringify(headers)).not.toContain('history/');
  for (const s3Key of [own.at(-1), foreign.at(-1)])
    expect((await call(`GET /api/v1/connect/assets/${s3Key}`, { key })).json).toMatchObject(notOurs);
  const attachment = { id: 'att_1', name: 'a.txt', s3Key: own.at(-1), type: 'text/plain', size: 5 };
  const document = { ...kitchen.document, attachments: [{ ...attachment, createdAt: '2026-01-01T00:00:00.000Z' }] };
  const { failures } = await importText(JSON.stringify(document), 'json');
  expect(failures.map(({ path: at, code }) => `${at} ${code}`)).toEqual(['s3Key format', 's3Key not_allowed']);
});
