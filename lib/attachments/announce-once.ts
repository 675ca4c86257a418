import type { Attachment } from '#lib/domain/attachment.ts';
import { jsonHash } from '#lib/domain/json-hash.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { objectSize } from '#lib/files/object-size.ts';
import { asRefusal, stillInFlight } from '#lib/http/idempotency.ts';
import { Attachments } from '#lib/table/attachments.ts';
import { PendingAttachments } from '#lib/table/pending-attachments.ts';
import type { Remembered, Repeat } from '#lib/table/repeats.ts';
import type { Table } from '#lib/table/table.ts';
import type { AnnouncedFile } from './announced-files.ts';
import { newAttachment } from './new-attachment.ts';
import { attachmentsIn } from './remembered-upload.ts';
import { uploadExpiresAt } from './upload-expiry.ts';

/** Of those who meet others that announce the same anew. */
const triesMax = 3;

/**
 * Announces files under an Idempotency-Key once: a repetition gets the same ones. Those that can be sent no more and
 * have not arrived are announced anew, so that a key never leads to addresses that nobody can use.
 * @throws 409, 422, Unavailable
 */
export async function announceOnce(
  table: Table,
  { workspaceId }: WorkspaceScope,
  files: readonly AnnouncedFile[],
  repeat: Repeat,
): Promise<Attachment[]> {
  const requestHash = jsonHash(['announced', files]);
  const pending = new PendingAttachments(table);
  let used: Remembered | undefined;
  for (let tries = 0; tries < triesMax; tries++) {
    const known = used ? attachmentsIn(used, requestHash) : [];
    const lost = await Promise.all(files.map((_, index) => isLost(table, { workspaceId }, known[index])));
    const attachments = files.map((file, index) => {
      const former = known[index];
      return former && !lost[index] ? former : newAttachment(workspaceId, file);
    });
    const added = attachments.filter((_, index) => lost[index]);
    if (added.length === 0) return attachments;
    try {
      const once = repeat.use(requestHash, JSON.stringify(attachments), used);
      await pending.announce(
        added.map((attachment) => ({ workspaceId, attachment, direct: true })),
        once,
      );
      return attachments;
    } catch (error) {
      used = repeat.usedIn(error);
      if (!used) throw asRefusal(error);
    }
  }
  throw stillInFlight();
}

/** Whether a file is neither stored nor can be sent; it is given up then, so that it cannot be stored later either. */
async function isLost(table: Table, scope: WorkspaceScope, attachment: Attachment | undefined): Promise<boolean> {
  if (!attachment) return true;
  if (uploadExpiresAt(attachment).getTime() > Date.now()) return false;
  if (await new Attachments(table, scope).find(attachment.id, objectSize)) return false;
  return new PendingAttachments(table).giveUp({ ...scope, attachment, direct: true });
}
