import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { boundary, formBody, type Part } from '#test/support/multipart.ts';
import { leftovers, noFiles, objectBytes } from '#test/support/stored-files.ts';
import { UploadServer } from '#test/support/upload-server.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const server = await UploadServer.start();
afterAll(() => server.stop());
const { keys, workspaceId } = await openWorkspace('files');
/** No test leaves anything of this workspace's files. */
const careless = await openWorkspace('files');
const most = 26_214_400;
const bytesOf = (size: number) => Buffer.alloc(size, 'menu\r\n--');
const file: Part = { filename: 'a.txt', bytes: 'hello' };
const sized = (size: number): Part => ({ filename: 'x.bin', bytes: bytesOf(size) });

describe('an upload over plain HTTP', () => {
  it('stores five files of 25 MB, byte for byte', async () => {
    const { body } = formBody(Array(5).fill(sized(most)));
    const { status, json } = await server.send(keys.uploader, body);
    expect({ status, files: json.files.length }).toEqual({ status: 200, files: 5 });
    for (const { s3Key } of json.files) expect((await objectBytes(s3Key)).equals(bytesOf(most))).toBe(true);
    const left = await leftovers(workspaceId);
    expect(left).toMatchObject({ openUploads: [], announced: [], records: left.objects });
  });

  it.each([5_242_879, 5_242_880, 5_242_881, 6_291_456])('stores %d bytes unchanged', async (size) => {
    const { json } = await server.send(keys.uploader, formBody([sized(size), file]).body);
    expect((await objectBytes(json.files[0].s3Key)).equals(bytesOf(size))).toBe(true);
    expect(String(await objectBytes(json.files[1].s3Key))).toBe('hello');
  });

  it('accepts a body in chunks without a length', async () => {
    const { body } = formBody([file]);
    const stream = new ReadableStream({
      async start(controller) {
        for (let start = 0; start < body.length; start += 50) {
          controller.enqueue(body.subarray(start, start + 50));
          await pause(1);
        }
        controller.close();
      },
    });
    expect((await server.send(keys.uploader, stream)).status).toBe(200);
  });

  it('accepts a direct announcement', async () => {
    const body = Buffer.from(JSON.stringify({ files: [{ name: 'a', type: '', size: 1 }] }));
    const { status, json } = await server.send(keys.uploader, body, { 'content-type': 'application/json' });
    expect({ status, upload: json.files[0].upload.method }).toEqual({ status: 200, upload: 'PUT' });
  });
});

describe('a refused upload over plain HTTP', () => {
  it.each([
    ['a byte over 25 MB beside a good file', [file, sized(most + 1)], 413, 'file_too_large'],
    ['a byte over 25 MB before a good file', [sized(most + 1), file], 413, 'file_too_large'],
    ['a byte over 25 MB in a part of another name', [{ ...sized(most + 1), name: 'x' }], 413, 'file_too_large'],
    ['a byte over 25 MB as the sixth file', [...Array(5).fill(file), sized(most + 1)], 413, 'file_too_large'],
    ['six files of which the sixth is large', [...Array(5).fill(file), sized(most)], 400, 'too_many_files'],
    ['a large file before one of another name', [sized(most), { ...file, name: 'x' }], 400, 'invalid_body'],
  ])('an upload over plain HTTP with %s leaves nothing', async (_, parts, status, code) => {
    const answer = await server.send(careless.keys.uploader, formBody(parts).body);
    expect({ status: answer.status, code: answer.json.code }).toEqual({ status, code });
    expect(await leftovers(careless.workspaceId)).toEqual(noFiles);
  });

  it('over 130 MB is answered 413, with a true or a missing length', async () => {
    const { uploader } = careless.keys;
    const declared = await server.open(uploader, ['Content-Length: 300000000', 'Connection: close']);
    expect(await text(declared)).toMatch(/^HTTP\/1.1 413 [\s\S]*130 MB[\s\S]*body_too_large/);
    const chunk = Buffer.alloc(1_048_576);
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        if (sent++ < 131) controller.enqueue(chunk);
        else controller.close();
      },
    });
    const found = await server.send(uploader, endless);
    expect({ status: found.status, code: found.json.code }).toEqual({ status: 413, code: 'body_too_large' });
    expect(await leftovers(careless.workspaceId)).toEqual(noFiles);
  });

  it('an upload over plain HTTP with a refused key is answered even if the client sends the whole body first', async () => {
    const { body } = formBody([sized(most)]);
    expect((await server.send('nobody-knows-this-key-0000', body)).status).toBe(401);
    expect((await server.send(careless.keys.reader, body)).status).toBe(403);
    expect((await server.send(careless.keys.uploader, body, { 'content-type': 'text/plain' })).status).toBe(415);
  });
});

describe('a connection that is cut', () => {
  const { body } = formBody([file, sized(11_000_000), file]);
  afterEach(() => server.settled());

  it.each([0, 1, 40, 150, 300, 1_000, 5_300_000, 5_600_000, 10_900_000, body.length - 3])(
    'a connection that is cut after %d bytes leaves nothing',
    async (bytes) => {
      const socket = await server.open(careless.keys.uploader, [`Content-Length: ${body.length}`]);
      await new Promise((resolve) => socket.write(body.subarray(0, bytes), resolve));
      await pause(bytes > 1_000 ? 50 : 5);
      socket.resetAndDestroy();
      await server.settled();
      expect(await leftovers(careless.workspaceId)).toEqual(noFiles);
    },
  );

  it('leaves nothing of an announcement', async () => {
    const socket = await server.open(careless.keys.uploader, ['Content-Length: 100'], 'application/json');
    socket.write('{"files":[{"name":"a","type":"","size":1}]}');
    await pause(20);
    socket.resetAndDestroy();
    await server.settled();
    expect(await leftovers(careless.workspaceId)).toEqual(noFiles);
  });

  it('does not stop the process', async () => {
    expect((await server.send(keys.uploader, formBody([file]).body)).status).toBe(200);
  });
});

describe('a wrong Content-Length', () => {
  const { body } = formBody([file]);

  /** @returns the answer, and the objects that are left at the end */
  async function sendWith(length: number, pieces: readonly (string | Buffer)[], isLeft = false) {
    const socket = await server.open(careless.keys.uploader, [`Content-Length: ${length}`, 'Connection: close']);
    for (const piece of pieces) socket.write(piece);
    if (isLeft) socket.end();
    const answer = await text(socket);
    await server.settled();
    return { answer, left: await leftovers(careless.workspaceId) };
  }

  it('that is too short makes the body incomplete', async () => {
    const { answer, left } = await sendWith(body.length - 20, [body.subarray(0, body.length - 20)]);
    expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*malformed_multipart/);
    expect(left).toEqual(noFiles);
  });

  it('that is too short, with the rest after it, leaves nothing', async () => {
    const { answer, left } = await sendWith(body.length - 20, [body]);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(left).toEqual(noFiles);
  });

  it('that is too long leaves nothing when the client gives up', async () => {
    expect((await sendWith(body.length + 20, [body], true)).left).toEqual(noFiles);
  });

  it('that includes bytes after the last boundary is accepted', async () => {
    const { answer } = await sendWith(body.length + 9, [body, `--${boundary}`.slice(0, 9)]);
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });
});
