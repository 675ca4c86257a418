import type { Principal, WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { AnnouncedFile } from '#lib/domain/files/uploaded-file.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { jsonHash } from '#lib/domain/text/json-hash.ts';
import { objectSize } from '#lib/files/object-size.ts';
import { presignUpload } from '#lib/files/write-presigned.ts';
import { asInFlight, requestInFlight } from '#lib/http/idempotency.ts';
import type { IdempotencyRecord, RecordedOutcome } from '#lib/table/access/idempotency-records.ts';
import { Attachments } from '#lib/table/messaging/attachments.ts';
import { PendingAttachments } from '#lib/table/messaging/pending-attachments.ts';
import type { Table } from '#lib/table/table.ts';
import { repeatWrite, tryTransaction } from '#lib/table/writer/repeat-write.ts';
import { type FileAnnouncement, readAnnouncedFiles } from './announced-files.ts';
import { limitSentBytes } from './announcement-limit.ts';
import { newAttachment } from './new-attachment.ts';
import { attachmentsIn } from './recorded-attachments.ts';
import type { FileOwner } from './stored-files.ts';
import { uploadExpiresAt } from './upload-expiry.ts';
import { fileView, ownerOf, recordOf, tableMilliseconds, type UploadRequest } from './upload-request.ts';

/**
 * Announces files that the caller sends to the bucket (lib/spec/decisions.md section 6). A file becomes readable when it
 * has arrived with its announced size. The sweeper gives up files that never arrive.
 * @throws 415, 413, 400, 409, 422, 429, Unavailable; then nothing is announced
 */
export async function announceFiles(request: UploadRequest): Promise<AnnouncedFile[]> {
  const { principal, tableFor } = request;
  const files = await readAnnouncedFiles(request);
  const announcer = { principal, owner: ownerOf(principal) };
  const record = recordOf(request, 'attachments');
  const table = tableFor(tableMilliseconds);
  const attachments = await (record
    ? announceIdempotent(table, announcer, files, record)
    : announceAll(table, announcer, files));
  return Promise.all(
    attachments.map(async (attachment) => {
      const upload = await presignUpload(attachment, attachment.size, new Date(attachment.createdAt));
      const expiresAt = uploadExpiresAt(attachment).toISOString();
      return { ...fileView(attachment), upload: { ...upload, expiresAt } };
    }),
  );
}

/** The caller that announces files, and their owner. */
interface Announcer {
  readonly principal: Principal;
  readonly owner: FileOwner;
}

async function announceAll(
  table: Table,
  { principal, owner }: Announcer,
  files: readonly FileAnnouncement[],
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

/** Attempts when concurrent calls use the same key. */
const triesMax = 3;

/**
 * Announces files once under an Idempotency-Key. A retry gets the same attachments, but never an expired upload URL.
 * Files that did not arrive in time get a new announcement.
 * @throws 409, 422, 429, Unavailable
 */
async function announceIdempotent(
  table: Table,
  { principal, owner }: Announcer,
  files: readonly FileAnnouncement[],
  record: IdempotencyRecord,
): Promise<Attachment[]> {
  const requestHash = jsonHash(['announced', files]);
  const pending = new PendingAttachments(table);
  // Read first, so that a retry does not count against the limit.
  let outcome: RecordedOutcome | undefined = await record.find();
  let usedByOthers = 0;
  const prepare = async () => {
    const recorded = outcome ? attachmentsIn(outcome, requestHash) : [];
    const lost = await Promise.all(files.map((_, index) => isLost(table, owner, recorded[index])));
    const attachments = files.map((file, index) => {
      const former = recorded[index];
      return former && !lost[index] ? former : newAttachment(owner.workspaceId, file);
    });
    const added = attachments.filter((_, index) => lost[index]);
    const sizes = added.map(({ size }) => size);
    if (added.length > 0) await limitSentBytes(table, principal, sizes);
    const announced = added.map((attachment) => ({ ...owner, attachment, direct: true }));
    const writes = {
      idempotency: record.write(requestHash, JSON.stringify(attachments), outcome),
      announcements: pending.announcements(announced),
    };
    return { attachments, writes: added.length > 0 ? writes : undefined };
  };
  return repeatWrite<Awaited<ReturnType<typeof prepare>>, Attachment[]>(table, {
    prepare,
    write: async ({ attachments, writes }) => {
      try {
        return (writes && (await tryTransaction(table, writes))) ?? attachments;
      } catch (error) {
        outcome = record.outcomeIn(error);
        if (!outcome) throw error;
        if (++usedByOthers === triesMax) throw requestInFlight();
        return 'changed';
      }
    },
  }).catch((error: unknown) => {
    throw asInFlight(error);
  });
}

/** Whether a file is not stored and can no longer be sent. Such a file is given up, so that it cannot be stored later. */
async function isLost(table: Table, scope: WorkspaceScope, attachment: Attachment | undefined): Promise<boolean> {
  if (!attachment) return true;
  if (uploadExpiresAt(attachment).getTime() > Date.now()) return false;
  if (await new Attachments(table, scope).find(attachment.id, objectSize)) return false;
  return new PendingAttachments(table).giveUp({ workspaceId: scope.workspaceId, attachment, direct: true });
}
