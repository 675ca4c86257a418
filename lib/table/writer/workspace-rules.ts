import { randomUUID } from 'node:crypto';
import type { Workspace } from '#lib/domain/workspace.ts';
import { epochWrite, headWrite } from '../collection/base-writes.ts';
import { headKey } from '../collection/head.ts';
import { keys } from '../keys.ts';
import { newChangeId } from '../log/change-log.ts';
import { type MenuHead, menuScope } from '../menu/menu-index.ts';
import { hasLanguages, menuLanguages } from '../menu/menu-parts.ts';
import { foundRecord } from '../stored-item.ts';
import { type Item, recordOf, type TransactItem } from '../table.ts';
import type { StorageRules } from './change.ts';
import { appliedOf, recordWrite } from './record-items.ts';
import { readStoredRelations, relationWrite, type StoredRelationRows } from './relation-items.ts';
import { noImportSince, readStoredSchema, type StoredSchema, schemaWrite, versionOf } from './schema-items.ts';

interface Found {
  readonly item: Item | undefined;
  readonly schema: StoredSchema;
  readonly relations: StoredRelationRows;
  readonly menuHead: (Item & MenuHead) | undefined;
}

/**
 * The workspace itself. Its languages are also in the CMS schema and in the menu, which change in the same transaction.
 * Texts in a removed language stay stored and are not shown.
 */
export const workspaceRules: StorageRules<Found> = {
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
      item: { item, schema, relations, menuHead: menuHead as Found['menuHead'] },
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
