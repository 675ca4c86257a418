import type { Attachment } from '#lib/domain/attachment.ts';
import { type PresignedUpload, presignedSeconds, presignUpload } from '#lib/files/write-presigned.ts';
import { PendingAttachments } from '#lib/table/pending-attachments.ts';
import type { Table } from '#lib/table/table.ts';
import type { AnnouncedFile } from './announced-files.ts';
import { newAttachment } from './new-attachment.ts';

export interface AnnouncedUpload {
  readonly attachment: Attachment;
  readonly upload: PresignedUpload & { readonly expiresAt: string };
}

/**
 * Announces files that the caller sends to the bucket itself; each becomes readable when it is there with the size that
 * was promised, and what never comes is given up by the sweeper.
 * @throws Unavailable
 */
export async function announceUploads(
  table: Table,
  workspaceId: string,
  files: readonly AnnouncedFile[],
): Promise<AnnouncedUpload[]> {
  const attachments = files.map((file) => newAttachment(workspaceId, file));
  const expiresAt = new Date(Date.now() + presignedSeconds * 1_000).toISOString();
  const uploads = await Promise.all(attachments.map((attachment) => presignUpload(attachment, attachment.size)));
  await new PendingAttachments(table).announce(
    attachments.map((attachment) => ({ workspaceId, attachment, direct: true })),
  );
  return attachments.map((attachment, index) => {
    const upload = uploads[index];
    if (!upload) throw new Error('Every attachment has its upload.');
    return { attachment, upload: { ...upload, expiresAt } };
  });
}
