import { type AuditAction, changedPaths } from '#lib/domain/access/audit-event.ts';
import { kindRow } from '#lib/records/document-kinds.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import type { Writes } from '#lib/table/table.ts';
import type { AppliedChange } from '#lib/table/writer/change.ts';
import { documentKindOf } from './kinds.ts';
import type { ManageRequest, RecordAddress } from './managed-record.ts';

const actions: Readonly<Record<Exclude<AppliedChange['status'], 'unchanged'>, AuditAction>> = {
  created: 'create',
  replaced: 'update',
  removed: 'delete',
};

/** The audit event of a write, for its transaction (lib/spec/additions.md section 2). */
export function audited(
  { principal, requestId }: ManageRequest,
  { name, id }: RecordAddress,
  { status, before, after }: AppliedChange,
): Writes {
  if (status === 'unchanged') return {};
  const changed = before && after ? changedPaths(documented(name, before), documented(name, after)) : [];
  const event = { actor: principal.actor, action: actions[status], recordKind: name, recordId: id, changed, requestId };
  return auditWrite(principal, event);
}

/** The record with only the members of documents. The table stores further members of an entry. */
const documented = (name: RecordAddress['name'], record: object): object => {
  const members = new Set(Object.keys(kindRow(documentKindOf[name]).schema.shape));
  return Object.fromEntries(Object.entries(record).filter(([member]) => members.has(member)));
};
