import { readCmsSchema } from '../cms/cms-schema.ts';
import type { ColumnRow } from '../cms/column-store.ts';
import { columnScope, readStoredColumns, scanColumns } from '../cms/entry-columns.ts';
import { entryListScope, readEntryList } from '../cms/entry-list.ts';
import {
  columnPartIds,
  columnParts,
  currentColumnRows,
  entryListPartIds,
  entryListParts,
} from '../cms/entry-list-parts.ts';
import { removeAll, removeWhere } from '../dynamodb/write-all.ts';
import { ConditionFailed } from '../errors.ts';
import { cmsCollection, keys, menuCollection, relationCollection } from '../keys.ts';
import { idAt, importMarkOf, seemsToRun, trustedMilliseconds } from '../log/change-log.ts';
import { readLog } from '../log/read-log.ts';
import { menuScope, readMenuIndex, readMenuState } from '../menu/menu-index.ts';
import { menuPartIds, menuParts } from '../menu/menu-parts.ts';
import { currentRows, readProductRelations } from '../menu/product-relations.ts';
import { relationScope } from '../menu/relation-base.ts';
import { relationPartIds, relationParts } from '../menu/relation-parts.ts';
import type { Item, Table } from '../table.ts';
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

/** @returns false if a later run must retry it @throws Unavailable */
export const compactCollection = (table: Table, scope: CollectionScope): Promise<boolean> =>
  compact(table, scope, (reads) => stateOf(reads, scope));

/** Readers learn of the removal first, so that none of them misses a change. */
async function removeBefore(table: Table, workspaceId: string, checkpoint: string): Promise<void> {
  const isLater = 'attribute_not_exists(#checkpoint) OR #checkpoint < :checkpoint';
  await table.update(keys.logState(workspaceId), {
    UpdateExpression: 'SET #checkpoint = :checkpoint',
    ConditionExpression: isLater,
    ExpressionAttributeValues: { ':checkpoint': checkpoint },
    ReturnValues: 'NONE',
  });
  await removeWhere(table, { pk: keys.log(workspaceId), to: checkpoint, only: ['pk', 'sk'] });
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
  const next = { ...(await relationParts(scope, new Map(models), state.base)), fields: {} };
  return compacted(state, next, relationPartIds);
}

async function menuState(table: Table, scope: CollectionScope): Promise<CompactedState> {
  const state = await readMenuState(table, scope);
  const index = await readMenuIndex(table, scope);
  const next = { ...(await menuParts(scope, index, state.base)), fields: { total: index.products.length } };
  return compacted(state, next, menuPartIds);
}

async function entriesState(table: Table, scope: CollectionScope): Promise<CompactedState> {
  const modelId = scope.collection.slice(cmsCollection('').length);
  const list = await readEntryList(table, scope, modelId);
  const columns = await columnsOf(table, scope, modelId, list.state.head);
  const rows = await list.rows();
  const { unstored, content } = await entryListParts(scope, rows, list.state.base);
  const next = {
    unstored: [...unstored, ...(columns?.unstored ?? [])],
    content: { ...content, ...(columns && { columns: columns.columns }) },
    fields: { total: rows.length },
  };
  const state = compacted(list.state, next, (stored) => [...entryListPartIds(stored), ...columnPartIds(stored)]);
  return { ...state, isUnchanged: state.isUnchanged && columns?.isUnchanged !== false };
}

/** The columns of a list; undefined if the database was removed. Columns of an earlier schema are made anew. */
async function columnsOf(table: Table, workspace: CollectionScope, modelId: string, head: CollectionHead) {
  const model = (await readCmsSchema(table, workspace)).models.get(modelId);
  if (!model) return undefined;
  const scope = columnScope(workspace, model);
  const stored = await readStoredColumns(table, scope, head);
  if (!stored) {
    const rows = await scanColumns(table, scope);
    return { ...(await columnParts(scope, inListOrder(rows), undefined)), isUnchanged: false };
  }
  const { rows, changed } = await currentColumnRows(table, scope, stored);
  return {
    ...(await columnParts(scope, inListOrder([...rows.values()]), stored)),
    isUnchanged: changed.size === 0,
  };
}

const inListOrder = (rows: readonly ColumnRow[]): ColumnRow[] =>
  rows.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)));

interface ReadState<Content> extends Pick<CompactedState, 'head'> {
  readonly base: { readonly stored: Content & { readonly former: readonly string[] } };
  readonly changed: ReadonlyMap<string, unknown>;
}

const compacted = <Content extends object>(
  { head, base: { stored }, changed }: ReadState<Content>,
  next: CompactedState['next'] & { readonly content: Content },
  partIdsOf: (content: Content) => string[],
): CompactedState => ({
  head,
  isUnchanged: changed.size === 0,
  former: stored.former,
  next,
  partsBefore: partIdsOf(stored),
  partsAfter: partIdsOf(next.content),
});

/** The current state of a collection, and how to store it. */
interface CompactedState {
  readonly head: CollectionHead;
  /** Whether no change was logged since the base. */
  readonly isUnchanged: boolean;
  /** The parts that the previous base left behind. */
  readonly former: readonly string[];
  /** The current rows. */
  readonly next: Omit<NextBase, 'former'>;
  /** The ids of all parts of the current base. */
  readonly partsBefore: readonly string[];
  readonly partsAfter: readonly string[];
}

/** Readers of the previous head may still need its parts. No request lasts that long. */
const graceMilliseconds = 60_000;

/**
 * Folds the log into the base of a collection. Changes continue in the meantime and stay in the log. The next run
 * removes the parts of the previous base.
 * @param readState reads the rows with all logged changes
 * @returns false if a later run must try again
 * @throws Unavailable
 */
async function compact(
  table: Table,
  scope: CollectionScope,
  readState: (table: Table) => Promise<CompactedState>,
): Promise<boolean> {
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
    const state = await readState(table.uncached());
    if (state.head.base !== head.base) return false;
    if (state.isUnchanged && head.base !== undefined) return true;
    const former = state.partsBefore.filter((partId) => !state.partsAfter.includes(partId));
    const fields = { ...state.next.fields, foldedAt };
    const next = { ...state.next, fields, former: [...former, ...directoryOf(head)] };
    await swapBase({ table, scope, before: head, next, seenMark });
    await removeParts(table, scope, state.former);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed || error instanceof StaleRead) return false;
    throw error;
  }
}

const directoryOf = ({ directory }: CollectionHead): string[] => (directory === undefined ? [] : [directory]);

const removeParts = (table: Table, { workspaceId, collection }: CollectionScope, partIds: readonly string[]) =>
  removeAll(
    table,
    partIds.map((partId) => keys.indexPart(workspaceId, collection, partId)),
  );
