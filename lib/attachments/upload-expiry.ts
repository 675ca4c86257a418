import type { Attachment } from '#lib/domain/attachment.ts';
import { presignedSeconds } from '#lib/files/write-presigned.ts';

/** Until when an announced file can be sent. It counts from its announcement, however often that is answered. */
export const uploadExpiresAt = ({ createdAt }: Attachment): Date =>
  new Date(Date.parse(createdAt) + presignedSeconds * 1_000);
