import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { StoredFiles } from '#lib/attachments/stored-files.ts';
import { objectSize } from '#lib/files/read-file.ts';
import { Attachments } from '#lib/table/messaging/attachments.ts';
import { call } from '#test/support/call.ts';
import { capturedLines } from '#test/support/log-capture.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { S3FaultProxy } from '#test/support/s3-fault-proxy.ts';
import { announcedItems, leftovers, noFiles, sweepFiles } from '#test/support/stored-files.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

// Its own table, because a sweep covers all workspaces.
await openOwnTable();
const { keys, workspaceId } = await openWorkspace('files');
// The functions are imported below, so that the bucket is behind the proxy.
const bucket = await S3FaultProxy.start();
process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;
afterAll(() => bucket.stop());
const megabyte = Buffer.alloc(1_048_576);
const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();

const sweepLater = () => sweepFiles(minutes(31));

const announce = async (size = 5) => {
  const body = { files: [{ name: 'menu.pdf', type: 'application/pdf', size }] };
  return (await call('POST /api/v1/connect/attachments/announce', { key: keys.uploader, body })).json.files[0];
};
const put = ({ url, headers }: { url: string; headers: Record<string, string> }, bytes = 'hello') =>
  fetch(url, { method: 'PUT', headers, body: bytes });

afterEach(async () => {
  await sweepLater();
  expect(await leftovers(workspaceId)).toMatchObject({ openUploads: [], announced: [] });
});

describe('an upload whose process was killed', () => {
  const uploadOf = () => new StoredFiles({ workspaceId }, () => testTable());

  /** What exists at the moment when the process dies. */
  const moments: readonly [string, (files: StoredFiles) => Promise<unknown>][] = [
    ['before the first byte', async (files) => files.open({ name: 'a', type: '' })],
    [
      'in the middle of a large file',
      async (files) => {
        files.open({ name: 'a', type: '' });
        for (let part = 0; part < (isLongRun ? 12 : 6); part++) await files.write(megabyte);
      },
    ],
    [
      'after the first of two files',
      async (files) => {
        files.open({ name: 'a', type: '' });
        await files.write(megabyte);
        await files.close();
        files.open({ name: 'b', type: '' });
        for (let part = 0; part < 6; part++) await files.write(megabyte);
      },
    ],
    [
      'when every file is in the bucket',
      async (files) => {
        files.open({ name: 'a', type: '' });
        for (let part = 0; part < 6; part++) await files.write(megabyte);
        await files.close();
      },
    ],
  ];

  it.each(isLongRun ? moments : moments.slice(0, 2))('%s leaves nothing after half an hour', async (_, upTo) => {
    await upTo(uploadOf());
    await sweepFiles(minutes(25));
    expect((await leftovers(workspaceId)).announced).not.toEqual([]);
    await sweepLater();
    expect(await leftovers(workspaceId)).toEqual(noFiles);
  });

  it('can no longer be stored after its sweep', async () => {
    const files = uploadOf();
    files.open({ name: 'a', type: '' });
    await files.close();
    await sweepLater();
    await expect(files.store()).rejects.toThrow('did not store');
    expect(await leftovers(workspaceId)).toEqual(noFiles);
  });

  it('stays while it may still run', async () => {
    const files = uploadOf();
    files.open({ name: 'a', type: '' });
    await files.close();
    await sweepFiles(minutes(29));
    const [stored] = await files.store();
    expect((await leftovers(workspaceId)).objects).toEqual([stored?.s3Key]);
    expect(await new Attachments(testTable(), { workspaceId }).find(stored?.id ?? '')).toEqual(stored);
  });
});

it('an upload whose time for the bucket is over stores no further file, and keeps none', async () => {
  const over = new AbortController();
  const files = new StoredFiles({ workspaceId }, () => testTable(), over.signal);
  const before = await leftovers(workspaceId);
  files.open({ name: 'a', type: '' });
  await files.close();
  over.abort();
  files.open({ name: 'b', type: '' });
  await expect(files.close()).rejects.toThrow('The bucket did not answer.');
  await files.discard();
  const { objects, records } = await leftovers(workspaceId);
  expect({ objects, records }).toEqual({ objects: before.objects, records: before.records });
});

describe('an upload that was announced twice, because the first announcement came late', () => {
  it('keeps its file, whenever the first announcement is swept', async () => {
    const files = new StoredFiles({ workspaceId }, () => testTable());
    files.open({ name: 'a', type: '' });
    await files.write(megabyte);
    await files.close();
    const announcements = await announcedItems(workspaceId);
    const [stored] = await files.store();
    for (const announcement of announcements) await testTable().put(announcement);
    await sweepLater();
    const { objects, records, announced } = await leftovers(workspaceId);
    expect([objects.includes(stored?.s3Key ?? ''), records.includes(stored?.s3Key ?? '')]).toEqual([true, true]);
    expect(announced).toEqual([]);
  });
});

describe('a direct upload', () => {
  it('that has arrived is stored when its time is over, even if it is never read', async () => {
    const { id, upload } = await announce();
    expect((await put(upload)).status).toBe(200);
    await sweepLater();
    expect([...(await new Attachments(testTable(), { workspaceId }).readable([id]))]).toEqual([id]);
  });

  it('that never arrives is deleted, and cannot be read later', async () => {
    const { id, s3Key } = await announce();
    await sweepFiles(minutes(29));
    expect((await leftovers(workspaceId)).announced).toEqual([s3Key]);
    await sweepLater();
    const { announced, records } = await leftovers(workspaceId);
    expect({ announced, isStored: records.includes(s3Key) }).toEqual({ announced: [], isStored: false });
    expect(await new Attachments(testTable(), { workspaceId }).find(id, objectSize)).toBeUndefined();
  });

  it('is stored even among many others', async () => {
    const files = await Promise.all(Array.from({ length: 20 }, () => announce()));
    await Promise.all(files.slice(0, 10).map(({ upload }) => put(upload)));
    await sweepLater();
    const ids = files.map(({ id }) => id);
    const readable = await new Attachments(testTable(), { workspaceId }).readable(ids);
    expect([...readable].sort()).toEqual(ids.slice(0, 10).sort());
  });
});

describe('a sweep without time left', () => {
  it('leaves everything to the next sweep', async () => {
    const { s3Key } = await announce();
    await sweepFiles(minutes(31), 14_000);
    expect((await leftovers(workspaceId)).announced).toEqual([s3Key]);
  });
});

describe('a file that cannot be settled because the bucket fails', () => {
  it.each([
    [31, 'warn'],
    [120, 'error'],
  ])('is logged %d minutes after its announcement at the level %s', async (after, level) => {
    const { id } = await announce();
    bucket.plan('any', { kind: 'error', code: 'InternalError', status: 500 });
    const lines = await capturedLines(() => sweepFiles(minutes(after)));
    bucket.heal();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level, id, workspaceId, attempts: 1 }]);
  });
});
