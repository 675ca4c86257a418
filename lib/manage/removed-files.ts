import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { orphanedObjectWrite } from '#lib/table/messaging/pending-attachments.ts';
import type { Writes } from '#lib/table/table.ts';
import type { AppliedChange } from '#lib/table/writer/change.ts';
import type { ManageRequest } from './managed-record.ts';

/**
 * Puts the object of a deleted attachment on the list of the sweep, in the transaction that removes the record: nothing
 * of it stays, and nothing is half-done.
 */
export const fileRemovalWrites = ({ table, principal }: ManageRequest, { status, before }: AppliedChange): Writes =>
  status === 'removed' && before
    ? { object: orphanedObjectWrite(table, principal, before as Attachment, Date.now()) }
    : {};
