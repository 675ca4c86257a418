import { createHash, type Hash } from 'node:crypto';
import { announceFiles } from '#lib/attachments/announce-files.ts';
import { limitSentBytes } from '#lib/attachments/announcement-limit.ts';
import { type FileTarget, receiveFiles, requireMultipart, type UploadKind } from '#lib/attachments/receive-files.ts';
import { bodyTooLarge } from '#lib/attachments/refusals.ts';
import { type SizeLimit, StoredFiles } from '#lib/attachments/stored-files.ts';
import {
  attachmentsScope,
  fileView,
  idempotentCall,
  ownerOf,
  type UploadRequest,
} from '#lib/attachments/upload-request.ts';
import { filesMax, uploadBytesMax } from '#lib/domain/files/upload-limits.ts';
import { type Attachment, fileSizeBytesMax } from '#lib/domain/messaging/attachment.ts';
import { bytesMilliseconds } from '#lib/files/write-file.ts';
import { rendered } from '#lib/http/answer.ts';
import { isJson } from '#lib/http/body.ts';
import { invalidToken } from '#lib/http/callers.ts';
import { receivingApi } from '#lib/http/receiving-api.ts';
import { webHandler } from '#lib/http/web.ts';
import { asRecorded, runIdempotent } from '#lib/idempotency/run-idempotent.ts';
import { ConditionFailed } from '#lib/table/errors.ts';
import { endpoint } from './endpoint.ts';

export const handler = receivingApi(endpoint, async (request) => {
  // The description has another address for announcements, but this one takes them, too.
  const announced = isJson(request.incoming.contentType) ? await announceFiles(request) : undefined;
  const files = announced ?? (await upload(request)).map(fileView);
  request.logDetails['attachmentIds'] = files.map(({ id }) => id);
  return announced ? { json: rendered(JSON.stringify({ files })) } : { body: { files } };
});

export const web = webHandler(handler);

const attachmentUploads: UploadKind = {
  announcedAt: '/api/v1/connect/attachments/announce',
  filesMax,
  fileBytesMax: fileSizeBytesMax,
  bodyBytesMax: uploadBytesMax,
  streamTooLarge: () => bodyTooLarge(false),
};

/**
 * Stores the files of a multipart body while it arrives (lib/spec/decisions.md section 6). Under an Idempotency-Key this
 * happens once. A retry stores nothing: its files must have the same names, types and bytes. Its encoding may differ.
 * @throws 415, 413, 400, 401, 409, 422, 429, Unavailable; then nothing is stored
 */
export async function upload(request: UploadRequest): Promise<Attachment[]> {
  const { principal, incoming, tableFor } = request;
  requireMultipart(incoming, attachmentUploads);
  // The gateway waits 29 seconds for all files together. A body that is still arriving has the time of its function.
  const end = incoming.isWhole ? AbortSignal.timeout(bytesMilliseconds) : undefined;
  // Keys belong to servers, whose uploads the rate limit bounds.
  const limit: SizeLimit | undefined = principal.visitor && ((table, sizes) => limitSentBytes(table, principal, sizes));
  const files = new StoredFiles(ownerOf(principal), tableFor, end, limit);
  return runIdempotent<Attachment[]>(idempotentCall(request), attachmentsScope, {
    request: async (key) => {
      const sent = new SentFiles(key === 'used' ? undefined : files, key !== 'none');
      try {
        await receiveFiles(request, attachmentUploads, sent);
        return ['sent', sent.digests()];
      } catch (error) {
        await files.discard();
        throw error;
      }
    },
    execute: ({ claimWithAnswer }) => files.store(claimWithAnswer).catch(refusalOf),
    replay: asRecorded,
  });
}

/** The conversation of a visitor may be removed during the upload. Its tokens end with it. */
function refusalOf(error: unknown): never {
  throw error instanceof ConditionFailed && error.write === 'conversation' ? invalidToken() : error;
}

interface SentFile {
  readonly name: string;
  readonly type: string | null;
  readonly hash: Hash | undefined;
}

/** Stores the files of a body, and hashes what a retry must repeat. */
class SentFiles implements FileTarget {
  readonly #files: StoredFiles | undefined;
  readonly #isHashed: boolean;
  readonly #sent: SentFile[] = [];

  /**
   * @param files undefined if they are stored already
   * @param isHashed whether a retry is compared with them
   */
  constructor(files: StoredFiles | undefined, isHashed: boolean) {
    this.#files = files;
    this.#isHashed = isHashed;
  }

  open: FileTarget['open'] = ({ sentName: name, declaredType: type }) => {
    this.#sent.push({ name, type: type ?? null, hash: this.#isHashed ? createHash('sha256') : undefined });
    this.#files?.open({ name, type });
  };

  async write(chunk: Uint8Array): Promise<void> {
    this.#sent.at(-1)?.hash?.update(chunk);
    await this.#files?.write(chunk);
  }

  async close(): Promise<void> {
    await this.#files?.close();
  }

  digests = () => this.#sent.map(({ name, type, hash }) => ({ name, type, bytes: hash?.digest('hex') ?? null }));
}
