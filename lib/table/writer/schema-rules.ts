import { randomUUID } from 'node:crypto';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { hasSameColumns } from '#lib/domain/cms/columns.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import { entryListScope } from '../cms/entry-list.ts';
import { epochWrite, headWrite } from '../collection/base-writes.ts';
import { headKey } from '../collection/head.ts';
import { noteLongLog } from '../log/write-log.ts';
import { type MenuHead, menuScope } from '../menu/menu-index.ts';
import { hasLanguages, menuLanguages } from '../menu/menu-parts.ts';
import type { Item, TransactItem } from '../table.ts';
import type { StorageRules } from './change.ts';
import { planOf, recordRules } from './record-rules.ts';
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
  /** Of a change of the workspace. */
  readonly menuHead: (Item & MenuHead) | undefined;
}

const read: StorageRules<Found>['read'] = async (scope, address) => {
  const [stored, schema, menuHead] = await Promise.all([
    recordRules.read(scope, address),
    readStoredSchema(scope),
    address.kind === 'workspace' ? scope.table.get(headKey(menuScope(scope))) : undefined,
  ]);
  return { ...stored, item: { item: stored.item, schema, menuHead: menuHead as Found['menuHead'] } };
};

/**
 * CMS databases. One transaction writes the database, the version of the schema and the changed relations to products.
 * So readers see the whole change or nothing. Entries are unchanged. A value that does not fit the new type of its field
 * is not shown (lib/spec/decisions.md section 3). Only a database without entries can be removed: `decide` refuses it, and
 * its slots (W6) keep new ones away.
 */
export const modelRules: StorageRules<Found> = {
  ...recordRules,
  read,
  plan: (scope, change, { item: { item, schema }, ...stored }) =>
    planOf(scope, change, { ...stored, item }, async (former, next) => {
      const { table, workspaceId } = scope;
      const { id } = change;
      const [before, after] = [former, next] as (Model | undefined)[];
      const records = new Map(schema.records);
      if (after) records.set(id, JSON.stringify(after));
      else records.delete(id);
      const relations = await relationWrite(scope, before, after);
      // A compaction makes the new columns.
      if (before && after && !hasSameColumns(before, after)) await noteLongLog(table, workspaceId);
      const writes = {
        schema: schemaWrite(workspaceId, schema, { languages: schema.head?.languages ?? [], records }),
        relations,
        head: after ? undefined : { Delete: { Key: headKey(entryListScope({ workspaceId }, id)) } },
        lease: noImportSince(workspaceId, schema),
      };
      return { writes };
    }),
};

/**
 * The workspace itself. Its languages are also in the CMS schema and in the menu, which change in the same transaction.
 * Texts in a removed language stay stored and are not shown.
 */
export const workspaceRules: StorageRules<Found> = {
  ownKeys: recordRules.ownKeys,
  read,
  plan: (scope, change, { item: { item, schema, menuHead }, ...stored }) => {
    if (!change.record) throw new Error('A workspace is not removed through the service.');
    const { workspaceId } = scope;
    return planOf(scope, change, { ...stored, item }, (_, after) => {
      const next = { languages: (after as Workspace).languages, records: schema.records };
      const hasNewSchema = versionOf(next) !== schema.head?.version;
      const menu = menuWrite(workspaceId, menuHead, after as Workspace);
      const writes = {
        schema: hasNewSchema ? schemaWrite(workspaceId, schema, next) : undefined,
        menu,
        epoch: menu && !hasNewSchema ? epochWrite(workspaceId) : undefined,
        lease: noImportSince(workspaceId, schema),
      };
      return { writes };
    });
  },
};

/** The rows stay the same. A new base makes readers notice the languages. */
const menuWrite = (workspaceId: string, head: MenuHead | undefined, workspace: Workspace): TransactItem | undefined =>
  hasLanguages(head, workspace)
    ? undefined
    : headWrite(menuScope({ workspaceId }), head, { base: randomUUID(), ...menuLanguages(workspace) });
