import type { AuditAction } from '#lib/domain/access/audit-event.ts';
import { changedPaths } from '#lib/domain/access/changed-paths.ts';
import { hiddenFields } from '#lib/domain/cms/hidden-fields.ts';
import { happened } from '#lib/domain/events/happened.ts';
import type { JsonObject } from '#lib/domain/input.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import { storedStates } from '#lib/table/history/large-states.ts';
import type { Table, Writes } from '#lib/table/table.ts';
import type { AppliedChange, Revisions } from '#lib/table/writer/change.ts';
import {
  type Author,
  type EditRules,
  everything,
  type KindContext,
  parseRecordAddress,
  type RecordAddress,
  type RecordWrite,
} from './managed-record.ts';
import { shownRecord } from './shown-record.ts';

const actions: Readonly<Record<Exclude<AppliedChange['status'], 'unchanged'>, AuditAction>> = {
  created: 'create',
  replaced: 'update',
  removed: 'delete',
};

/** The audit event and the version of a write, for its transaction (lib/spec/additions.md section 2). */
export async function auditedWrite(
  table: Table,
  author: Author,
  write: RecordWrite,
  context: KindContext,
  applied: AppliedChange,
  revisions: Revisions,
): Promise<Writes> {
  const { principal, requestId } = author;
  const { rules, id, issued, restores } = write;
  const { path, hasHistory } = rules.managed;
  const { status, before, after } = applied;
  if (status === 'unchanged') return {};
  const isRotation = issued !== undefined && before !== undefined;
  const action = isRotation ? 'rotate' : restores ? 'restore' : actions[status];
  const changed =
    status === 'replaced' && !isRotation && before && after
      ? (rules.changedPaths ?? changedPaths)(documented(rules, before), documented(rules, after))
      : (rules.audited?.(author, applied, write) ?? []);
  const hidden = hiddenKeysOf(write, context);
  const event = {
    actor: principal.actor,
    action,
    recordKind: path,
    recordId: id,
    changed,
    requestId,
    revisions,
    happened: {
      ...(restores && { event: before ? ('updated' as const) : ('created' as const) }),
      ...happened(path, before, after, changed, hidden),
    },
  };
  if (!hasHistory) return auditWrite(principal, event);
  const shown = (record: object | undefined) =>
    record ? shownRecord(rules, record as JsonObject, everything, context) : null;
  const states = { before: shown(before), after: shown(after), hidden, revisions };
  return auditWrite(principal, { ...event, states: await storedStates(table, principal, states) });
}

/** The hidden fields of an entry; of other records none. */
function hiddenKeysOf({ id }: RecordAddress, { schema }: KindContext): string[] {
  const model = schema?.models.get(parseRecordAddress(id).modelId ?? '');
  return model ? hiddenFields(model) : [];
}

/** The record with only the members of documents. The table stores further members of an entry. */
const documented = ({ schema }: EditRules, record: object): object => {
  const members = new Set(Object.keys(schema.shape));
  return Object.fromEntries(Object.entries(record).filter(([member]) => members.has(member)));
};
