import type { Principal } from '#lib/domain/access/principal.ts';
import { essenceOf } from '#lib/domain/files/media-type.ts';
import type { UploadedFile } from '#lib/domain/files/uploaded-file.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { assetUrl } from '#lib/domain/messaging/attachment-key.ts';
import { type PresignedUpload, presignUpload } from '#lib/files/write-presigned.ts';
import type { IncomingBody } from '#lib/http/body.ts';
import { badRequest, type RequestIssue, unsupportedMediaType } from '#lib/http/errors.ts';
import { IdempotencyRecord } from '#lib/table/access/idempotency-records.ts';
import { PendingAttachments } from '#lib/table/messaging/pending-attachments.ts';
import type { Table } from '#lib/table/table.ts';
import { type Announcer, announceIdempotent } from './announce-idempotent.ts';
import { type AnnouncedFile, readAnnouncedFiles } from './announced-files.ts';
import { limitSentBytes } from './announcement-limit.ts';
import { readJsonBytes } from './json-bytes.ts';
import { newAttachment } from './new-attachment.ts';
import { assetBaseUrl } from './settings.ts';
import type { FileOwner } from './stored-files.ts';
import { uploadExpiresAt } from './upload-expiry.ts';
import { uploadMultipart } from './upload-multipart.ts';

export interface UploadRequest {
  readonly principal: Principal;
  readonly headers: { readonly 'Idempotency-Key'?: string | undefined } | undefined;
  readonly requestIssues: readonly RequestIssue[];
  readonly incoming: IncomingBody;
  readonly tableFor: (milliseconds: number) => Table;
}

const tableMilliseconds = 2_500;

/**
 * Stores the files of a multipart body, or announces files of a direct upload (lib/spec/decisions.md section 6). Under an
 * Idempotency-Key this happens once, and retries get the same attachments.
 * @throws 415, 413, 400, 409, 422, 429, Unavailable; then nothing is stored
 */
export async function upload(request: UploadRequest): Promise<UploadedFile[]> {
  const { principal, requestIssues, incoming, tableFor } = request;
  const { contentType, contentEncoding } = incoming;
  if (contentEncoding) throw unsupportedMediaType('Send the body without Content-Encoding.');
  const essence = essenceOf(contentType);
  // Opened when it is needed: a body can take longer to arrive than a table call may take.
  const record = () => (requestIssues.length === 0 ? recordOf(request) : undefined);
  if (essence === 'multipart/form-data') {
    const refusal = requestIssues.length > 0 ? badRequest(requestIssues) : undefined;
    // Keys belong to servers, whose uploads the rate limit bounds.
    const limit =
      principal.visitor && ((table: Table, sizes: readonly number[]) => limitSentBytes(table, principal, sizes));
    const upload = { owner: ownerOf(principal), limit, incoming, tableFor, record: record(), refusal };
    const sent = await uploadMultipart(upload);
    return sent.map(shown);
  }
  if (essence !== 'application/json' && !essence.endsWith('+json')) {
    throw unsupportedMediaType('Send files as multipart/form-data, or announce direct uploads as application/json.');
  }
  const files = readAnnouncedFiles(await readJsonBytes(incoming), requestIssues);
  const announcer = { principal, owner: ownerOf(principal) };
  const announced = await announceUploads(tableFor(tableMilliseconds), announcer, files, record());
  return announced.map(({ attachment, upload }) => ({ ...shown(attachment), upload }));
}

/** A file that a visitor uploads belongs to the conversation of the token. */
const ownerOf = ({ workspaceId, visitor }: Principal): FileOwner => ({
  workspaceId,
  visitorOf: visitor?.conversationId,
});

function recordOf({ principal, headers, tableFor }: UploadRequest): IdempotencyRecord | undefined {
  const key = headers?.['Idempotency-Key'];
  return key === undefined
    ? undefined
    : new IdempotencyRecord(tableFor(tableMilliseconds), principal, 'attachments', key);
}

function shown({ id, name, s3Key, type }: Attachment): UploadedFile {
  return { id, name, s3Key, type, url: assetUrl(assetBaseUrl(), s3Key) };
}

interface AnnouncedUpload {
  readonly attachment: Attachment;
  readonly upload: PresignedUpload & { readonly expiresAt: string };
}

/**
 * Announces files that the caller uploads to the bucket directly. A file becomes readable when it has arrived with its
 * announced size. The sweeper gives up files that never arrive.
 * @param record the record of the Idempotency-Key, if one was sent
 * @throws 409, 422, 429, Unavailable
 */
async function announceUploads(
  table: Table,
  announcer: Announcer,
  files: readonly AnnouncedFile[],
  record: IdempotencyRecord | undefined,
): Promise<AnnouncedUpload[]> {
  const attachments = record
    ? await announceIdempotent(table, announcer, files, record)
    : await announceAll(table, announcer, files);
  return Promise.all(
    attachments.map(async (attachment) => {
      const upload = await presignUpload(attachment, attachment.size, new Date(attachment.createdAt));
      return { attachment, upload: { ...upload, expiresAt: uploadExpiresAt(attachment).toISOString() } };
    }),
  );
}

async function announceAll(
  table: Table,
  { principal, owner }: Announcer,
  files: readonly AnnouncedFile[],
): Promise<Attachment[]> {
  await limitSentBytes(
    table,
    principal,
    files.map(({ size }) => size),
  );
  const attachments = files.map((file) => newAttachment(owner.workspaceId, file));
  await new PendingAttachments(table).announce(
    attachments.map((attachment) => ({ ...owner, attachment, direct: true })),
  );
  return attachments;
}
