import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { type PresignedUpload, presignUpload } from '#lib/files/write-presigned.ts';
import type { IdempotencyRecord } from '#lib/table/access/idempotency-records.ts';
import { PendingAttachments } from '#lib/table/messaging/pending-attachments.ts';
import type { Table } from '#lib/table/table.ts';
import { type Announcer, announceIdempotent } from './announce-idempotent.ts';
import type { AnnouncedFile } from './announced-files.ts';
import { limitSentBytes } from './announcement-limit.ts';
import { newAttachment } from './new-attachment.ts';
import { uploadExpiresAt } from './upload-expiry.ts';

export interface AnnouncedUpload {
  readonly attachment: Attachment;
  readonly upload: PresignedUpload & { readonly expiresAt: string };
}

/**
 * Announces files that the caller uploads to the bucket directly. A file becomes readable when it has arrived with its
 * announced size. The sweeper gives up files that never arrive.
 * @param record the record of the Idempotency-Key, if one was sent
 * @throws 409, 422, 429, Unavailable
 */
export async function announceUploads(
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
