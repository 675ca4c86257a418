import { isDeepStrictEqual } from 'node:util';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { CmsEntries } from '../cms/cms-entries.ts';
import { rowOf } from '../cms/entry-row.ts';
import { type StoredEntry, storedContent, storedValues } from '../cms/stored-entry.ts';
import { isStill } from '../dynamodb/conditions.ts';
import type { ImportedEntry } from '../import/ruled-writer.ts';
import { keys } from '../keys.ts';
import { type LoggedRecord, newChangeId } from '../log/change-log.ts';
import { editedNow } from '../stored-item.ts';
import type { TransactItem } from '../table.ts';
import type { RecordAddress, RecordChange, StorageRules, WriteScope } from './change.ts';
import { stamped } from './time-stamps.ts';

/**
 * The items of entries, which are stored in list order. This is all that an update changes that keeps the times;
 * `entryRules` of scheduled-rules.ts is for all other changes.
 */
export const entryItemRules: StorageRules<StoredEntry | undefined> = {
  ownKeys: (workspaceId, address) => [keys.cmsEntryPointer(workspaceId, modelIdOf(address), address.id)],
  read: async (scope, address) => {
    const item = await new CmsEntries(scope.table, scope).find(modelIdOf(address), address.id);
    return { record: item, etag: item?.revision, revision: item?.revision, item };
  },
  plan: (scope, change, { item: before }) => {
    const after = change.record ? entryAfter(scope, change, before) : undefined;
    if (change.record && !after) return undefined;
    const revision = after?.revision ?? '';
    return {
      revision,
      applied: { status: after ? (before ? 'replaced' : 'created') : 'removed', before, after, etag: after?.revision },
      writes: { record: itemWrite(before, after) },
      logged: [loggedOf(before, after)],
    };
  },
};

const modelIdOf = ({ modelId }: RecordAddress): string => {
  if (modelId === undefined) throw new Error('A change of an entry names its database.');
  return modelId;
};

const modelOf = ({ context: { schema } }: WriteScope, change: RecordChange): Model | undefined =>
  schema?.models.get(modelIdOf(change));

/** @returns undefined if the change changes nothing */
function entryAfter(scope: WriteScope, change: RecordChange, before: StoredEntry | undefined): StoredEntry | undefined {
  const model = modelOf(scope, change);
  if (!model) throw new Error('The change was checked, so its database is known.');
  const record = change.record as ImportedEntry;
  const contentOf = ({ createdAt = '', updatedAt = '' }: ImportedEntry) => ({
    ...keys.cmsEntry(scope.workspaceId, model.id, createdAt, change.id),
    id: change.id,
    modelId: model.id,
    published: record.published,
    publishAt: record.publishAt,
    unpublishAt: record.unpublishAt,
    createdAt,
    updatedAt,
    values: { ...record.values, ...storedValues(record.values, model) },
  });
  const isSame = (entry: ImportedEntry) =>
    before !== undefined && isDeepStrictEqual(contentOf(entry), storedContent(before, model));
  const after = stamped(record, before, scope.context.now, isSame);
  if (!after) return undefined;
  return { ...contentOf(after), revision: newChangeId(before?.revision), ...editedNow() };
}

function itemWrite(before: StoredEntry | undefined, after: StoredEntry | undefined): TransactItem {
  const isUnchanged = isStill('revision', before?.revision);
  if (after) return { Put: { Item: after, ...isUnchanged } };
  const { pk, sk } = before as StoredEntry;
  return { Delete: { Key: { pk, sk }, ...isUnchanged } };
}

function loggedOf(before: StoredEntry | undefined, after: StoredEntry | undefined): LoggedRecord {
  const { modelId, id, createdAt } = (after ?? before) as StoredEntry;
  // A list may not have the row of an import yet.
  const hasSameRow = before?.editedAt !== undefined && after !== undefined && rowOf(before) === rowOf(after);
  return {
    kind: 'cmsEntry',
    modelId,
    id,
    createdAt,
    revision: after?.revision ?? null,
    ...(before && { before: before.revision }),
    ...(hasSameRow && { sameRow: true }),
  };
}
