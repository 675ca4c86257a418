import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { presignedSeconds } from '#lib/files/write-presigned.ts';

/** When the upload URL of an announced file expires. Retries of the announcement do not extend it. */
export const uploadExpiresAt = ({ createdAt }: Attachment): Date =>
  new Date(Date.parse(createdAt) + presignedSeconds * 1_000);
