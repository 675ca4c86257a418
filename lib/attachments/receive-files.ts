import { eventUploadBytesMax } from '#lib/domain/files/upload-limits.ts';
import { essenceOf } from '#lib/domain/text/media-type-parts.ts';
import { badRequest, type HttpError, unsupportedMediaType } from '#lib/http/errors.ts';
import type { IncomingBody } from '#lib/http/receiving-api.ts';
import { type FilePart, readMultipart } from './multipart.ts';
import { bodyTooLarge, fileTooLarge, misnamedPart, noFileName, noFiles, tooManyFiles } from './refusals.ts';
import type { UploadRequest } from './upload-request.ts';

/** What may be sent to an address. */
export interface UploadKind {
  /** Where larger files are announced. */
  readonly announcedAt: string;
  readonly filesMax: number;
  readonly fileBytesMax: number;
  /** The largest body that arrives as a stream. */
  readonly bodyBytesMax: number;
  readonly streamTooLarge: () => HttpError;
}

/** Gets the files of a body one by one. It is not called after the first error. */
export interface FileTarget {
  open(part: FilePart): void;
  write(chunk: Uint8Array): Promise<void> | void;
  close(): Promise<void> | void;
}

/** @throws 415, 413 */
export function requireMultipart(incoming: IncomingBody, kind: UploadKind): void {
  if (incoming.contentEncoding) throw unsupportedMediaType('Send the body without Content-Encoding.');
  if (essenceOf(incoming.contentType) !== 'multipart/form-data')
    throw unsupportedMediaType(
      `Send the body as multipart/form-data, or announce direct uploads at ${kind.announcedAt}.`,
    );
  if ((incoming.length ?? 0) > bytesMaxOf(incoming, kind)) throw tooLarge(incoming, kind);
}

const bytesMaxOf = ({ isWhole }: IncomingBody, { bodyBytesMax }: UploadKind): number =>
  isWhole ? eventUploadBytesMax : bodyBytesMax;

const tooLarge = ({ isWhole }: IncomingBody, { streamTooLarge }: UploadKind): HttpError =>
  isWhole ? bodyTooLarge(true) : streamTooLarge();

/**
 * Reads a body to its end, even if it is invalid, because 413 for a large file outranks every other error.
 * @throws 413, 400, and the errors of the target
 */
export async function receiveFiles(
  { incoming, requestIssues }: Pick<UploadRequest, 'incoming' | 'requestIssues'>,
  kind: UploadKind,
  target: FileTarget,
): Promise<void> {
  const sink = new PartSink(kind, target, requestIssues.length > 0 ? badRequest(requestIssues) : undefined);
  const bytesMax = bytesMaxOf(incoming, kind);
  const { isTooLarge, fault, hasNamelessFile } = await readMultipart(incoming, bytesMax, (part) => sink.take(part));
  const refusal = [
    sink.hasTooLargeFile && fileTooLarge(kind.fileBytesMax),
    isTooLarge && tooLarge(incoming, kind),
    sink.refusal,
    fault,
    sink.count === 0 && (hasNamelessFile ? noFileName() : noFiles(kind.filesMax)),
  ].find(Boolean);
  if (refusal || sink.failure) throw refusal || sink.failure;
}

/** Checks file parts one by one, and passes them on. After an error it only measures them. */
class PartSink {
  readonly #kind: UploadKind;
  readonly #target: FileTarget;
  count = 0;
  hasTooLargeFile = false;
  /** The first error of the request or a part. */
  refusal: HttpError | undefined;
  /** An error that the client did not cause. */
  failure: unknown;

  /** @param refusal the error outside the body, if any */
  constructor(kind: UploadKind, target: FileTarget, refusal: HttpError | undefined) {
    this.#kind = kind;
    this.#target = target;
    this.refusal = refusal;
  }

  async take(part: FilePart): Promise<void> {
    let size = 0;
    try {
      for await (const chunk of part.bytes) {
        if (size === 0) this.#start(part);
        size += chunk.length;
        if (size > this.#kind.fileBytesMax) this.hasTooLargeFile = true;
        await this.#attempt(() => this.#target.write(chunk));
      }
    } catch (error) {
      // The body ended in the middle of the file. The reader reports that.
      this.failure ??= error;
      return;
    }
    // A form with an empty file field sends a file without name and bytes.
    if (size === 0 && part.sentName === '') return;
    if (size === 0) this.#start(part);
    await this.#attempt(() => this.#target.close());
  }

  #start(part: FilePart): void {
    if (part.fieldName !== 'files') this.refusal ??= misnamedPart(part.fieldName);
    else if (this.count === this.#kind.filesMax) this.refusal ??= tooManyFiles(this.#kind.filesMax);
    if (!this.#hasNoError()) return;
    this.count++;
    this.#target.open(part);
  }

  async #attempt(step: () => Promise<void> | void): Promise<void> {
    if (!this.#hasNoError()) return;
    try {
      await step();
    } catch (error) {
      this.failure ??= error;
    }
  }

  #hasNoError = (): boolean => !this.hasTooLargeFile && this.refusal === undefined && this.failure === undefined;
}
