import { readCmsSchema } from '../cms/cms-schema.ts';
import type { ColumnRow } from '../cms/column-store.ts';
import {
  columnPartIds,
  columnParts,
  columnScope,
  currentColumnRows,
  isColumnEpochPublished,
  readStoredColumns,
} from '../cms/entry-columns.ts';
import { readEntryList } from '../cms/entry-list.ts';
import { entryListPartIds, entryListParts } from '../cms/entry-list-parts.ts';
import { scanColumns } from '../cms/scan-entries.ts';
import { cmsCollection, menuCollection, relationCollection } from '../keys.ts';
import { menuPartIds, menuParts, readMenuIndex, readMenuState } from '../menu/menu-index.ts';
import { currentRows, readProductRelations, relationPartIds, relationParts } from '../menu/product-relations.ts';
import type { Table } from '../table.ts';
import { type CompactedState, compact, longLogOf, longLogs } from './compaction.ts';
import type { CollectionHead, CollectionScope } from './head.ts';
import { readCachedLog } from './log.ts';

/** Counts of a run. */
export interface CompactionSummary {
  readonly compacted: number;
  readonly failed: number;
}

/** The maximum duration of one large compaction. */
export const compactionMillisecondsMax = 20_000;

const collectionsMax = 500;

/**
 * Compacts the collections whose log is noted as long, while there is time. The next run continues with the rest.
 * @param isTimeLeft whether there is time for one more collection
 */
export async function compactCollections(table: Table, isTimeLeft: () => boolean): Promise<CompactionSummary> {
  let compacted = 0;
  let failed = 0;
  for (const key of await longLogs(table, collectionsMax)) {
    if (!isTimeLeft()) break;
    try {
      if (!(await compactCollection(table, longLogOf(key)))) continue;
      await table.write([{ remove: key }]);
      compacted++;
    } catch {
      // Nothing is lost: the log is unchanged, and the next run finds it.
      failed++;
    }
  }
  return { compacted, failed };
}

/** @returns false if a later run must retry it @throws Unavailable */
export const compactCollection = (table: Table, scope: CollectionScope): Promise<boolean> =>
  compact(table, scope, (reads) => stateOf(reads, scope));

function stateOf(table: Table, scope: CollectionScope): Promise<CompactedState | undefined> {
  if (scope.collection === relationCollection) return relationsState(table, scope);
  if (scope.collection === menuCollection) return menuState(table, scope);
  return entriesState(table, scope);
}

async function relationsState(table: Table, scope: CollectionScope): Promise<CompactedState | undefined> {
  const state = await readProductRelations(table, scope);
  if (!state?.isExact) return undefined;
  const rows = currentRows(state);
  const models = Object.entries(state.base.models).map(
    ([modelId, { fields }]) => [modelId, { fields, rows: rows.get(modelId) ?? new Map() }] as const,
  );
  const { unstored, content } = await relationParts(scope, new Map(models), state.base);
  return {
    ...logProgress(state),
    next: { unstored, content, fields: {} },
    partsBefore: relationPartIds(state.base.stored),
    partsAfter: relationPartIds(content),
  };
}

async function menuState(table: Table, scope: CollectionScope): Promise<CompactedState | undefined> {
  const state = await readMenuState(table, scope);
  if (!state?.isExact) return undefined;
  const index = await readMenuIndex(table, scope);
  const { unstored, content } = await menuParts(scope, index, state.base);
  return {
    ...logProgress(state),
    next: { unstored, content, fields: { total: index.products.length } },
    partsBefore: menuPartIds(state.base.stored),
    partsAfter: menuPartIds(content),
  };
}

async function entriesState(table: Table, scope: CollectionScope): Promise<CompactedState | undefined> {
  const modelId = scope.collection.slice(cmsCollection('').length);
  const list = await readEntryList(table, scope, modelId);
  if (!list.state?.isExact) return undefined;
  const columns = await columnsOf(table, scope, modelId, list.state.head);
  if (columns === 'later') return undefined;
  const rows = await list.rows();
  const { unstored, content } = await entryListParts(scope, rows, list.state.base);
  const { stored } = list.state.base;
  const logged = logProgress(list.state);
  return {
    ...logged,
    applied: columns?.applied ? logged.applied.union(columns.stamps).intersection(columns.applied) : logged.applied,
    isStale: columns !== undefined && columns.applied === undefined,
    next: {
      unstored: [...unstored, ...(columns?.unstored ?? [])],
      content: { ...content, ...(columns && { columns: columns.columns }) },
      fields: { total: rows.length },
    },
    partsBefore: [...entryListPartIds(stored), ...columnPartIds(stored)],
    partsAfter: [...entryListPartIds(content), ...columnPartIds(columns ?? {})],
  };
}

/**
 * The columns of a list, and the log items included in them; undefined if the database was removed. Columns of an
 * earlier schema are rebuilt from the entries, after the updates that use that schema have ended.
 */
async function columnsOf(table: Table, workspace: CollectionScope, modelId: string, head: CollectionHead) {
  const model = (await readCmsSchema(table, workspace)).models.get(modelId);
  if (!model) return undefined;
  const scope = columnScope(workspace, model);
  const stored = await readStoredColumns(table, scope, head);
  if (stored) {
    const { rows, applied } = await currentColumnRows(table, scope, stored);
    // The state of the list ignores these log items, so they are added to those that can be removed.
    const stamps = new Set((await readCachedLog(table, scope)).flatMap(({ sk, stamp }) => (stamp ? [sk] : [])));
    return { ...(await columnParts(scope, inListOrder([...rows.values()]), head.columns, stored)), applied, stamps };
  }
  if (!isColumnEpochPublished(head)) return 'later';
  const rows = await scanColumns(table, workspace, modelId, scope.fields);
  return {
    ...(await columnParts(scope, inListOrder(rows), head.columns, undefined)),
    applied: undefined,
    stamps: noStamps,
  };
}

const noStamps: ReadonlySet<string> = new Set();

const inListOrder = (rows: readonly ColumnRow[]): ColumnRow[] =>
  rows.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)));

interface LoggedState extends Pick<CompactedState, 'head' | 'applied'> {
  readonly base: { readonly consumed: ReadonlySet<string>; readonly stored: { readonly former: readonly string[] } };
}

const logProgress = ({ head, base, applied }: LoggedState) => ({
  head,
  applied,
  consumed: base.consumed,
  former: base.stored.former,
});
