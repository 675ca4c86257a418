import { randomUUID } from 'node:crypto';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { hasSameColumns } from '#lib/domain/cms/columns.ts';
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
import type { StorageRules } from './change.ts';
import { appliedOf, recordWrite } from './record-items.ts';
import {
  noImportSince,
  readStoredSchema,
  relationWrite,
  type StoredSchema,
  schemaWrite,
  versionOf,
} from './schema-items.ts';

interface Found {
  readonly item: Item | undefined;
  readonly schema: StoredSchema;
}

/**
 * CMS databases. One transaction writes the database, the version of the schema and the changed relations to products.
 * So readers see the whole change or nothing. Entries are unchanged. A value that does not fit the new type of its field
 * is not shown (lib/spec/decisions.md section 3). Only a database without entries can be removed: `decide` refuses it, and
 * its slots (W6) keep new ones away.
 */
export const modelRules: StorageRules<Found> = {
  ownKeys: (workspaceId, { id }) => [keys.record(workspaceId, 'cmsModel', id)],
  read: async (scope, { id }) => {
    const { table, workspaceId } = scope;
    const key = keys.record(workspaceId, 'cmsModel', id);
    const [item, schema] = await Promise.all([table.get(key), readStoredSchema(scope)]);
    return { ...foundRecord(item, item && recordOf(item)), item: { item, schema } };
  },
  plan: async (scope, { id, record }, { record: stored, revision: replaced, item: { item, schema } }) => {
    const { table, workspaceId } = scope;
    const before = stored as Model | undefined;
    const after = (record ?? undefined) as Model | undefined;
    const text = JSON.stringify(after);
    if (after && text === item?.['record']) return undefined;
    const revision = newChangeId(replaced);
    const records = new Map(schema.records);
    if (after) records.set(id, text);
    else records.delete(id);
    const next = { languages: schema.head?.languages ?? [], records };
    const writes: Writes = {
      record: recordWrite(keys.record(workspaceId, 'cmsModel', id), item, after && { text, revision }),
      schema: schemaWrite(workspaceId, schema, next),
      relations: await relationWrite(scope, before, after),
      head: after ? undefined : { Delete: { Key: headKey(entryListScope({ workspaceId }, id)) } },
      lease: noImportSince(workspaceId, schema),
    };
    // A compaction makes the new columns.
    if (before && after && !hasSameColumns(before, after)) await noteLongLog(table, workspaceId);
    return { revision, applied: appliedOf(before, after, text), writes, logged: [] };
  },
};

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
    const [item, schema, menuHead] = await Promise.all([
      table.get(keys.workspace(workspaceId)),
      readStoredSchema(scope),
      table.get(headKey(menuScope({ workspaceId }))),
    ]);
    return {
      ...foundRecord(item, item && recordOf(item)),
      item: { item, schema, menuHead: menuHead as FoundWorkspace['menuHead'] },
    };
  },
  plan: ({ workspaceId }, { record }, { record: before, revision: replaced, item: { item, schema, menuHead } }) => {
    if (!record) throw new Error('A workspace is not removed through the service.');
    const after = record as Workspace;
    const text = JSON.stringify(record);
    const revision = newChangeId(replaced);
    if (text === item?.['record']) return undefined;
    const next = { languages: after.languages, records: schema.records };
    const hasNewSchema = versionOf(next) !== schema.head?.version;
    const menu = menuWrite(workspaceId, menuHead, after);
    return {
      revision,
      applied: appliedOf(before, after, text),
      writes: {
        record: recordWrite(keys.workspace(workspaceId), item, { text, revision }),
        schema: hasNewSchema ? schemaWrite(workspaceId, schema, next) : undefined,
        menu,
        epoch: menu && !hasNewSchema ? epochWrite(workspaceId) : undefined,
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
