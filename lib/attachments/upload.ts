import { eventUploadBytesMax, filesMax, uploadBytesMax } from '#lib/domain/files/upload-limits.ts';
import { type Attachment, fileSizeBytesMax } from '#lib/domain/messaging/attachment.ts';
import { bytesMilliseconds } from '#lib/files/write-file.ts';
import { badRequest, type HttpError } from '#lib/http/errors.ts';
import { limitSentBytes } from './announcement-limit.ts';
import { IdempotentFiles } from './idempotent-files.ts';
import { type FilePart, readMultipart } from './multipart.ts';
import { bodyTooLarge, fileTooLarge, misnamedPart, noFileName, noFiles, tooManyFiles } from './refusals.ts';
import { type FileSink, type SizeLimit, StoredFiles } from './stored-files.ts';
import { ownerOf, recordOf, requireMultipart, type UploadRequest } from './upload-request.ts';

/**
 * Stores the files of a multipart body while it arrives (lib/spec/decisions.md section 6). An invalid body is still
 * read to its end, because 413 for a large file outranks every other error. Under an Idempotency-Key this happens once,
 * and retries get the same attachments.
 * @throws 415, 413, 400, 409, 422, 429, Unavailable; then nothing is stored
 */
export async function upload(request: UploadRequest): Promise<Attachment[]> {
  const { principal, incoming, requestIssues, tableFor } = request;
  requireMultipart(incoming, '/api/v1/connect/attachments/announce');
  const bytesMax = incoming.isWhole ? eventUploadBytesMax : uploadBytesMax;
  if ((incoming.length ?? 0) > bytesMax) throw bodyTooLarge(incoming.isWhole);
  // The gateway waits 29 seconds for all files together. A body that is still arriving has the time of its function.
  const end = () => (incoming.isWhole ? AbortSignal.timeout(bytesMilliseconds) : undefined);
  // Keys belong to servers, whose uploads the rate limit bounds.
  const limit: SizeLimit | undefined = principal.visitor && ((table, sizes) => limitSentBytes(table, principal, sizes));
  const storing = () => new StoredFiles(ownerOf(principal), tableFor, end(), limit);
  const record = recordOf(request, 'attachments');
  const files = record ? await IdempotentFiles.open(record, storing) : storing();
  const sink = new PartSink(files, requestIssues.length > 0 ? badRequest(requestIssues) : undefined);
  const { isTooLarge, fault, hasNamelessFile } = await readMultipart(incoming, bytesMax, (part) => sink.take(part));
  const refusal = [
    sink.hasTooLargeFile && fileTooLarge(),
    isTooLarge && bodyTooLarge(incoming.isWhole),
    sink.refusal,
    fault,
    files.count === 0 && (hasNamelessFile ? noFileName() : noFiles()),
  ].find(Boolean);
  if (!refusal && !sink.failure) return files.store();
  await files.discard();
  throw refusal || sink.failure;
}

/** Checks and stores file parts one by one. After an error it only measures them. */
class PartSink {
  readonly #files: FileSink;
  hasTooLargeFile = false;
  /** The first error of the request or a part. */
  refusal: HttpError | undefined;
  /** An error that the client did not cause. */
  failure: unknown;

  constructor(files: FileSink, refusal: HttpError | undefined) {
    this.#files = files;
    this.refusal = refusal;
  }

  async take(part: FilePart): Promise<void> {
    let size = 0;
    try {
      for await (const chunk of part.bytes as AsyncIterable<Uint8Array>) {
        if (size === 0) this.#start(part);
        size += chunk.length;
        if (size > fileSizeBytesMax) this.hasTooLargeFile = true;
        await this.#attempt(() => this.#files.write(chunk));
      }
    } catch (error) {
      // The body ended in the middle of the file. The reader reports that.
      this.failure ??= error;
      return;
    }
    if (size === 0 && part.sentName === '') return;
    if (size === 0) this.#start(part);
    await this.#attempt(() => this.#files.close());
  }

  #start({ fieldName, sentName, declaredType }: FilePart): void {
    if (fieldName !== 'files') this.refusal ??= misnamedPart(fieldName);
    else if (this.#files.count === filesMax) this.refusal ??= tooManyFiles();
    else if (this.#hasNoError()) this.#files.open({ name: sentName, type: declaredType });
  }

  async #attempt(step: () => Promise<void>): Promise<void> {
    if (!this.#hasNoError()) return;
    try {
      await step();
    } catch (error) {
      this.failure ??= error;
    }
  }

  #hasNoError = (): boolean => !this.hasTooLargeFile && this.refusal === undefined && this.failure === undefined;
}
