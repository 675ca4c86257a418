import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { objectSize } from '#lib/files/read-file.ts';
import { partBytes } from '#lib/files/write-file.ts';
import { keys as tableKeys } from '#lib/table/keys.ts';
import { Attachments } from '#lib/table/messaging/attachments.ts';
import type { Fault } from '#test/support/fault-proxy.ts';
import { openFaultyUploads } from '#test/support/faulty-uploads.ts';
import { formBody, type Part } from '#test/support/multipart.ts';
import { leftovers } from '#test/support/stored-files.ts';
import type { Workspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const uploads = await openFaultyUploads();
const { kitchens, table, bucket, server } = uploads;
const { keys, workspaceId } = kitchens[0] as Workspace<'files'>;

const note: Part = { filename: 'note.txt', bytes: 'hello' };
const film: Part = { filename: 'film.mp4', bytes: Buffer.alloc(partBytes + 100_000, 'film') };
let count = 0;
const newKey = () => ({ 'idempotency-key': `upload-${++count}` });
const send = (headers: Record<string, string>, parts: readonly Part[] = [note, note]) =>
  server.send(keys.uploader, formBody(parts).body, headers);
const menu = { name: 'menu.pdf', type: 'application/pdf', size: 5 };
const announce = (headers: Record<string, string>, files: readonly object[] = [menu, menu]) =>
  server.send(keys.uploader, Buffer.from(JSON.stringify({ files })), {
    ...headers,
    'content-type': 'application/json',
  });
const putFile = async ({ upload }: { upload: { url: string; headers: Record<string, string> } }) =>
  expect((await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: 'hello' })).status).toBe(200);
const calls = () => table.calls.map(({ operation }) => operation);

afterEach(async () => {
  for (const { objects, ...left } of await uploads.settle()) {
    expect(left).toEqual({ records: objects, announced: [], openUploads: [] });
  }
});
afterAll(() => uploads.stop());

/** How many more attachments there are after some work, stored or announced. */
async function growth(work: () => Promise<void>): Promise<{ records: number; announced: number }> {
  const before = await leftovers(workspaceId);
  await work();
  const after = await leftovers(workspaceId);
  return {
    records: after.records.length - before.records.length,
    announced: after.announced.length - before.announced.length,
  };
}

describe.each([
  ['files', send, { records: 2, announced: 0 }],
  ['an announcement', announce, { records: 0, announced: 2 }],
] as const)('the reply to the transaction of %s', (_, post, made) => {
  it.each([1, 2])('whose answer is lost %d times is retried', async (lost) => {
    const headers = newKey();
    const grown = await growth(async () => {
      table.plan('TransactWriteItems', { kind: 'reset after' }, lost);
      const first = await post(headers);
      expect(first.status).toBe(200);
      expect(await post(headers)).toEqual(first);
    });
    expect(grown).toEqual(made);
  });

  it('whose answer is lost every time has a result that a retry finds', async () => {
    const headers = newKey();
    const grown = await growth(async () => {
      table.plan('TransactWriteItems', { kind: 'reset after' });
      expect([200, 503]).toContain((await post(headers)).status);
      table.heal();
      const second = await post(headers);
      expect(second.status).toBe(200);
      expect(await post(headers)).toEqual(second);
    });
    expect(grown).toEqual(made);
  });

  it('whose answer is lost while the client retries has one result', async () => {
    const headers = newKey();
    const again: ReturnType<typeof post>[] = [];
    const grown = await growth(async () => {
      const meanwhile = async () => {
        again.push(post(headers));
        await again[0];
      };
      table.plan('TransactWriteItems', { kind: 'reset after', meanwhile }, 1);
      const first = await post(headers);
      expect(first.status).toBe(200);
      expect(await again[0]).toEqual(first);
    });
    expect(grown).toEqual(made);
  });
});

describe.each<[string, Fault]>([
  ['is throttled', { kind: 'error', type: 'ThrottlingException', status: 400 }],
  ['resets', { kind: 'reset before' }],
  ['hangs', { kind: 'hang' }],
])('a table that %s', (_, fault) => {
  it.each(['BatchGetItem', 'TransactWriteItems'])('at %s leaves the idempotency key unused', async (operation) => {
    const headers = newKey();
    const grown = await growth(async () => {
      table.plan(operation, fault);
      const failed = await Promise.all([send(headers), announce(headers)]);
      expect(failed.map(({ status }) => status)).toEqual([503, 503]);
      table.heal();
      expect((await send(headers, [note])).status).toBe(200);
    });
    expect(grown.records).toBe(1);
  });
});

describe('a bucket that fails', () => {
  it('leaves the idempotency key unused', async () => {
    const headers = newKey();
    bucket.plan('UploadPart', { kind: 'error', code: 'SlowDown', status: 503 }, { after: 1 });
    expect((await send(headers, [note, film])).status).toBe(503);
    bucket.heal();
    expect((await send(headers, [note, film])).status).toBe(200);
  });
});

