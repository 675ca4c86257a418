import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { upload } from '#functions/attachments-upload/handler.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { formBody, formType } from '#test/support/multipart.ts';
import { multipartCorpus, type SentBody } from '#test/support/multipart-corpus.ts';
import { computedMilliseconds } from '#test/support/spent-time.ts';
import { leftovers, objectBytes } from '#test/support/stored-files.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const { workspaceId } = await openWorkspace('files');
const actor = { type: 'key', id: 'key', name: 'Key' } as const;
const caller = { kind: 'key', callerId: 'key', idempotencyId: 'key', keyId: 'key', actor } as const;
const principal = { ...caller, workspaceId, permissions: new Set<never>(), member: undefined };
const kept: string[] = [];

describe.each([1, 17, Number.POSITIVE_INFINITY])('in chunks of %d', (chunkBytes) => {
  it.each(multipartCorpus.map((sent) => [sent.name, sent] as const))('%s', async (_, sent) => {
    expect(await outcomeOf(sent, chunkBytes)).toEqual(sent.outcome);
  });
});

describe('a body that is costly to parse', () => {
  it.each([
    ['quotes', '\\"'],
    ['open quotes', '"'],
    ['parameters', ';filename'],
    ['blanks', '; \t'],
    ['control characters', `\x01${'x'.repeat(19)}`],
  ])('a body that is costly to parse with headers full of %s is answered in time', async (_, piece) => {
    const line = `Content-Disposition: form-data; name="files"; x="${piece.repeat(15_000 / piece.length)}`;
    const { body } = formBody(Array.from({ length: 500 }, () => ({ head: [line] })));
    const file = { name: '', contentType: formType, body, outcome: { files: [] } };
    const computed = await computedMilliseconds(() => outcomeOf(file, Number.POSITIVE_INFINITY));
    expect(computed).toBeLessThan(3_000);
  });
});

describe('after the whole corpus', () => {
  it('the bucket holds only the files of the valid bodies', async () => {
    const files = kept.toSorted();
    expect(await leftovers(workspaceId)).toEqual({ objects: files, records: files, openUploads: [], announced: [] });
  });
});

/** The outcome in the words of the corpus. */
async function outcomeOf({ contentType, body }: SentBody, chunkBytes: number) {
  const bytes = Readable.from(chunksOf(body, chunkBytes), { objectMode: false });
  const incoming = { bytes, isWhole: false, length: undefined, contentType, contentEncoding: '' };
  try {
    const files = await upload({ principal, headers: {}, requestIssues: [], incoming, tableFor: () => testTable() });
    kept.push(...files.map(({ s3Key }) => s3Key));
    return { files: await Promise.all(files.map(seen)) };
  } catch (error) {
    const { statusCode: status, code } = error as { statusCode: number; code: string };
    if (status === undefined) throw error;
    return { status, code };
  }
}

const seen = async ({ name, type, s3Key }: Attachment) => ({
  name,
  type,
  text: (await objectBytes(s3Key)).toString(),
});

function* chunksOf(body: Buffer, chunkBytes: number): Generator<Buffer> {
  const step = Math.min(chunkBytes, body.length);
  for (let start = 0; start < body.length; start += step) yield body.subarray(start, start + step);
}
