import type { Readable } from 'node:stream';
import { type Attachment, fileSizeBytesMax } from '#lib/domain/attachment.ts';
import { eventUploadBytesMax, filesMax, uploadBytesMax } from '#lib/domain/upload-limits.ts';
import type { IncomingBody } from '#lib/http/body-api.ts';
import type { HttpError } from '#lib/http/errors.ts';
import type { IdempotencyRecord } from '#lib/table/idempotency-records.ts';
import type { Table } from '#lib/table/table.ts';
import { IdempotentFiles } from './idempotent-files.ts';
import { type FilePart, type MultipartReader, readMultipart } from './multipart.ts';
import { bodyTooLarge, fileTooLarge, malformedMultipart, noFiles, strangePart, tooManyFiles } from './refusals.ts';
import { type FilesIntake, StoredFiles } from './stored-files.ts';

export interface MultipartUpload {
  readonly workspaceId: string;
  readonly contentType: string;
  readonly incoming: IncomingBody;
  readonly tableFor: (milliseconds: number) => Table;
  /** What the Idempotency-Key stands for, if one was sent. */
  readonly record: IdempotencyRecord | undefined;
  /** What is wrong beside the body. */
  readonly refusal: HttpError | undefined;
}

/**
 * Stores the files of a multipart body while it arrives. The body is read to its end whatever is wrong with it, since a
 * file that is too large outranks every other refusal.
 * @throws 413, 400, 409, 422, Unavailable; nothing is stored then
 */
export async function uploadMultipart(upload: MultipartUpload): Promise<Attachment[]> {
  const { workspaceId, contentType, incoming, tableFor, record } = upload;
  const bytesMax = incoming.isWhole ? eventUploadBytesMax : uploadBytesMax;
  if ((incoming.length ?? 0) > bytesMax) throw bodyTooLarge(incoming.isWhole);
  const storing = () => new StoredFiles(workspaceId, tableFor);
  const files = record ? await IdempotentFiles.open(record, storing) : storing();
  const intake = new Intake(files, upload.refusal);
  const reader = readMultipart(contentType, (part) => intake.take(part));
  const end = await receive(incoming.bytes, bytesMax, reader);
  const refusal = [
    intake.hasTooLargeFile && fileTooLarge(),
    end === 'too large' && bodyTooLarge(incoming.isWhole),
    intake.refusal,
    reader.fault,
    end === 'cut' && malformedMultipart('The body ended before it was complete.'),
    files.count === 0 && noFiles(),
  ].find(Boolean);
  if (!refusal && !intake.failure) return files.store();
  await files.discard();
  throw refusal || intake.failure;
}

/** @returns how the body ended; what makes it too large is not read */
async function receive(
  bytes: Readable,
  bytesMax: number,
  reader: MultipartReader,
): Promise<'complete' | 'too large' | 'cut'> {
  let length = 0;
  try {
    for await (const chunk of bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > bytesMax) break;
      await reader.write(chunk);
    }
  } catch {
    // The client has gone, perhaps after the end of the form but before that of the body.
    await reader.abort();
    return 'cut';
  }
  const isTooLarge = length > bytesMax;
  await (isTooLarge ? reader.abort() : reader.end());
  return isTooLarge ? 'too large' : 'complete';
}

/** Judges one file part after the other and stores it, until something is wrong: then they are only measured. */
class Intake {
  readonly #files: FilesIntake;
  hasTooLargeFile = false;
  /** The first thing that is wrong with the request or a part. */
  refusal: HttpError | undefined;
  /** What went wrong on our side. */
  failure: unknown;

  constructor(files: FilesIntake, refusal: HttpError | undefined) {
    this.#files = files;
    this.refusal = refusal;
  }

  async take(part: FilePart): Promise<void> {
    let size = 0;
    try {
      for await (const chunk of part.bytes as AsyncIterable<Uint8Array>) {
        if (size === 0) this.#begin(part);
        size += chunk.length;
        if (size > fileSizeBytesMax) this.hasTooLargeFile = true;
        await this.#attempt(() => this.#files.write(chunk));
      }
    } catch (error) {
      // The body broke off in the middle of the file, which the reader knows and tells.
      this.failure ??= error;
      return;
    }
    if (size === 0 && part.sentName === '') return;
    if (size === 0) this.#begin(part);
    await this.#attempt(() => this.#files.close());
  }

  #begin({ fieldName, sentName, declaredType }: FilePart): void {
    if (fieldName !== 'files') this.refusal ??= strangePart(fieldName);
    else if (this.#files.count === filesMax) this.refusal ??= tooManyFiles();
    else if (this.#isGood()) this.#files.open({ name: sentName, type: declaredType });
  }

  async #attempt(step: () => Promise<void>): Promise<void> {
    if (!this.#isGood()) return;
    try {
      await step();
    } catch (error) {
      this.failure ??= error;
    }
  }

  #isGood = (): boolean => !this.hasTooLargeFile && this.refusal === undefined && this.failure === undefined;
}
