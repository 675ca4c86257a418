import { type AuditAction, changedPaths } from '#lib/domain/access/audit-event.ts';
import { kindOf, managed } from '#lib/kinds/kinds.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import type { Writes } from '#lib/table/table.ts';
import type { AppliedChange } from '#lib/table/writer/change.ts';
import type { ManageRequest, RecordAddress } from './managed-record.ts';

const actions: Readonly<Record<Exclude<AppliedChange['status'], 'unchanged'>, AuditAction>> = {
  created: 'create',
  replaced: 'update',
  removed: 'delete',
};

/** The audit event of a write, for its transaction (lib/spec/additions.md section 2). */
export function audited(
  { principal, requestId }: ManageRequest,
  { kind, id }: RecordAddress,
  { status, before, after }: AppliedChange,
): Writes {
  if (status === 'unchanged') return {};
  const changed = before && after ? changedPaths(documented(kind, before), documented(kind, after)) : [];
  const event = {
    actor: principal.actor,
    action: actions[status],
    recordKind: managed(kind).path,
    recordId: id,
    changed,
    requestId,
  };
  return auditWrite(principal, event);
}

/** The record with only the members of documents. The table stores further members of an entry. */
const documented = (kind: RecordAddress['kind'], record: object): object => {
  const members = new Set(Object.keys(kindOf(kind).schema.shape));
  return Object.fromEntries(Object.entries(record).filter(([member]) => members.has(member)));
};
