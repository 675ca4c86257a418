import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { filesBucket, isMissing, sendToBucket, type TimeoutProfile, wasAnswered } from './client.ts';

/** The minimum size of a part, except the last one. */
export const partBytes = 5 * 1_048_576;

/**
 * Time limits of a call with all its retries. They are short while a caller waits, and longer while bytes move. A part
 * of 5 MB takes a second; the limit fits into the time of a function behind the gateway.
 */
const callMilliseconds = 3_000;
export const bytesMilliseconds = 12_000;
export const discardMilliseconds = 1_000;

export interface NewFile {
  readonly s3Key: string;
  /** Its media type. */
  readonly type: string;
}

/**
 * Writes one file into the bucket while it arrives, with one part in memory. A file of at most one part is one call; a
 * larger one is a multipart upload. Throws `Unavailable`, or the error of `mayBegin`.
 */
export class FileWriter {
  readonly #file: NewFile;
  readonly #buffer: Uint8Array;
  readonly #mayBegin: Promise<unknown>;
  readonly #end: AbortSignal | undefined;
  readonly #parts: { readonly PartNumber: number; readonly ETag: string | undefined }[] = [];
  #filled = 0;
  #uploadId: string | undefined;
  #isTouched = false;
  #mayStillArrive = false;

  /**
   * @param buffer `partBytes` of memory, which the writers of one request use in turn
   * @param mayBegin resolves before the write begins; if it rejects, nothing is sent
   * @param end aborts the calls that write
   */
  constructor(file: NewFile, buffer: Uint8Array, mayBegin: Promise<unknown>, end?: AbortSignal) {
    this.#file = file;
    this.#buffer = buffer;
    this.#mayBegin = mayBegin;
    this.#end = end;
  }

  async write(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.length > 0; ) {
      if (this.#filled === this.#buffer.length) await this.#sendPart();
      const fitting = rest.subarray(0, this.#buffer.length - this.#filled);
      this.#buffer.set(fitting, this.#filled);
      this.#filled += fitting.length;
      rest = rest.subarray(fitting.length);
    }
  }

  /** Resolves when the file is in the bucket. */
  async finish(): Promise<void> {
    if (this.#uploadId === undefined) return this.#putObject();
    await this.#sendPart();
    const command = new CompleteMultipartUploadCommand({
      ...this.#address(),
      UploadId: this.#uploadId,
      MultipartUpload: { Parts: this.#parts },
    });
    await this.#send((client, options) => client.send(command, options));
  }

  /**
   * Removes the file and its parts.
   * @returns false when bytes may remain or still arrive, because a call had no answer
   */
  async discard(): Promise<boolean> {
    if (!this.#isTouched) return true;
    const calls = [
      sendToBucket(discardMilliseconds, (client, options) =>
        client.send(new DeleteObjectCommand(this.#address()), options),
      ),
    ];
    const UploadId = this.#uploadId;
    if (UploadId !== undefined) {
      const abort = new AbortMultipartUploadCommand({ ...this.#address(), UploadId });
      calls.push(sendToBucket(discardMilliseconds, (client, options) => client.send(abort, options)));
    }
    const results = await Promise.allSettled(calls);
    const isGone = results.every((result) => result.status === 'fulfilled' || isMissing(result.reason));
    return isGone && !this.#mayStillArrive;
  }

  async #putObject(): Promise<void> {
    const command = new PutObjectCommand({
      ...this.#address(),
      ContentType: this.#file.type,
      Body: this.#buffer.subarray(0, this.#filled),
    });
    await this.#send((client, options) => client.send(command, options), 'bytes');
  }

  async #sendPart(): Promise<void> {
    this.#uploadId ??= await this.#open();
    const PartNumber = this.#parts.length + 1;
    const command = new UploadPartCommand({
      ...this.#address(),
      UploadId: this.#uploadId,
      PartNumber,
      Body: this.#buffer.subarray(0, this.#filled),
    });
    const { ETag } = await this.#send((client, options) => client.send(command, options), 'bytes');
    this.#parts.push({ PartNumber, ETag });
    this.#filled = 0;
  }

  async #open(): Promise<string | undefined> {
    const command = new CreateMultipartUploadCommand({ ...this.#address(), ContentType: this.#file.type });
    return (await this.#send((client, options) => client.send(command, options))).UploadId;
  }

  async #send<Output>(
    call: Parameters<typeof sendToBucket<Output>>[1],
    profile: TimeoutProfile = 'answer',
  ): Promise<Output> {
    await this.#mayBegin;
    this.#isTouched = true;
    const limit = AbortSignal.timeout(profile === 'bytes' ? bytesMilliseconds : callMilliseconds);
    try {
      return await sendToBucket(this.#end ? AbortSignal.any([limit, this.#end]) : limit, call, profile);
    } catch (error) {
      this.#mayStillArrive ||= !wasAnswered(error);
      throw error;
    }
  }

  #address = () => ({ Bucket: filesBucket(), Key: this.#file.s3Key });
}
