import { beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { store } from '#test/support/drive.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';

let drive: Workspace<'drive'>;
let key: string;
let empty: string;

beforeAll(async () => {
  drive = await openWorkspace('drive');
  key = await store(drive, { name: 'a.txt', type: 'text/plain', bytes: Buffer.from('abcdefghij') });
  empty = await store(drive, { name: 'e.txt', type: 'text/plain', bytes: Buffer.alloc(0) });
});

const ask = (headers: Record<string, string>, asset = key) =>
  call(`GET /api/v1/connect/assets/${asset}`, { key: drive.keys.engageByEngage, headers });

describe('a range of a file', () => {
  it.each([
    ['bytes=0-0', 'a', '0-0'],
    ['bytes=2-5', 'cdef', '2-5'],
    ['BYTES=2-5', 'cdef', '2-5'],
    ['bytes=9-', 'j', '9-9'],
    ['bytes=5-999999999999999999999', 'fghij', '5-9'],
    ['bytes=-3', 'hij', '7-9'],
    ['bytes=-100', 'abcdefghij', '0-9'],
  ])('%s is answered with that part', async (range, text, part) => {
    const { status, headers, ...answer } = await ask({ range });
    expect([status, answer.text]).toEqual([206, text]);
    expect(headers).toMatchObject({
      'content-range': `bytes ${part}/10`,
      'content-length': String(text.length),
      'x-file-size': '10',
      'accept-ranges': 'bytes',
      'content-type': 'text/plain; charset=utf-8',
    });
  });

  it.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=999999999999999999999-'])(
    '%s is outside the file (416)',
    async (range) => {
      const { status, headers, json } = await ask({ range });
      expect([status, json.code]).toEqual([416, 'range_not_satisfiable']);
      expect(headers['content-range']).toBe('bytes */10');
    },
  );

  it.each([
    'bytes=0-1,3-4',
    'bytes=5-2',
    'bytes=-',
    'bytes=',
    'bytes',
    '0-1',
    'lines=0-1',
    'bytes=a-b',
    'bytes=1--2',
    'bytes=0x1-2',
    'bytes=+1-2',
    'bytes=1-2 3',
    'bytes =0-1',
    'bytes=٠-١',
    `bytes=${','.repeat(5_000)}`,
    '',
    'bytes=9007199254740993-9007199254740992',
  ])('%j is ignored', async (range) => {
    const { status, text, headers } = await ask({ range });
    expect([status, text]).toEqual([200, 'abcdefghij']);
    expect(headers).not.toHaveProperty('content-range');
  });

  it('a range of an empty file cannot be satisfied', async () => {
    expect((await ask({ range: 'bytes=0-' }, empty)).headers['content-range']).toBe('bytes */0');
    expect((await ask({ range: 'bytes=0-0, 1-1' }, empty)).status).toBe(200);
  });

  it('is used only for the version that If-Range names', async () => {
    const { headers } = await ask({});
    const range = 'bytes=0-1';
    expect((await ask({ range, 'if-range': headers['etag'] ?? '' })).status).toBe(206);
    for (const condition of ['"other"', `W/${headers['etag']}`, 'Sat, 01 Jan 2028 00:00:00 GMT']) {
      expect((await ask({ range, 'if-range': condition })).status).toBe(200);
    }
  });
});

describe('If-None-Match', () => {
  it('answers 304 for a matching If-None-Match, also with a Range header', async () => {
    const { headers } = await ask({});
    const etag = headers['etag'] ?? '';
    for (const ifNoneMatch of [etag, `W/${etag}`, `"x", ${etag}`, '*', `"x" ,${etag},"y"`]) {
      for (const range of ['', 'bytes=0-1', 'bytes=99-']) {
        const answer = await ask({ 'if-none-match': ifNoneMatch, range });
        expect([answer.status, answer.text, answer.headers['etag']]).toEqual([304, '', etag]);
        expect(answer.headers['cache-control']).toBe('private, no-store');
      }
    }
  });

  it.each(['"x"', 'x', '', 'W/"x"', '**'])('%j matches no version, so the whole file is sent', async (ifNoneMatch) => {
    expect((await ask({ 'if-none-match': ifNoneMatch })).status).toBe(200);
    expect((await ask({ 'if-none-match': ifNoneMatch, range: 'bytes=0-1' })).status).toBe(206);
  });
});
