import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { orphanedObjectWrite } from '#lib/table/messaging/pending-attachments.ts';
import type { Writes } from '#lib/table/table.ts';
import type { AppliedChange } from '#lib/table/writer/change.ts';
import type { ManageRequest } from './managed-record.ts';

/**
 * Queues the object of a deleted attachment for the sweep. That happens in the transaction that removes the record, so
 * no object stays behind.
 */
export const fileRemovalWrites = ({ principal }: ManageRequest, { status, before }: AppliedChange): Writes =>
  status === 'removed' && before ? { object: orphanedObjectWrite(principal, before as Attachment, Date.now()) } : {};
