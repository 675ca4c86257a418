import { readCmsSchema } from '../cms/cms-schema.ts';
import { columnScope, readStoredColumns, scanColumns } from '../cms/entry-columns.ts';
import { cmsModelIdOf, entryListScope, readEntryList } from '../cms/entry-list.ts';
import { currentColumnRows, storeColumns, storeEntryList } from '../cms/entry-list-parts.ts';
import { setting } from '../dynamodb/conditions.ts';
import { removeAll, removeWhere } from '../dynamodb/write-all.ts';
import { ConditionFailed } from '../errors.ts';
import { keys, menuCollection, relationCollection } from '../keys.ts';
import { idAt, importMarkOf, seemsToRun, trustedMilliseconds } from '../log/change-log.ts';
import { readLog } from '../log/read-log.ts';
import { menuScope, readMenuIndex, readMenuState } from '../menu/menu-index.ts';
import { storeMenu } from '../menu/menu-parts.ts';
import { currentRows, readProductRelations } from '../menu/product-relations.ts';
import { relationScope } from '../menu/relation-base.ts';
import { storeRelations } from '../menu/relation-parts.ts';
import type { Item, Table } from '../table.ts';
import { partIdsIn } from './base-writes.ts';
import { type CollectionHead, type CollectionScope, headKey, StaleRead } from './head.ts';
import { type NextBase, swapBase } from './swap-base.ts';

/** The maximum duration of one large compaction. */
export const compactionMillisecondsMax = 20_000;

/** Compacts all lists of a workspace, then removes what they include from the log. @returns false if some are left */
export async function compactWorkspace(
  table: Table,
  workspaceId: string,
  isTimeLeft: () => boolean = () => true,
): Promise<boolean> {
  // Before anything is read: a list that is made from now on has only later changes.
  const checkpoint = idAt(Date.now() - trustedMilliseconds);
  const { models } = await readCmsSchema(table.uncached(), { workspaceId });
  const scopes = [
    menuScope({ workspaceId }),
    relationScope({ workspaceId }),
    ...[...models.keys()].map((modelId) => entryListScope({ workspaceId }, modelId)),
  ];
  let isWhole = true;
  for (const scope of scopes) isWhole = isTimeLeft() && (await compactCollection(table, scope)) && isWhole;
  if (isWhole) await removeBefore(table, workspaceId, checkpoint);
  return isWhole;
}

/** Readers learn of the removal first, so that none of them misses a change. */
async function removeBefore(table: Table, workspaceId: string, checkpoint: string): Promise<void> {
  const isLater = { ConditionExpression: 'attribute_not_exists(#checkpoint) OR #checkpoint < :checkpoint' };
  const update = { ...setting({ checkpoint }, isLater), ReturnValues: 'NONE' } as const;
  await table.update(keys.logState(workspaceId), update);
  await removeWhere(table, { pk: keys.log(workspaceId), to: checkpoint, only: ['pk', 'sk'] });
}

/** The rows of a base, and how to store them with all logged changes as the next one. */
interface CompactedState {
  readonly state: {
    readonly head: CollectionHead;
    /** `former` are the parts that the base before has left behind. */
    readonly base: { readonly stored: { readonly former: readonly string[] } };
    readonly changed: ReadonlyMap<string, unknown>;
  };
  readonly hasSameColumns?: boolean;
  readonly store: () => Promise<NextBase>;
}

function stateOf(table: Table, scope: CollectionScope): Promise<CompactedState> {
  if (scope.collection === relationCollection) return relationsState(table, scope);
  if (scope.collection === menuCollection) return menuState(table, scope);
  return entriesState(table, scope);
}

async function relationsState(table: Table, scope: CollectionScope): Promise<CompactedState> {
  const state = await readProductRelations(table, scope);
  const rows = currentRows(state);
  const models = Object.entries(state.base.models).map(
    ([modelId, { fields }]) => [modelId, { fields, rows: rows.get(modelId) ?? new Map() }] as const,
  );
  const store = async () => ({ content: await storeRelations(table, scope, new Map(models), state.base), fields: {} });
  return { state, store };
}

async function menuState(table: Table, scope: CollectionScope): Promise<CompactedState> {
  const state = await readMenuState(table, scope);
  const index = await readMenuIndex(table, scope);
  const fields = { total: index.products.length };
  return { state, store: async () => ({ content: await storeMenu(table, scope, index, state.base), fields }) };
}

async function entriesState(table: Table, scope: CollectionScope): Promise<CompactedState> {
  const modelId = cmsModelIdOf(scope.collection);
  const list = await readEntryList(table, scope, modelId);
  const { state } = list;
  const columns = await columnsOf(table, scope, modelId, state.head);
  const rows = await list.rows();
  const store = async () => {
    const content = await storeEntryList(table, scope, rows, state.base);
    return {
      content: { ...content, ...(columns && { columns: await columns.store() }) },
      fields: { total: rows.length },
    };
  };
  return { state, hasSameColumns: columns?.isUnchanged !== false, store };
}

/** The columns of a list; undefined if the database was removed. Columns of an earlier schema are made anew. */
async function columnsOf(table: Table, workspace: CollectionScope, modelId: string, head: CollectionHead) {
  const model = (await readCmsSchema(table, workspace)).models.get(modelId);
  if (!model) return undefined;
  const scope = columnScope(workspace, model);
  const stored = await readStoredColumns(table, scope, head);
  const current = stored && (await currentColumnRows(table, scope, stored));
  const rows = current ? [...current.rows.values()] : await scanColumns(table, scope);
  const inListOrder = rows.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  return {
    isUnchanged: current?.changed.size === 0,
    store: () => storeColumns(table, scope, inListOrder, stored),
  };
}

/** Readers of the previous head may still need its parts. No request lasts that long. */
const graceMilliseconds = 60_000;

/**
 * Folds the log into the base of a collection. Changes continue in the meantime and stay in the log. The next run
 * removes the parts of the previous base.
 * @returns false if a later run must try again
 * @throws Unavailable
 */
export async function compactCollection(table: Table, scope: CollectionScope): Promise<boolean> {
  const reads = table.uncached();
  const lease = await reads.get(keys.importLease(scope.workspaceId));
  const head = ((await reads.get(headKey(scope))) ?? {}) as Partial<Item> & CollectionHead;
  const { state: logState } = await readLog(reads, scope);
  const seenMark = { collection: scope.collection, id: importMarkOf(logState, scope.collection) };
  // After an interrupted import, the mark stays until the next import, but the log does not grow.
  if (seenMark.id !== undefined && seemsToRun(lease)) return false;
  const foldedAt = Date.now();
  if (foldedAt - (head.since ?? 0) < graceMilliseconds) return foldedAt - (head.foldedAt ?? 0) < graceMilliseconds;
  try {
    const { state, hasSameColumns = true, store } = await stateOf(table.uncached(), scope);
    const { stored } = state.base;
    if (state.head.base !== head.base) return false;
    if (state.changed.size === 0 && hasSameColumns && head.base !== undefined) return true;
    const { content, fields } = await store();
    const kept = new Set(partIdsIn(content));
    const former = [...partIdsIn(stored).filter((partId) => !kept.has(partId)), ...[head.directory ?? []].flat()];
    const compaction = { seenMark, former };
    await swapBase({ table, scope, before: head, content, fields: { ...fields, foldedAt }, compaction });
    const partKeyOf = (partId: string) => keys.indexPart(scope.workspaceId, scope.collection, partId);
    await removeAll(table, stored.former.map(partKeyOf));
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed || error instanceof StaleRead) return false;
    throw error;
  }
}
