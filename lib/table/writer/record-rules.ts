import type { CustomerDetails } from '#lib/domain/messaging/customer-match.ts';
import { isStill } from '../dynamodb/conditions.ts';
import { keys, type RecordKind } from '../keys.ts';
import { newChangeId } from '../log/change-log.ts';
import type { Named } from '../record-names.ts';
import { keptRecordOf } from '../retention.ts';
import { editedNow, foundRecord } from '../stored-item.ts';
import type { Item } from '../table.ts';
import type { Plan, RecordAddress, RecordChange, StorageRules, StoredRecord, WriteScope } from './change.ts';
import { appliedOf, customerMarks, nameWrites, takenNames } from './record-items.ts';
import { removalOf } from './removal.ts';
import { stamped } from './time-stamps.ts';

export type Rules = StorageRules<Item | undefined>;

/** Records that are found by id, and some of them by unique names: forms, agents, channels, customers and others. */
export const recordRules: Rules = {
  removalOf,
  ownKeys: (workspaceId, address) => [recordKey({ workspaceId }, address)],
  read: async (scope, address) => {
    const item = await scope.table.get(recordKey(scope, address));
    return foundRecord(item, keptRecordOf(address.kind as RecordKind, item));
  },
  plan: (scope, change, stored) =>
    planOf(scope, change, stored, (before, after) => ({
      writes: {
        marks: change.kind === 'customer' ? customerMarks(scope.workspaceId, before as Details, after as Details) : [],
      },
    })),
};

type Details = CustomerDetails | undefined;

export const recordKey = ({ workspaceId }: Pick<WriteScope, 'workspaceId'>, { kind, id }: RecordAddress) =>
  kind === 'workspace' ? keys.workspace(workspaceId) : keys.record(workspaceId, kind as RecordKind, id);

/** What a kind adds to the plan of its records. */
interface Additions extends Pick<Plan, 'writes'>, Partial<Pick<Plan, 'logged'>> {
  /** Further attributes of the record's item. */
  readonly attributes?: object | undefined;
}

/** Plans the write of a record and of its names. @returns undefined if the change changes nothing */
export async function planOf(
  scope: WriteScope,
  change: RecordChange,
  { record: before, item, revision: replaced }: StoredRecord<Item | undefined>,
  additionsOf: (
    before: object | undefined,
    after: object | undefined,
    revision: string,
  ) => Additions | Promise<Additions>,
): Promise<Plan | undefined> {
  const { table, workspaceId, context } = scope;
  const kind = change.kind as RecordKind;
  const isSame = (record: object) => JSON.stringify(record) === JSON.stringify(before);
  const after = change.record ? stamped(change.record, before, context.now, isSame) : undefined;
  if (change.record && !after) return undefined;
  const taken = await takenNames(table, workspaceId, kind, after as Named | undefined, before);
  const text = JSON.stringify(after);
  const revision = newChangeId(replaced);
  const { attributes, writes, logged = [] } = await additionsOf(before, after, revision);
  const Key = recordKey(scope, change);
  const isUnchanged = isStill('record', item?.['record']);
  // A change by an import is no edit.
  const marks = context.isImport ? {} : { revision, ...editedNow() };
  const names = { id: change.id, before: before as Named | undefined, after: after as Named | undefined, taken };
  return {
    revision,
    applied: appliedOf(before, after, text),
    writes: {
      record: after
        ? { Put: { Item: { ...Key, record: text, ...attributes, ...marks }, ...isUnchanged } }
        : { Delete: { Key, ...isUnchanged } },
      ...nameWrites(workspaceId, kind, names),
      ...writes,
    },
    logged,
  };
}
