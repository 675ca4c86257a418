import { filesMax } from '#lib/domain/files/upload-limits.ts';
import type { AnnouncedFile } from '#lib/domain/files/uploaded-file.ts';
import { type Attachment, fileSizeBytesMax } from '#lib/domain/messaging/attachment.ts';
import { objectSize } from '#lib/files/read-file.ts';
import { isUploadExpired, presignUpload } from '#lib/files/write-presigned.ts';
import { asRecorded, type ClaimWithAnswer, runIdempotent } from '#lib/idempotency/run-idempotent.ts';
import { Attachments } from '#lib/table/messaging/attachments.ts';
import { PendingAttachments } from '#lib/table/messaging/pending-attachments.ts';
import type { Table, WorkspaceScope } from '#lib/table/table.ts';
import { type FileAnnouncement, readAnnouncedFiles } from './announced-files.ts';
import { limitSentBytes } from './announcement-limit.ts';
import { newAttachment } from './new-attachment.ts';
import {
  attachmentsScope,
  fileView,
  idempotentCall,
  ownerOf,
  tableMilliseconds,
  type UploadRequest,
} from './upload-request.ts';

/**
 * Announces files that the caller sends to the bucket (lib/spec/decisions.md section 6). A file becomes readable when it
 * has arrived with its announced size. The sweeper gives up files that never arrive.
 * @throws 415, 413, 400, 409, 422, 429, Unavailable; then nothing is announced
 */
export async function announceFiles(request: UploadRequest): Promise<AnnouncedFile[]> {
  const files = await readAnnouncedFiles(request, filesMax, fileSizeBytesMax);
  const attachments = await runIdempotent<Attachment[]>(idempotentCall(request), attachmentsScope, {
    request: () => ['announced', files],
    execute: ({ claimWithAnswer, former }) => announce(request, files, claimWithAnswer, former),
    replay: asRecorded,
    // A retry never gets an expired upload URL.
    isOver: (former) => former.some((attachment) => isExpired(attachment)),
  });
  return Promise.all(
    attachments.map(async (attachment) => ({
      ...fileView(attachment),
      upload: await presignUpload(attachment, attachment.size, new Date(attachment.createdAt)),
    })),
  );
}

/**
 * @param former the attachments of an earlier call. Files that did not arrive in time get a new announcement
 * @throws 429, ConditionFailed if the Idempotency-Key is used, Unavailable
 */
async function announce(
  { principal, tableFor }: UploadRequest,
  files: readonly FileAnnouncement[],
  claimWithAnswer: ClaimWithAnswer<Attachment[]>,
  former: readonly Attachment[] = [],
): Promise<Attachment[]> {
  const table = tableFor(tableMilliseconds);
  const lost = await Promise.all(former.map((attachment) => isLost(table, principal, attachment)));
  const kept = former.map((attachment, index) => (lost[index] ? undefined : attachment));
  const attachments = files.map((file, index) => kept[index] ?? newAttachment(principal.workspaceId, file));
  const added = attachments.filter((attachment) => !kept.includes(attachment));
  if (added.length === 0) return attachments;
  const sizes = added.map(({ size }) => size);
  await limitSentBytes(table, principal, sizes);
  const pending = added.map((attachment) => ({ ...ownerOf(principal), attachment, direct: true }));
  await new PendingAttachments(table).announce(pending, claimWithAnswer(attachments));
  return attachments;
}

const isExpired = (attachment: Attachment): boolean => isUploadExpired(new Date(attachment.createdAt));

/** Whether a file is not stored and can no longer be sent. Such a file is given up, so that it cannot be stored later. */
async function isLost(table: Table, scope: WorkspaceScope, attachment: Attachment): Promise<boolean> {
  if (!isExpired(attachment)) return false;
  if (await new Attachments(table, scope).find(attachment.id, objectSize)) return false;
  return new PendingAttachments(table).giveUp({ workspaceId: scope.workspaceId, attachment, direct: true });
}
