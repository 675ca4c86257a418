import type { Model } from '#lib/domain/cms/cms-model.ts';
import { hasSameColumns } from '#lib/domain/cms/columns.ts';
import { relatingFields } from '#lib/domain/cms/product-relation.ts';
import { entryListScope, readEntryList } from '../cms/entry-list.ts';
import { headKey } from '../collection/head.ts';
import { repeatStaleRead } from '../collection/stale-read.ts';
import { keys } from '../keys.ts';
import { newChangeId } from '../log/change-log.ts';
import { noteLongLog } from '../log/write-log.ts';
import { foundRecord } from '../stored-item.ts';
import { type Item, recordOf, type Writes } from '../table.ts';
import type { StorageRules, WriteScope } from './change.ts';
import { ChangeRefused } from './change-refused.ts';
import { appliedOf, recordWrite } from './record-items.ts';
import {
  type ChangedRelations,
  readStoredRelations,
  relationWrite,
  rowsOfModel,
  type StoredRelationRows,
  storedFields,
} from './relation-items.ts';
import { noImportSince, readStoredSchema, type StoredSchema, schemaWrite, versionOf } from './schema-items.ts';

interface Found {
  readonly item: Item | undefined;
  readonly schema: StoredSchema;
  readonly relations: StoredRelationRows;
}

/**
 * CMS databases. One transaction writes the database, the version of the schema and the relations to products. So
 * readers see the whole change or nothing. Entries are unchanged. A value that does not fit the new type of its field
 * is not shown (lib/spec/decisions.md section 3).
 */
export const modelRules: StorageRules<Found> = {
  ownKeys: (workspaceId, { id }) => [keys.record(workspaceId, 'cmsModel', id)],
  read: async (scope, { id }) => {
    const { table, workspaceId } = scope;
    const [item, schema, relations] = await Promise.all([
      table.get(keys.record(workspaceId, 'cmsModel', id)),
      readStoredSchema(scope),
      readStoredRelations(scope),
    ]);
    return { ...foundRecord(item, item && recordOf(item)), item: { item, schema, relations } };
  },
  plan: async (scope, { id, record }, { record: stored, revision: replaced, item: found }) => {
    const { table, workspaceId } = scope;
    const { item, schema } = found;
    const before = stored as Model | undefined;
    const after = record as Model | null;
    const text = JSON.stringify(after);
    if (after && text === item?.['record']) return undefined;
    const revision = newChangeId(replaced);
    const records = new Map(schema.records);
    if (after) records.set(id, text);
    else records.delete(id);
    const next = { languages: schema.head?.languages ?? [], records };
    const relations = await changedRelations(scope, before, after ?? undefined, found);
    if (!after && (await hasEntries(scope, id))) throw new ChangeRefused('in_use');
    const writes: Writes = {
      record: recordWrite(keys.record(workspaceId, 'cmsModel', id), item, after ? { text, revision } : undefined),
      schema: schemaWrite(workspaceId, schema, next),
      relations: await relationWrite(scope, found.relations, relations, versionOf(next)),
      head: after ? undefined : { Delete: { Key: headKey(entryListScope({ workspaceId }, id)) } },
      lease: noImportSince(workspaceId, schema),
    };
    // A compaction makes the new columns.
    if (before && after && !hasSameColumns(before, after)) await noteLongLog(table, workspaceId);
    const applied = appliedOf(before, after ?? undefined, text);
    return { revision, applied, writes, logged: [] };
  },
};

/**
 * Only a database without entries can be removed. Its slots (W6) keep new ones away: the caller reads them before, and
 * requires them in the transaction.
 */
async function hasEntries({ table, workspaceId }: WriteScope, modelId: string): Promise<boolean> {
  const reads = table.uncached();
  return (await repeatStaleRead(reads, () => readEntryList(reads, { workspaceId }, modelId))).total > 0;
}

/** @returns undefined if the relations of the database to products do not change @throws ChangeRefused */
async function changedRelations(
  scope: WriteScope,
  before: Model | undefined,
  after: Model | undefined,
  { relations }: Found,
): Promise<ChangedRelations | undefined> {
  const model = after ?? { ...(before as Model), fields: [] };
  const fields = relatingFields(model);
  if (JSON.stringify(fields) === JSON.stringify(storedFields(relations, model.id))) return undefined;
  return rowsOfModel(scope, model);
}
