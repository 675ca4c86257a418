import { isDeepStrictEqual } from 'node:util';
import type { AuditAction } from '#lib/domain/access/audit-event.ts';
import { changedPaths } from '#lib/domain/access/changed-paths.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { hiddenFields } from '#lib/domain/cms/hidden-fields.ts';
import { happened } from '#lib/domain/events/happened.ts';
import { kindOf, managed } from '#lib/kinds/kinds.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import type { RecordStates } from '#lib/table/history/kept-states.ts';
import { storedStates } from '#lib/table/history/large-states.ts';
import type { Table, Writes } from '#lib/table/table.ts';
import type { AppliedChange, Revisions } from '#lib/table/writer/change.ts';
import {
  type Author,
  type KindContext,
  parseRecordAddress,
  type RecordAddress,
  type RecordWrite,
  rulesOf,
} from './managed-record.ts';
import { wholeRecord } from './shown-record.ts';

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
  const { kind, id, issued, restores } = write;
  const { status, before, after } = applied;
  if (status === 'unchanged') return {};
  const isRotation = issued !== undefined && before !== undefined;
  const action = isRotation ? 'rotate' : restores ? 'restore' : actions[status];
  const changed =
    status === 'replaced' && !isRotation && before && after
      ? changedIn(kind, documented(kind, before), documented(kind, after))
      : (rulesOf(author, kind).audited?.(author, applied, write) ?? []);
  const hidden = hiddenKeysOf(write, context);
  const event = {
    actor: principal.actor,
    action,
    recordKind: managed(kind).path,
    recordId: id,
    changed,
    requestId,
    happened: {
      ...(restores && { event: before ? ('updated' as const) : ('created' as const) }),
      ...happened(managed(kind).path, before, after, changed, hidden),
    },
  };
  if (!managed(kind).hasHistory) return auditWrite(principal, event);
  const states = await storedStates(table, principal, {
    ...statesOf(author, write, context, applied),
    hidden,
    revisions,
  });
  return auditWrite(principal, { ...event, states });
}

function statesOf(
  author: Author,
  { kind }: RecordAddress,
  context: KindContext,
  { before, after }: AppliedChange,
): Pick<RecordStates, 'before' | 'after'> {
  const shown = (record: object | undefined) => (record ? wholeRecord(author, kind, record, context) : null);
  return { before: shown(before), after: shown(after) };
}

/** The hidden fields of an entry; of other records none. */
function hiddenKeysOf({ id }: RecordAddress, { schema }: KindContext): string[] {
  const model = schema?.models.get(parseRecordAddress(id).modelId ?? '');
  return model ? hiddenFields(model) : [];
}

/** The changed paths. A field of a database is named by its key, so that an event tells which one was shown or hidden. */
function changedIn(kind: RecordAddress['kind'], before: object, after: object): string[] {
  if (kind !== 'cmsModel') return changedPaths(before, after);
  const [former, next] = [before as Model, after as Model];
  const keysOf = ({ fields }: Model) => fields.map(({ key }) => key);
  const common = new Set(keysOf(former)).intersection(new Set(keysOf(next)));
  const orderOf = (model: Model) => keysOf(model).filter((key) => common.has(key));
  const byKey = (model: Model) => ({
    ...model,
    fields: Object.fromEntries(model.fields.map((field) => [field.key, common.has(field.key) ? field : field.key])),
  });
  const isMoved = !isDeepStrictEqual(orderOf(former), orderOf(next));
  return [...(isMoved ? ['fields'] : []), ...changedPaths(byKey(former), byKey(next))];
}

/** The record with only the members of documents. The table stores further members of an entry. */
const documented = (kind: RecordAddress['kind'], record: object): object => {
  const members = new Set(Object.keys(kindOf(kind).schema.shape));
  return Object.fromEntries(Object.entries(record).filter(([member]) => members.has(member)));
};
