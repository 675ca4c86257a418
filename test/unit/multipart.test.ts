import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { type FilePart, readMultipart } from '#lib/attachments/multipart.ts';
import { fc, runs } from '#test/support/fast-check.ts';
import { boundary, formBody, formType } from '#test/support/multipart.ts';

const bytesMax = 1_000_000;

async function read(contentType: string, chunks: Iterable<Uint8Array>) {
  const files: { name: string; sentName: string; text: string }[] = [];
  const bytes = Readable.from(chunks, { objectMode: false });
  const end = await readMultipart({ contentType, bytes }, bytesMax, async ({ fieldName, sentName, bytes }) => {
    const pieces: Uint8Array[] | undefined = await Array.fromAsync(bytes).catch(() => undefined);
    if (pieces) files.push({ name: fieldName, sentName, text: Buffer.concat(pieces).toString('latin1') });
  });
  return { ...end, files };
}

function* cut(body: Buffer, sizes: readonly number[]): Generator<Buffer> {
  for (let start = 0, piece = 0; start < body.length; piece++) {
    const size = sizes[piece % sizes.length] ?? 1;
    yield body.subarray(start, start + size);
    start += size;
  }
}

/** Bytes that resemble the framing. */
const piece = fc.constantFrom(
  '\r\n',
  '--',
  `\r\n--${boundary.slice(0, 5)}`,
  '\r',
  '\n',
  '-',
  'a',
  '\0',
  '\xff',
  boundary,
);
const content = fc.array(piece, { maxLength: 12 }).map((pieces) => Buffer.from(pieces.join(''), 'latin1'));
const name = fc.constantFrom('files', 'other', 'ملف', 'a"b', '');
const part = fc.record({ name, fileName: fc.constantFrom('a.txt', '"', 'صورة.png', 'a;b=c', undefined), content });

describe('a multipart body', () => {
  it('has the same files as for another parser, whatever its bytes and chunks', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), sizes, async (parts, chunkSizes) => {
        const form = new FormData();
        for (const { name, fileName, content } of parts) {
          if (fileName === undefined) form.append(name, content.toString('latin1'));
          else form.append(name, new Blob([content]), fileName);
        }
        const request = new Request('http://localhost', { method: 'POST', body: form });
        const contentType = request.headers.get('content-type') ?? '';
        const body = Buffer.from(await request.arrayBuffer());
        const other = await new Response(body, { headers: { 'content-type': contentType } }).formData();
        const expected = [...other].flatMap(([name, value]) => (value instanceof File ? [{ name, file: value }] : []));
        const { files, fault } = await read(contentType, cut(body, chunkSizes));
        expect(fault).toBeUndefined();
        expect(files).toEqual(
          await Promise.all(
            expected.map(async ({ name, file }) => ({
              name,
              sentName: file.name,
              text: Buffer.from(await file.arrayBuffer()).toString('latin1'),
            })),
          ),
        );
      }),
      runs(500),
    );
  });

  it('that ends at any byte before its last boundary is malformed, and none of its files is cut silently', async () => {
    const { body } = formBody([
      { filename: 'a.txt', bytes: 'one' },
      { name: 'x' },
      { filename: 'b.txt', bytes: 'two' },
    ]);
    const last = body.length - '\r\n'.length;
    for (let length = 0; length < last; length++) {
      const { fault } = await read(formType, [body.subarray(0, length)]);
      expect([length, fault?.code]).toEqual([length, 'malformed_multipart']);
    }
    expect((await read(formType, [body.subarray(0, last)])).fault).toBeUndefined();
  });

  it.each(['--', '\r\n', '--\r\n'])(
    'that ends in a file is malformed, also if its last bytes begin with %j',
    async (mark) => {
      const { body } = formBody([{ filename: 'a.txt', bytes: 'one' }]);
      const opened = body.subarray(0, body.indexOf('one'));
      for (let more = 0; more < 2 * boundary.length; more++) {
        const { fault } = await read(formType, [Buffer.concat([opened, Buffer.from(mark + 'x'.repeat(more))])]);
        expect([more, fault?.message]).toEqual([more, 'The multipart body ends before its last boundary.']);
      }
    },
  );

  it('is read no faster than its files are processed, however many and small they are', async () => {
    const { body } = formBody(Array.from({ length: 50 }, () => ({ filename: 'a.bin', bytes: Buffer.alloc(2_000) })));
    let sent = 0;
    const chunks = (function* () {
      for (const chunk of cut(body, [1_000])) {
        sent += chunk.length;
        yield chunk;
      }
    })();
    const bytes = Readable.from(chunks, { objectMode: false, highWaterMark: 1_000 });
    let taken = 0;
    const slowly = async ({ bytes }: FilePart) => {
      for await (const _ of bytes);
      for (let wait = 0; wait < 20; wait++) await turn();
      taken++;
      expect(sent).toBeLessThan((taken + 1) * 2_200 + 5_000);
    };
    const { fault } = await readMultipart({ contentType: formType, bytes }, bytesMax, slowly);
    expect([fault, taken]).toEqual([undefined, 50]);
  });
});

describe('a Content-Type without a usable boundary', () => {
  it.each([
    ['multipart/form-data', 'The Content-Type has no boundary; send multipart/form-data; boundary=...'],
    ['multipart/form-data; boundary=;', 'The Content-Type has no boundary; send multipart/form-data; boundary=...'],
    ['multipart/form-data; boundary="x', 'The parameters of the Content-Type are malformed.'],
    [
      `multipart/form-data; boundary=${'x'.repeat(71)}`,
      'The boundary in the Content-Type may have at most 70 characters.',
    ],
  ])('%s is refused with what is wrong', async (contentType, message) => {
    await expect(read(contentType, [])).rejects.toMatchObject({ code: 'malformed_multipart', message });
  });
});
