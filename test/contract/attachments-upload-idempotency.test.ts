import { describe, expect, it } from '@jest/globals';
import { keys } from '#lib/table/keys.ts';
import { type Answer, call } from '#test/support/call.ts';
import { boundary, formBody, type Part } from '#test/support/multipart.ts';
import { leftovers, objectBytes } from '#test/support/stored-files.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const note: Part = { filename: 'note.txt', type: 'text/plain', bytes: 'hello' };
const photo: Part = { filename: 'photo.png', type: 'image/png', bytes: Buffer.alloc(3_000, 'photo') };
/** More than an event may hold. */
const tooMany = 4_700_000;
const announced = { name: 'menu.pdf', type: 'application/pdf', size: 5 };
const idempotencyKey = (key: string) => ({ 'idempotency-key': key });

/** A new kitchen for each test, and functions that send files to it. */
async function openUploads() {
  const { keys: secrets, workspaceId } = await openWorkspace('files');
  const post = (options: object) => call('POST /api/v1/connect/attachments', { key: secrets.uploader, ...options });
  const send = (key: string, parts: readonly Part[], end = boundary): Promise<Answer> => {
    const { body } = formBody(parts);
    const own = end === boundary ? body : Buffer.from(body.toString('latin1').replaceAll(boundary, end), 'latin1');
    return post({
      headers: { ...idempotencyKey(key), 'content-type': `multipart/form-data; boundary=${end}` },
      body: own,
    });
  };
  const announce = (key: string, files: readonly object[]) =>
    call('POST /api/v1/connect/attachments/announce', {
      key: secrets.uploader,
      headers: idempotencyKey(key),
      body: { files },
    });
  return { workspaceId, post, send, announce, left: () => leftovers(workspaceId) };
}

const refusalOf = ({ status, json }: Answer) => [status, json.code, Object.keys(json)];
const reused = [422, 'idempotency_key_reused', ['message', 'code']];

describe('a repeated upload with an Idempotency-Key', () => {
  it('stores the files one time, and gets the same answer', async () => {
    const { send, left } = await openUploads();
    const first = await send('k', [note, photo]);
    expect(first.status).toBe(200);
    const before = await left();
    const second = await send('k', [note, photo]);
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(await left()).toEqual(before);
    expect(before).toMatchObject({ objects: before.records, announced: [], openUploads: [] });
    expect(before.records).toHaveLength(2);
    expect(String(await objectBytes(first.json.files[0].s3Key))).toBe('hello');
  });

  it('is recognised however its body is encoded', async () => {
    const { send, left } = await openUploads();
    const first = await send('k', [note, { name: 'comment', bytes: 'a field' }]);
    const others = [
      await send('k', [note], 'anotherEnd'),
      await send('k', [{ name: 'other', bytes: 'x' }, note, { filename: '', bytes: '' }], 'aThird'),
      await send('k', [
        {
          head: ['content-type: text/plain', 'CONTENT-DISPOSITION: form-data; filename=note.txt; name=files'],
          bytes: 'hello',
        },
      ]),
    ];
    expect(others.map(({ status, text }) => [status, text])).toEqual(others.map(() => [200, first.text]));
    expect((await left()).objects).toHaveLength(1);
  });

  // Refusals change nothing, so one workspace is enough for all of them.
  const opened = openUploads().then(async (uploads) => ({ ...uploads, first: await uploads.send('k', [note, photo]) }));
  it.each<[string, readonly Part[]]>([
    ['another byte', [{ ...note, bytes: 'hellO' }, photo]],
    ['one more byte', [{ ...note, bytes: 'hello!' }, photo]],
    ['another name', [{ ...note, filename: 'nota.txt' }, photo]],
    ['another type', [{ ...note, type: 'text/markdown' }, photo]],
    ['no type', [{ filename: 'note.txt', bytes: 'hello' }, photo]],
    ['another order', [photo, note]],
    ['one file fewer', [note]],
    ['one more file', [note, photo, note]],
    [
      'the same bytes in other files',
      [
        { ...note, bytes: 'hel' },
        { ...photo, bytes: `lo${photo.bytes}` },
      ],
    ],
  ])('is refused with %s (422)', async (_, parts) => {
    const { send, left, first } = await opened;
    const before = await left();
    expect(refusalOf(await send('k', parts))).toEqual(reused);
    expect(await left()).toEqual(before);
    expect((await send('k', [note, photo])).text).toBe(first.text);
  });

  it('stores the files of one of 10 parallel uploads, and nothing of the others', async () => {
    const { send, left } = await openUploads();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send('k', [note, photo])));
    const done = answers.filter(({ status }) => status === 200);
    expect(new Set(answers.map(({ status }) => status)).isSubsetOf(new Set([200, 409]))).toBe(true);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    const { records, ...rest } = await left();
    expect(records).toHaveLength(2);
    expect(rest).toEqual({ objects: records, announced: [], openUploads: [] });
  });

  it('a parallel upload of other files with one Idempotency-Key keeps the files that came first', async () => {
    const { send, left } = await openUploads();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => send('k', [{ ...note, bytes: `hello ${index % 2}` }])),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(4).fill(200), ...Array(4).fill(422)]);
    expect((await left()).records).toHaveLength(1);
  });
});

