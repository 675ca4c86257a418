import type { AuditAction } from '#lib/domain/access/audit-event.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import type { Writes } from '#lib/table/table.ts';

/** The caller and the record of an image call. */
export interface MediaRequest {
  readonly principal: Principal;
  readonly requestId: string;
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
