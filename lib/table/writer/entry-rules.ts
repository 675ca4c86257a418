import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Model } from '#lib/domain/cms-model.ts';
import { relatingFields } from '#lib/domain/product-relation.ts';
import { CmsEntries } from '../cms-entries.ts';
import type { LoggedRecord } from '../collection/log.ts';
import { isNew, isStill } from '../conditions.ts';
import { editedNow } from '../edited-at.ts';
import { entryListScope } from '../entry-list.ts';
import { storedContent, storedValues } from '../entry-values.ts';
import type { ImportedEntry } from '../import/entry-writer.ts';
import { keys, relationCollection } from '../keys.ts';
import { relationScope } from '../product-relations.ts';
import type { StoredEntry } from '../stored-entry.ts';
import type { Table, TransactItem, Writes } from '../table.ts';
import type { Change, Rules, WriteScope } from './change.ts';
import { guarded } from './record-items.ts';
import { stamped } from './time-stamps.ts';

/** Entries: stored in list order, found by a pointer under their id, and shown by products that they relate to. */
export const entryRules: Rules<StoredEntry | undefined> = {
  concerned: (scope, change) => {
    const list = { scope: entryListScope(scope, modelIdOf(change)), of: 'rows' as const };
    const model = modelOf(scope, change);
    const relates = model !== undefined && relatingFields(model).length > 0;
    return relates ? [list, { scope: relationScope(scope), of: 'rows' }] : [list];
  },
  read: async (scope, change) => {
    const item = await new CmsEntries(scope.table, scope).find(modelIdOf(change), change.id);
    return { record: item, etag: item?.revision, item };
  },
  plan: (scope, change, { item: before }) => {
    const after = change.record ? entryAfter(scope, change, before) : undefined;
    if (change.record && !after) return undefined;
    const revision = after?.revision ?? '';
    return {
      revision,
      applied: { status: after ? (before ? 'replaced' : 'created') : 'removed', before, after, etag: after?.revision },
      writes: writesOf(scope, before, after),
      logged: ({ collection }, meetsImport) => loggedIn(collection, before, after, meetsImport),
    };
  },
};

const modelIdOf = ({ modelId }: Change): string => {
  if (modelId === undefined) throw new Error('A change of an entry names its database.');
  return modelId;
};

const modelOf = ({ context: { schema } }: WriteScope, change: Change): Model | undefined =>
  schema?.models.get(modelIdOf(change));

/** @returns nothing when the entry is as it is to be */
function entryAfter(scope: WriteScope, change: Change, before: StoredEntry | undefined): StoredEntry | undefined {
  const model = modelOf(scope, change);
  if (!model) throw new Error('The change was checked, so its database is known.');
  const given = change.record as ImportedEntry;
  const contentOf = ({ createdAt = '', updatedAt = '' }: ImportedEntry) => ({
    ...keys.cmsEntry(scope.workspaceId, model.id, createdAt, change.id),
    id: change.id,
    modelId: model.id,
    published: given.published,
    createdAt,
    updatedAt,
    values: storedValues(given.values, model),
  });
  const isSame = (entry: ImportedEntry) =>
    before !== undefined && isDeepStrictEqual(contentOf(entry), storedContent(before, model));
  const after = stamped('cmsEntry', given, before, scope.context.now, isSame);
  return after && { ...contentOf(after), writes: before?.writes ?? {}, revision: randomUUID(), ...editedNow() };
}

function writesOf(
  { table, workspaceId }: WriteScope,
  before: StoredEntry | undefined,
  after: StoredEntry | undefined,
): Writes {
  const { name: TableName } = table;
  const { modelId = '', id = '' } = after ?? before ?? {};
  const pointer = keys.cmsEntryPlace(workspaceId, modelId, id);
  const isMoved = before !== undefined && after !== undefined && before.sk !== after.sk;
  const put = after && { TableName, Item: after, ...guarded };
  return {
    record: put && { Put: { ...put, ...(before && !isMoved ? isStillUpdatable(before) : isNew) } },
    former: before && (!after || isMoved) ? removal(table, before) : undefined,
    pointer: after
      ? before && !isMoved
        ? undefined
        : {
            Put: {
              TableName,
              Item: { ...pointer, createdAt: after.createdAt },
              ...isStill('createdAt', before?.createdAt),
            },
          }
      : { Delete: { TableName, Key: pointer } },
  };
}

const removal = ({ name: TableName }: Table, entry: StoredEntry): TransactItem => ({
  Delete: { TableName, Key: { pk: entry.pk, sk: entry.sk }, ...guarded, ...isStillUpdatable(entry) },
});

/** An import that moves the entry has marked it. */
const isStillUpdatable = ({ revision }: StoredEntry) => ({
  ConditionExpression: '#revision = :revision AND attribute_not_exists(#movedTo)',
  ExpressionAttributeNames: { '#revision': 'revision', '#movedTo': 'movedTo' },
  ExpressionAttributeValues: { ':revision': revision },
});

/** A list has rows by place, the relations by id. */
function loggedIn(
  collection: string,
  before: StoredEntry | undefined,
  after: StoredEntry | undefined,
  meetsImport: boolean,
): readonly LoggedRecord[] {
  const of = ({ modelId, id, createdAt }: StoredEntry, revision: string | null): LoggedRecord => ({
    kind: 'cmsEntry',
    modelId,
    id,
    createdAt,
    revision,
  });
  if (collection === relationCollection) return [of((after ?? before) as StoredEntry, after?.revision ?? null)];
  if (before && after && before.sk === after.sk) return meetsImport ? [of(after, after.revision)] : [];
  return [...(before ? [of(before, null)] : []), ...(after ? [of(after, after.revision)] : [])];
}