describe('a connection that is cut', () => {
  it('a connection that is cut in the middle of the files leaves the idempotency key unused', async () => {
    const headers = newKey();
    const { body } = formBody([note, film]);
    const lines = [`Content-Length: ${body.length}`, `Idempotency-Key: ${headers['idempotency-key']}`];
    const socket = await server.open(keys.uploader, lines);
    await new Promise((resolve) => socket.write(body.subarray(0, partBytes + 50_000), resolve));
    socket.resetAndDestroy();
    await server.settled();
    expect((await send(headers, [note])).status).toBe(200);
  });

  it('a connection that is cut after the files were stored is repaired by a retry', async () => {
    const headers = newKey();
    const grown = await growth(async () => {
      const { body } = formBody([note]);
      const lines = [`Content-Length: ${body.length}`, `Idempotency-Key: ${headers['idempotency-key']}`];
      const socket = await server.open(keys.uploader, lines);
      const meanwhile = async () => socket.resetAndDestroy();
      table.plan('TransactWriteItems', { kind: 'late', meanwhile }, 1);
      socket.write(body);
      await server.settled();
      expect((await send(headers, [note])).status).toBe(200);
    });
    expect(grown).toEqual({ records: 1, announced: 0 });
  });
});

describe('concurrent uploads with one Idempotency-Key', () => {
  it('store only the second if the first is still running', async () => {
    const headers = newKey();
    const again: ReturnType<typeof send>[] = [];
    const grown = await growth(async () => {
      const meanwhile = async () => {
        again.push(send(headers));
        await again[0];
      };
      bucket.plan('PutObject', { kind: 'late', meanwhile }, { times: 1 });
      const first = await send(headers);
      expect([first.status, await again[0]]).toEqual([200, first]);
    });
    expect(grown).toEqual({ records: 2, announced: 0 });
  });

  it('concurrent uploads of different files with one Idempotency-Key keep those that are stored first', async () => {
    const headers = newKey();
    const again: ReturnType<typeof send>[] = [];
    const grown = await growth(async () => {
      const meanwhile = async () => {
        again.push(send(headers, [note]));
        await again[0];
      };
      bucket.plan('PutObject', { kind: 'late', meanwhile }, { times: 1 });
      expect((await send(headers, [{ ...note, bytes: 'other' }])).status).toBe(422);
      expect((await again[0])?.status).toBe(200);
    });
    expect(grown).toEqual({ records: 1, announced: 0 });
  });

  it('are answered 409 after too many conflicts, and leave nothing', async () => {
    const reasons = { CancellationReasons: [{ Code: 'TransactionConflict' }] };
    const conflict: Fault = { kind: 'error', type: 'TransactionCanceledException', status: 400, more: reasons };
    const grown = await growth(async () => {
      table.plan('TransactWriteItems', conflict, 16);
      const { status, json } = await send(newKey());
      expect([status, json.code]).toEqual([409, 'conflict']);
      table.plan('TransactWriteItems', conflict);
      expect((await announce(newKey())).status).toBe(409);
      table.heal();
    });
    expect(grown).toEqual({ records: 0, announced: 0 });
  });
});

describe('a retried announcement', () => {
  /** Makes the idempotency records and announcements so many minutes older. */
  async function age(minutes: number): Promise<void> {
    for await (const item of testTable().query({ pk: tableKeys.idempotencyRecord(workspaceId, '').pk })) {
      const recorded = JSON.parse(gunzipSync(item['answer'] as Uint8Array).toString());
      const answer = recorded.answer.map((attachment: Attachment) => {
        const createdAt = new Date(Date.parse(attachment.createdAt) - minutes * 60_000).toISOString();
        return { ...attachment, createdAt };
      });
      await testTable().put({ ...item, answer: gzipSync(JSON.stringify({ ...recorded, answer })) });
    }
  }

  it('announces the missing files again', async () => {
    const headers = newKey();
    const first = await announce(headers);
    await putFile(first.json.files[0]);
    await age(16);
    const second = await announce(headers);
    expect(second.status).toBe(200);
    expect(second.json.files[0].id).toBe(first.json.files[0].id);
    expect(second.json.files[1].id).not.toBe(first.json.files[1].id);
    expect(Date.parse(second.json.files[1].upload.expiresAt)).toBeGreaterThan(Date.now());
    expect(await announce(headers)).toEqual(second);
    await putFile(second.json.files[1]);
    const found = await new Attachments(testTable(), { workspaceId }).readable(
      [...first.json.files, ...second.json.files].map(({ id }) => id),
      objectSize,
    );
    expect(found).toEqual(new Set(second.json.files.map(({ id }: { id: string }) => id)));
  });
});

describe('an upload', () => {
  it("an upload without an idempotency key costs the API key's read, the announcement and the storing", async () => {
    await send({}, [note]);
    await table.forget();
    bucket.heal();
    await send({}, [note]);
    expect(calls()).toEqual(['BatchGetItem', 'PutItem', 'TransactWriteItems']);
    expect(table.calls.at(-1)?.input.TransactItems).toHaveLength(2);
    await table.forget();
    await announce({}, [menu]);
    expect(calls()).toEqual(['BatchGetItem', 'UpdateItem', 'PutItem']);
  });

  it('an upload with an idempotency key costs one more read, and a retry costs only reads', async () => {
    const headers = newKey();
    await table.forget();
    await send(headers, [note]);
    expect(calls()).toEqual(['BatchGetItem', 'BatchGetItem', 'PutItem', 'TransactWriteItems']);
    await table.forget();
    bucket.heal();
    await send(headers, [note]);
    expect([calls(), bucket.calls]).toEqual([['BatchGetItem', 'BatchGetItem'], []]);
    await table.forget();
    await announce(newKey(), [menu]);
    expect(calls()).toEqual(['BatchGetItem', 'BatchGetItem', 'UpdateItem', 'TransactWriteItems']);
  });
});
