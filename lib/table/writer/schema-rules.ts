import { randomUUID } from 'node:crypto';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { hasSameColumns } from '#lib/domain/cms/columns.ts';
import { relatingFields } from '#lib/domain/cms/product-relation.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import { entryListScope } from '../cms/entry-list.ts';
import { epochWrite, headWrite } from '../collection/base-writes.ts';
import { headKey } from '../collection/head.ts';
import { keys } from '../keys.ts';
import { newChangeId } from '../log/change-log.ts';
import { noteLongLog } from '../log/write-log.ts';
import { type MenuHead, menuScope } from '../menu/menu-index.ts';
import { hasLanguages, menuLanguages } from '../menu/menu-parts.ts';
import { foundRecord } from '../stored-item.ts';
import { type Item, recordOf, type TransactItem, type Writes } from '../table.ts';
import type { StorageRules, WriteScope } from './change.ts';
import { appliedOf, recordWrite } from './record-items.ts';
import {
  type ChangedRelations,
  noImportSince,
  readStoredRelations,
  readStoredSchema,
  relationWrite,
  rowsOfModel,
  type StoredRelationRows,
  type StoredSchema,
  schemaWrite,
  storedFields,
  versionOf,
} from './schema-items.ts';

interface Found {
  readonly item: Item | undefined;
  readonly schema: StoredSchema;
  readonly relations: StoredRelationRows;
}

/**
 * CMS databases. One transaction writes the database, the version of the schema and the relations to products. So
 * readers see the whole change or nothing. Entries are unchanged. A value that does not fit the new type of its field
 * is not shown (lib/spec/decisions.md section 3). Only a database without entries can be removed: `decide` refuses it, and
 * its slots (W6) keep new ones away.
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

interface FoundWorkspace extends Found {
  readonly menuHead: (Item & MenuHead) | undefined;
}

/**
 * The workspace itself. Its languages are also in the CMS schema and in the menu, which change in the same transaction.
 * Texts in a removed language stay stored and are not shown.
 */
export const workspaceRules: StorageRules<FoundWorkspace> = {
  ownKeys: (workspaceId) => [keys.workspace(workspaceId)],
  read: async (scope) => {
    const { table, workspaceId } = scope;
    const [item, schema, relations, menuHead] = await Promise.all([
      table.get(keys.workspace(workspaceId)),
      readStoredSchema(scope),
      readStoredRelations(scope),
      table.get(headKey(menuScope({ workspaceId }))),
    ]);
    return {
      ...foundRecord(item, item && recordOf(item)),
      item: { item, schema, relations, menuHead: menuHead as FoundWorkspace['menuHead'] },
    };
  },
  plan: async (
    scope,
    { record },
    { record: before, revision: replaced, item: { item, schema, relations, menuHead } },
  ) => {
    if (!record) throw new Error('A workspace is not removed through the service.');
    const { workspaceId } = scope;
    const after = record as Workspace;
    const text = JSON.stringify(record);
    const revision = newChangeId(replaced);
    if (text === item?.['record']) return undefined;
    const next = { languages: after.languages, records: schema.records };
    const hasNewSchema = versionOf(next) !== schema.head?.version;
    const heads = [
      hasNewSchema ? await relationWrite(scope, relations, undefined, versionOf(next)) : undefined,
      menuWrite(workspaceId, menuHead, after),
    ].filter((write) => write !== undefined);
    return {
      revision,
      applied: appliedOf(before, after, text),
      writes: {
        record: recordWrite(keys.workspace(workspaceId), item, { text, revision }),
        schema: hasNewSchema ? schemaWrite(workspaceId, schema, next) : undefined,
        heads,
        epoch: heads.length > 0 && !hasNewSchema ? epochWrite(workspaceId) : undefined,
        lease: noImportSince(workspaceId, schema),
      },
      logged: [],
    };
  },
};

/** The rows stay the same. A new base makes readers notice the languages. */
const menuWrite = (workspaceId: string, head: MenuHead | undefined, workspace: Workspace): TransactItem | undefined =>
  hasLanguages(head, workspace)
    ? undefined
    : headWrite(menuScope({ workspaceId }), head, { base: randomUUID(), ...menuLanguages(workspace) });
