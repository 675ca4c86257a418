import type { Readable } from 'node:stream';
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import type { ByteRange } from '#lib/domain/byte-range.ts';
import { Unavailable } from '#lib/table/errors.ts';
import { filesBucket } from './client.ts';
import { isMissing, sendToBucket } from './send.ts';

/** How long the bucket may take to answer, and from one byte to the next. */
const patienceMilliseconds = 5_000;

/** What is expected in the bucket. */
export interface StoredFile {
  readonly s3Key: string;
  readonly size: number;
}

/** What the bucket says about a file. */
export interface FileHead {
  readonly size: number;
  /** With its quotes. */
  readonly etag: string;
}

export interface OpenFile {
  /** With its quotes. */
  readonly etag: string;
  /** The bytes asked for. It fails when the bucket breaks off or stalls, and never ends early. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** @returns undefined when there is no such file @throws Unavailable */
export async function readFileHead(s3Key: string): Promise<FileHead | undefined> {
  const command = new HeadObjectCommand({ Bucket: filesBucket(), Key: s3Key });
  const answer = await sendToBucket(patienceMilliseconds, (client, options) => client.send(command, options)).catch(
    unlessMissing,
  );
  return answer && { size: answer.ContentLength ?? 0, etag: answer.ETag ?? '' };
}

/**
 * Opens a file; its bytes are fetched as fast as they are taken.
 * @param range within the file; all of it without one
 * @returns undefined when there is no such file, or one of another size
 * @throws Unavailable
 */
export async function openFile({ s3Key, size }: StoredFile, range?: ByteRange): Promise<OpenFile | undefined> {
  const given = range && { Range: `bytes=${range.start}-${range.end - 1}` };
  const command = new GetObjectCommand({ Bucket: filesBucket(), Key: s3Key, ...given });
  const call = new AbortController();
  const patience = setTimeout(() => call.abort(), patienceMilliseconds);
  // The signal of `sendToBucket` would end the body too, however well it moves.
  const answer = await sendToBucket(patienceMilliseconds, (client) =>
    client.send(command, { abortSignal: call.signal }),
  )
    .catch(unlessMissing)
    .finally(() => clearTimeout(patience));
  if (!answer) return undefined;
  const body = answer.Body as Readable;
  const { start, end } = range ?? { start: 0, end: size };
  const isThis = range ? answer.ContentRange === `bytes ${start}-${end - 1}/${size}` : answer.ContentLength === size;
  if (isThis) return { etag: answer.ETag ?? '', body: bytesOf(body, end - start) };
  body.destroy();
  return undefined;
}

async function* bytesOf(body: Readable, length: number): AsyncGenerator<Uint8Array> {
  let left = length;
  const stalled = () => body.destroy(new Unavailable('The bucket has stalled.'));
  // Only the bucket is waited for with impatience, not whoever takes the bytes.
  let patience = setTimeout(stalled, patienceMilliseconds);
  try {
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      clearTimeout(patience);
      left -= piece.length;
      yield piece;
      patience = setTimeout(stalled, patienceMilliseconds);
    }
  } finally {
    clearTimeout(patience);
    body.destroy();
  }
  if (left !== 0) throw new Unavailable('The bucket has not sent all of the file.');
}

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
