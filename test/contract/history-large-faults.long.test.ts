import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { Containers } from '#test/support/containers.ts';
import {
  filesOf,
  hashOf,
  historyOf,
  large,
  openLarge,
  passSeconds,
  startBucketProxy,
} from '#test/support/large-records.ts';
import type { S3Fault } from '#test/support/s3-fault-proxy.ts';
import { load } from '#test/support/world.ts';

// The functions are imported from here on, so that their bucket is behind the proxy.
const bucket = await startBucketProxy();
const kitchen = await openLarge();
const { manage, rowsOf, shown, version, restore } = historyOf(kitchen);

describe('a bucket that fails a write', () => {
  const faults: readonly (readonly [id: string, S3Fault])[] = [
    ['is_down', { kind: 'reset before' }],
    ['answers_500', { kind: 'error', code: 'InternalError', status: 500 }],
    ['hangs', { kind: 'hang' }],
    ['has_written_and_does_not_say_so', { kind: 'reset after' }],
    ['is_late', { kind: 'drip', milliseconds: 1_500 }],
  ];

  it.each(faults)('%s: the version is lost, and the write is not', async (id, fault) => {
    const path = `cms-entries/large/${id}`;
    bucket.plan('PutObject', fault);
    expect((await manage(`PUT ${path}`, large())).status).toBe(201);
    expect((await manage(`PATCH ${path}`, { values: { title: 'Changed' } })).status).toBe(200);
    const lost = await rowsOf(path);
    expect(lost.map(({ action }) => action)).toEqual(['update', 'create']);
    for (const row of lost) {
      expect((await version(path, row)).status).toBe(404);
      expect(issuesOf(await restore(path, row))).toEqual(['version not_found']);
    }
    expect((await manage(`DELETE ${path}`)).status).toBe(204);
    bucket.heal();
    passSeconds();
    expect((await manage(`PUT ${path}`, large('Kept'))).status).toBe(201);
    const [kept] = await rowsOf(path);
    expect((await version(path, kept)).json.values.title).toBe('Kept');
  });

  const hangingPuts = () => bucket.calls.filter(({ operation }) => operation === 'PutObject').length;

  it('by hanging holds up one of many changes of a request', async () => {
    bucket.plan('PutObject', { kind: 'hang' });
    const changeOf = (index: number) => ({ kind: 'cms-entries', id: `large/bulk_${index}`, record: large() });
    const changes = Array.from({ length: 12 }, (_, index) => ({ method: 'PUT', ...changeOf(index) }));
    const { json } = await manage('POST changes', { changes });
    expect(json.results.map(({ status }: { status: number }) => status)).toEqual(Array(12).fill(201));
    expect(hangingPuts()).toBe(1);
  });

  it('by hanging lets all parallel updates of one record succeed', async () => {
    const path = 'cms-entries/large/parallel';
    await manage(`PUT ${path}`, large());
    bucket.heal();
    bucket.plan('PutObject', { kind: 'hang' });
    const updates = Array.from({ length: 5 }, (_, index) => manage(`PATCH ${path}`, { values: { title: `${index}` } }));
    expect((await Promise.all(updates)).map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(await rowsOf(path)).toHaveLength(6);
  });
});

describe('a bucket that fails a read', () => {
  const path = 'cms-entries/large/read';
  const calls = async () => {
    const [row] = await rowsOf(path);
    return [await version(path, row), await restore(path, row), await manage('GET deleted?kind=cms-entries&limit=1')];
  };
  beforeAll(async () => {
    for (const id of ['read', 'deleted']) await manage(`PUT cms-entries/large/${id}`, large());
    await manage('DELETE cms-entries/large/deleted');
  });

  it.each<[string, S3Fault]>([
    ['is down', { kind: 'reset before' }],
    ['answers 500', { kind: 'error', code: 'InternalError', status: 500 }],
    ['hangs', { kind: 'hang' }],
    ['breaks off', { kind: 'cut reply', bytes: 1_000, end: 'broken' }],
    ['stalls', { kind: 'cut reply', bytes: 1_000, end: 'stalled' }],
  ])('because it %s is 503, and the version is there afterwards', async (_, fault) => {
    const before = await shown(path);
    bucket.plan('GetObject', fault);
    for (const answer of await calls()) expect([answer.status, answer.json.code]).toEqual([503, 'unavailable']);
    bucket.heal();
    expect(await shown(path)).toBe(before);
    expect((await calls()).map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

it('another container reads and adds versions, and an import leaves them', async () => {
  const path = 'cms-entries/large/elsewhere';
  await manage(`PUT ${path}`, large());
  const before = await shown(path);
  const [row] = await rowsOf(path);
  const files = await filesOf(kitchen);
  await load(kitchen.document);
  await using containers = await Containers.start(1);
  const ask = (request: string, body?: object) =>
    containers.at(0).call(request.replace(' ', ' /api/v1/manage/'), { key: kitchen.secretOf('all'), body });
  expect(hashOf((await ask(`GET ${path}/versions/${row?.id}`)).text)).toBe(before);
  expect((await ask(`PATCH ${path}`, { values: { title: 'Elsewhere' } })).status).toBe(200);
  const [changed] = await rowsOf(path);
  expect((await version(path, changed)).json.values.title).toBe('Elsewhere');
  expect((await filesOf(kitchen)).length).toBe(files.length + 1);
}, 120_000);
