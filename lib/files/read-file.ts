import type { Readable } from 'node:stream';
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import type { ByteRange } from '#lib/domain/files/byte-range.ts';
import { Unavailable } from '#lib/table/errors.ts';
import { filesBucket, sendToBucket, unlessMissing } from './client.ts';

/** Timeout of the first byte and of each pause between bytes. */
export const stallMilliseconds = 5_000;

/** A file with its expected size. */
export interface StoredFile {
  readonly s3Key: string;
  readonly size: number;
}

/** The metadata of a file. */
export interface FileHead {
  readonly size: number;
  /** Including its quotes. */
  readonly etag: string;
}

export interface OpenFile {
  /** With its quotes. */
  readonly etag: string;
  /** The requested bytes. It throws when the bucket disconnects or stalls, and never ends early. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * @param limit milliseconds for all tries
 * @returns undefined if the file does not exist @throws Unavailable
 */
export async function readFileHead(s3Key: string, limit = stallMilliseconds): Promise<FileHead | undefined> {
  const command = new HeadObjectCommand({ Bucket: filesBucket(), Key: s3Key });
  const answer = await sendToBucket(limit, (client, options) => client.send(command, options)).catch(unlessMissing);
  return answer && { size: answer.ContentLength ?? 0, etag: answer.ETag ?? '' };
}

/** The size of a file in bytes, or undefined when it is missing. @throws Unavailable */
export const objectSize = async (s3Key: string): Promise<number | undefined> =>
  (await readFileHead(s3Key, 1_500))?.size;

/**
 * Opens a file. Its bytes are fetched as fast as they are read.
 * @param range within the file; the whole file by default
 * @returns undefined when the file is missing or has another size
 * @throws Unavailable
 */
export async function openFile({ s3Key, size }: StoredFile, range?: ByteRange): Promise<OpenFile | undefined> {
  const answer = await getObject(s3Key, range && `bytes=${range.start}-${range.end - 1}`);
  if (!answer) return undefined;
  const { start, end } = range ?? { start: 0, end: size };
  const isExpected = range
    ? answer.ContentRange === `bytes ${start}-${end - 1}/${size}`
    : answer.ContentLength === size;
  if (isExpected) return { etag: answer.ETag ?? '', body: bytesOf(answer.body, end - start) };
  answer.body.destroy();
  return undefined;
}

/** All bytes of a file. @returns undefined when it is missing or has more bytes @throws Unavailable */
export async function readWholeFile(s3Key: string, bytesMax: number): Promise<Buffer | undefined> {
  const answer = await getObject(s3Key);
  if (!answer) return undefined;
  const { body, ContentLength: length = 0 } = answer;
  if (length <= bytesMax) return Buffer.concat(await Array.fromAsync(bytesOf(body, length)));
  body.destroy();
  return undefined;
}

async function getObject(s3Key: string, Range?: string) {
  const command = new GetObjectCommand({ Bucket: filesBucket(), Key: s3Key, ...(Range && { Range }) });
  const call = new AbortController();
  const timer = setTimeout(() => call.abort(), stallMilliseconds);
  // The signal of `sendToBucket` would also abort a body that makes progress.
  const answer = await sendToBucket(stallMilliseconds, (client) => client.send(command, { abortSignal: call.signal }))
    .catch(unlessMissing)
    .finally(() => clearTimeout(timer));
  return answer && { ...answer, body: answer.Body as Readable };
}

async function* bytesOf(body: Readable, length: number): AsyncGenerator<Uint8Array> {
  let left = length;
  const stalled = () => body.destroy(new Unavailable('The bucket has stalled.'));
  // The timer runs only while waiting for the bucket, not for the reader.
  let timer = setTimeout(stalled, stallMilliseconds);
  try {
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      clearTimeout(timer);
      left -= piece.length;
      yield piece;
      timer = setTimeout(stalled, stallMilliseconds);
    }
  } finally {
    clearTimeout(timer);
    body.destroy();
  }
  if (left !== 0) throw new Unavailable('The bucket has not sent all of the file.');
}
