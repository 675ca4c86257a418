import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { filesBucket, type Patience } from './client.ts';
import { isMissing, sendToBucket, wasAnswered } from './send.ts';

/** The least that a part may have, other than the last one. */
export const partBytes = 5 * 1_048_576;

/** How long a call may take, with all its tries: little, since a caller waits; more while bytes move. */
const callMilliseconds = 3_000;
const bytesMilliseconds = 60_000;
const discardMilliseconds = 1_000;

export interface NewFile {
  readonly s3Key: string;
  /** Its media type. */
  readonly type: string;
}

interface Part {
  readonly PartNumber: number;
  readonly ETag: string | undefined;
}

/**
 * Writes one file into the bucket while it arrives, holding one part of it at a time: a file of at most one part in
 * one call, a longer one part by part. What it throws is `Unavailable`, or what `mayBegin` fails with.
 */
export class FileWriter {
  readonly #file: NewFile;
  readonly #buffer: Uint8Array;
  readonly #mayBegin: Promise<unknown>;
  readonly #parts: Part[] = [];
  #filled = 0;
  #uploadId: string | undefined;
  #isTouched = false;
  #mayStillArrive = false;

  /**
   * @param buffer `partBytes` of memory, which the writers of one request use one after the other
   * @param mayBegin nothing is sent before it settles, or at all when it fails
   */
  constructor(file: NewFile, buffer: Uint8Array, mayBegin: Promise<unknown>) {
    this.#file = file;
    this.#buffer = buffer;
    this.#mayBegin = mayBegin;
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

  /** The file is in the bucket when this settles. */
  async finish(): Promise<void> {
    if (this.#uploadId === undefined) return this.#putWhole();
    await this.#sendPart();
    const command = new CompleteMultipartUploadCommand({
      ...this.#address(),
      UploadId: this.#uploadId,
      MultipartUpload: { Parts: this.#parts },
    });
    await this.#send((client, options) => client.send(command, options));
  }

  /**
   * Removes what there is of the file.
   * @returns false when something may be left, or may still arrive, since a call was never answered
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

  async #putWhole(): Promise<void> {
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
    patience: Patience = 'answer',
  ): Promise<Output> {
    await this.#mayBegin;
    this.#isTouched = true;
    try {
      return await sendToBucket(patience === 'bytes' ? bytesMilliseconds : callMilliseconds, call, patience);
    } catch (error) {
      this.#mayStillArrive ||= !wasAnswered(error);
      throw error;
    }
  }

  #address = () => ({ Bucket: filesBucket(), Key: this.#file.s3Key });
}
