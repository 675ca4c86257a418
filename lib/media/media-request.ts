import type { AuditAction } from '#lib/domain/access/audit-event.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import type { Table, Writes } from '#lib/table/table.ts';

/** The caller and the record of an image call. */
export interface MediaRequest {
  readonly principal: Principal;
  readonly requestId: string;
}

/** A call that changes a stored image, in steps with separate time limits. */
export interface ImageChange extends MediaRequest {
  readonly table: Table;
  readonly tableFor: (milliseconds: number) => Table;
}

/** The audit event of a change of an image. */
export const imageAudit = ({ principal, requestId }: MediaRequest, action: AuditAction, id: string): Writes =>
  auditWrite(principal, {
    actor: principal.actor,
    action,
    recordKind: 'media',
    recordId: id,
    changed: [],
    requestId,
  });