describe('a repeated announcement with an Idempotency-Key', () => {
  it('gets the same answer, so that the files can be sent until the first announcement expires', async () => {
    const { announce, left } = await openUploads();
    const first = await announce('k', [announced, announced]);
    const second = await announce('k', [announced, { size: 5, type: 'application/pdf', name: 'menu.pdf' }]);
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect((await left()).announced).toHaveLength(2);
    const [{ upload, s3Key }] = second.json.files;
    expect((await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: 'hello' })).status).toBe(200);
    expect(String(await objectBytes(s3Key))).toBe('hello');
    expect((await announce('k', [announced, announced])).text).toBe(first.text);
  });

  it.each([
    ['another name', { ...announced, name: 'menu2.pdf' }],
    ['another type', { ...announced, type: 'application/x-pdf' }],
    ['another size', { ...announced, size: 6 }],
  ])('is refused with %s (422)', async (_, other) => {
    const { announce, left } = await openUploads();
    await announce('k', [announced]);
    expect(refusalOf(await announce('k', [other]))).toEqual(reused);
    expect((await left()).announced).toHaveLength(1);
  });

  it('announces one file if it is sent 10 times in parallel', async () => {
    const { announce, left } = await openUploads();
    const answers = await Promise.all(Array.from({ length: 10 }, () => announce('k', [announced])));
    const done = answers.filter(({ status }) => status === 200);
    expect(new Set(answers.map(({ status }) => status)).isSubsetOf(new Set([200, 409]))).toBe(true);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect((await left()).announced).toHaveLength(1);
  });
});

describe('an Idempotency-Key of an upload', () => {
  it('the Idempotency-Key of an announcement is refused for an upload, and vice versa (422)', async () => {
    const { send, announce, left } = await openUploads();
    await announce('a', [{ name: 'note.txt', type: 'text/plain', size: 5 }]);
    expect(refusalOf(await send('a', [note]))).toEqual(reused);
    await send('b', [note]);
    expect(refusalOf(await announce('b', [{ name: 'note.txt', type: 'text/plain', size: 5 }]))).toEqual(reused);
    expect(await left()).toMatchObject({ records: [expect.any(String)], announced: [expect.any(String)] });
  });

  it('is not used up by a 4xx', async () => {
    const { send, post, announce, left } = await openUploads();
    expect((await send('k', [])).status).toBe(400);
    expect((await send('k', [{ ...note, name: 'x' }])).status).toBe(400);
    expect((await send('k', [note, { filename: 'x', bytes: Buffer.alloc(tooMany) }])).status).toBe(413);
    expect((await announce('k', [{ ...announced, size: -1 }])).status).toBe(400);
    expect((await post({ headers: { ...idempotencyKey('k'), 'content-type': 'text/plain' }, body: 'x' })).status).toBe(
      415,
    );
    expect((await send('k', [note])).status).toBe(200);
    expect((await left()).objects).toHaveLength(1);
  });

  it('does not change how an unreadable body is refused, even if it was used', async () => {
    const { send, announce, left } = await openUploads();
    await send('k', [note]);
    const before = await left();
    expect(refusalOf(await send('k', []))).toEqual([400, 'no_files', ['message', 'code', 'errors']]);
    expect((await send('k', Array(6).fill(note))).json.code).toBe('too_many_files');
    expect((await announce('k', [])).json.code).toBe('no_files');
    expect(await left()).toEqual(before);
  });

  it('is free again after 24 hours, even if the engine has not removed its record', async () => {
    const { send, workspaceId } = await openUploads();
    await send('k', [note]);
    for await (const item of testTable().query({ pk: keys.idempotencyRecord(workspaceId, '').pk })) {
      await testTable().put({ ...item, ttl: Math.floor(Date.now() / 1_000) - 1 });
    }
    const other = await send('k', [photo]);
    expect([other.status, other.json.files[0].name]).toEqual([200, 'photo.png']);
    expect((await send('k', [photo])).text).toBe(other.text);
  });

  it('belongs to one API key', async () => {
    const here = await openUploads();
    const there = await openUploads();
    const answers = [
      await here.send('k', [note]),
      await there.send('k', [{ ...note, bytes: 'other' }]),
      await there.send('K', [note]),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ json }) => json.files[0].id)).size).toBe(3);
  });

  it.each([
    ['', 'min_length'],
    ['x'.repeat(256), 'max_length'],
  ])('has 1 to 255 characters, so %.5s... is refused', async (key, code) => {
    const { send, announce, left } = await openUploads();
    for (const answer of [await send(key, [note]), await send(key, []), await announce(key, [announced])]) {
      expect([answer.status, answer.json.code]).toEqual([400, 'validation_failed']);
      expect(answer.json.errors).toEqual([
        { path: 'Idempotency-Key', code, message: 'Idempotency-Key: Must be 1 to 255 characters.' },
      ]);
    }
    const both = await announce(key, [{ ...announced, size: -1 }]);
    expect(both.json.errors.map(({ path }: { path: string }) => path)).toEqual(['Idempotency-Key', 'files.0.size']);
    expect((await send(key, [{ filename: 'x', bytes: Buffer.alloc(tooMany) }])).status).toBe(413);
    expect(await left()).toMatchObject({ objects: [], records: [], announced: [] });
  });

  const sending = openUploads();
  it.each([['a'], ['x'.repeat(255)], ['"quoted; #1"'], ['__proto__']])('may be the text %.9s', async (key) => {
    const { send } = await sending;
    const answers = [await send(key, [note]), await send(key, [note])];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.text).toBe(answers[0]?.text);
  });
});
