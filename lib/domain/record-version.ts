import * as z from 'zod/mini';
import { AuditEvent } from './access/audit-event.ts';

/** What a change has left of a record (lib/spec/additions.md section 14). */
export const RecordVersion = z.strictObject({
  id: z.string(),
  at: z.string(),
  actor: AuditEvent.shape.actor,
  action: AuditEvent.shape.action,
  changed: z.array(z.string()),
  /** Whether the stored record is exactly this version. */
  isCurrent: z.boolean(),
});
export type RecordVersion = z.infer<typeof RecordVersion>;

/** A record that was removed, and the version to restore. */
export const DeletedRecord = z.strictObject({
  /** The kind in addresses. */
  kind: z.string(),
  id: z.string(),
  name: z.string(),
  at: z.string(),
  actor: AuditEvent.shape.actor,
  version: z.string(),
});
export type DeletedRecord = z.infer<typeof DeletedRecord>;
