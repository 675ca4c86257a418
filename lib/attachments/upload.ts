import { createHash, type Hash } from 'node:crypto';
import { eventUploadBytesMax, filesMax, uploadBytesMax } from '#lib/domain/files/upload-limits.ts';
import { type Attachment, fileSizeBytesMax } from '#lib/domain/messaging/attachment.ts';
import { bytesMilliseconds } from '#lib/files/write-file.ts';
import type { IncomingBody } from '#lib/http/body.ts';
import { badRequest, type HttpError } from '#lib/http/errors.ts';
import { asRecorded, runIdempotent } from '#lib/idempotency/run-idempotent.ts';
import { limitSentBytes } from './announcement-limit.ts';
import { type FilePart, readMultipart } from './multipart.ts';
import { bodyTooLarge, fileTooLarge, misnamedPart, noFileName, noFiles, tooManyFiles } from './refusals.ts';
import { type SizeLimit, StoredFiles } from './stored-files.ts';
import { attachmentsScope, idempotentCall, ownerOf, requireMultipart, type UploadRequest } from './upload-request.ts';

/**
 * Stores the files of a multipart body while it arrives (lib/spec/decisions.md section 6). Under an Idempotency-Key this
 * happens once. A retry stores nothing: its files must have the same names, types and bytes. Its encoding may differ.
 * @throws 415, 413, 400, 409, 422, 429, Unavailable; then nothing is stored
 */
export async function upload(request: UploadRequest): Promise<Attachment[]> {
  const { principal, incoming, requestIssues, tableFor } = request;
  requireMultipart(incoming, '/api/v1/connect/attachments/announce');
  const bytesMax = incoming.isWhole ? eventUploadBytesMax : uploadBytesMax;
  if ((incoming.length ?? 0) > bytesMax) throw bodyTooLarge(incoming.isWhole);
  // The gateway waits 29 seconds for all files together. A body that is still arriving has the time of its function.
  const end = incoming.isWhole ? AbortSignal.timeout(bytesMilliseconds) : undefined;
  // Keys belong to servers, whose uploads the rate limit bounds.
  const limit: SizeLimit | undefined = principal.visitor && ((table, sizes) => limitSentBytes(table, principal, sizes));
  const files = new StoredFiles(ownerOf(principal), tableFor, end, limit);
  return runIdempotent<Attachment[]>(idempotentCall(request), attachmentsScope, {
    request: async (key) => {
      const refusal = requestIssues.length > 0 ? badRequest(requestIssues) : undefined;
      const sink = new PartSink(key === 'used' ? undefined : files, key !== 'none', refusal);
      try {
        return ['sent', await receiveFiles(incoming, bytesMax, sink)];
      } catch (error) {
        await files.discard();
        throw error;
      }
    },
    execute: ({ claimWithAnswer }) => files.store(claimWithAnswer),
    replay: asRecorded,
  });
}

/**
 * Reads a body to its end, even if it is invalid, because 413 for a large file outranks every other error.
 * @returns what a retry must repeat, if the files are hashed
 * @throws 413, 400, Unavailable
 */
async function receiveFiles(incoming: IncomingBody, bytesMax: number, sink: PartSink) {
  const { isTooLarge, fault, hasNamelessFile } = await readMultipart(incoming, bytesMax, (part) => sink.take(part));
  const refusal = [
    sink.hasTooLargeFile && fileTooLarge(),
    isTooLarge && bodyTooLarge(incoming.isWhole),
    sink.refusal,
    fault,
    sink.count === 0 && (hasNamelessFile ? noFileName() : noFiles()),
  ].find(Boolean);
  if (refusal || sink.failure) throw refusal || sink.failure;
  return sink.digests();
}

interface SentFile {
  readonly name: string;
  readonly type: string | null;
  readonly hash: Hash | undefined;
}

/** Checks, hashes and stores file parts one by one. After an error it only measures them. */
class PartSink {
  readonly #files: StoredFiles | undefined;
  readonly #isHashed: boolean;
  readonly #sent: SentFile[] = [];
  hasTooLargeFile = false;
  /** The first error of the request or a part. */
  refusal: HttpError | undefined;
  /** An error that the client did not cause. */
  failure: unknown;

  /**
   * @param files undefined if they are stored already
   * @param isHashed whether a retry is compared with them
   * @param refusal the error outside the body, if any
   */
  constructor(files: StoredFiles | undefined, isHashed: boolean, refusal: HttpError | undefined) {
    this.#files = files;
    this.#isHashed = isHashed;
    this.refusal = refusal;
  }

  get count(): number {
    return this.#sent.length;
  }

  digests = () => this.#sent.map(({ name, type, hash }) => ({ name, type, bytes: hash?.digest('hex') ?? null }));

  async take(part: FilePart): Promise<void> {
    let size = 0;
    try {
      for await (const chunk of part.bytes) {
        if (size === 0) this.#start(part);
        size += chunk.length;
        if (size > fileSizeBytesMax) this.hasTooLargeFile = true;
        await this.#attempt(async () => {
          this.#sent.at(-1)?.hash?.update(chunk);
          await this.#files?.write(chunk);
        });
      }
    } catch (error) {
      // The body ended in the middle of the file. The reader reports that.
      this.failure ??= error;
      return;
    }
    if (size === 0 && part.sentName === '') return;
    if (size === 0) this.#start(part);
    await this.#attempt(async () => this.#files?.close());
  }

  #start({ fieldName, sentName: name, declaredType: type }: FilePart): void {
    if (fieldName !== 'files') this.refusal ??= misnamedPart(fieldName);
    else if (this.count === filesMax) this.refusal ??= tooManyFiles();
    if (!this.#hasNoError()) return;
    this.#sent.push({ name, type: type ?? null, hash: this.#isHashed ? createHash('sha256') : undefined });
    this.#files?.open({ name, type });
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
