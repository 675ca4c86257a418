import { readCmsSchema } from '../cms/cms-schema.ts';
import type { ColumnRow } from '../cms/column-row.ts';
import {
  columnPartIds,
  columnParts,
  columnScope,
  currentColumnRows,
  isColumnEpochPublished,
  readStoredColumns,
} from '../cms/entry-columns.ts';
import { entryListPartIds, entryListParts, readEntryList } from '../cms/entry-list.ts';
import { scanColumns } from '../cms/scan-columns.ts';
import { cmsCollection, menuCollection, relationCollection } from '../keys.ts';
import { menuPartIds, menuParts, readMenuIndex, readMenuState } from '../menu/menu-index.ts';
import { currentRows, readProductRelations, relationPartIds, relationParts } from '../menu/product-relations.ts';
import type { Table } from '../table.ts';
import { type CompactedState, compact, longLogOf, longLogs } from './compaction.ts';
import type { CollectionHead, CollectionScope } from './head.ts';
import { readLogOnce } from './log.ts';

/** Counts of a run. */
export interface CompactionSummary {
  readonly compacted: number;
  readonly failed: number;
}

/** Upper bound for the compaction of a large collection. */
export const compactionMillisecondsMax = 20_000;

const collectionsAtOnce = 500;

/**
 * Compacts the logs that writers marked as long, while there is time. The next run finds the rest.
 * @param isTimeLeft whether there is time for one more collection
 */
export async function compactCollections(table: Table, isTimeLeft: () => boolean): Promise<CompactionSummary> {
  let [compacted, failed] = [0, 0];
  for (const key of await longLogs(table, collectionsAtOnce)) {
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

/** @returns false if a later run must try it again @throws Unavailable */
export const compactCollection = (table: Table, scope: CollectionScope): Promise<boolean> =>
  compact(table, scope, (reads) => stateOf(reads, scope));

function stateOf(table: Table, scope: CollectionScope): Promise<CompactedState | undefined> {
  if (scope.collection === relationCollection) return relationsState(table, scope);
  if (scope.collection === menuCollection) return menuState(table, scope);
  return entriesState(table, scope);
}

async function relationsState(table: Table, scope: CollectionScope): Promise<CompactedState | undefined> {
  const state = await readProductRelations(table, scope);
  if (!state?.isSettled) return undefined;
  const rows = currentRows(state);
  const models = Object.entries(state.base.models).map(
    ([modelId, { fields }]) => [modelId, { fields, rows: rows.get(modelId) ?? new Map() }] as const,
  );
  const { fresh, content } = await relationParts(scope, new Map(models), state.base);
  return {
    ...whatIsLogged(state),
    next: { fresh, content, fields: {} },
    partsBefore: relationPartIds(state.base.stored),
    partsAfter: relationPartIds(content),
  };
}

async function menuState(table: Table, scope: CollectionScope): Promise<CompactedState | undefined> {
  const state = await readMenuState(table, scope);
  if (!state?.isSettled) return undefined;
  const index = await readMenuIndex(table, scope);
  const { fresh, content } = await menuParts(scope, index, state.base);
  return {
    ...whatIsLogged(state),
    next: { fresh, content, fields: { total: index.products.length } },
    partsBefore: menuPartIds(state.base.stored),
    partsAfter: menuPartIds(content),
  };
}

async function entriesState(table: Table, scope: CollectionScope): Promise<CompactedState | undefined> {
  const modelId = scope.collection.slice(cmsCollection('').length);
  const list = await readEntryList(table, scope, modelId);
  if (!list.state?.isSettled) return undefined;
  const made = await columnsOf(table, scope, modelId, list.state.head);
  if (made === 'later') return undefined;
  const rows = await list.rows();
  const { fresh, content } = await entryListParts(scope, rows, list.state.base);
  const { stored } = list.state.base;
  const logged = whatIsLogged(list.state);
  return {
    ...logged,
    applied: made?.applied ? logged.applied.union(made.stamps).intersection(made.applied) : logged.applied,
    isStale: made !== undefined && made.applied === undefined,
    next: {
      fresh: [...fresh, ...(made?.fresh ?? [])],
      content: { ...content, ...(made && { columns: made.columns }) },
      fields: { total: rows.length },
    },
    partsBefore: [...entryListPartIds(stored), ...columnPartIds(stored)],
    partsAfter: [...entryListPartIds(content), ...columnPartIds(made ?? {})],
  };
}

/**
 * The columns of a list, and the log items included in them; undefined if the database was removed. Columns of a former
 * schema are made again from the entries, when no update that started with that schema is under way.
 */
async function columnsOf(table: Table, workspace: CollectionScope, modelId: string, head: CollectionHead) {
  const model = (await readCmsSchema(table, workspace)).models.get(modelId);
  if (!model) return undefined;
  const scope = columnScope(workspace, model);
  const stored = await readStoredColumns(table, scope, head);
  if (stored?.times) {
    const { rows, applied } = await currentColumnRows(table, scope, stored);
    // The list passes them over.
    const stamps = new Set((await readLogOnce(table, scope)).flatMap(({ sk, stamp }) => (stamp ? [sk] : [])));
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

const whatIsLogged = ({ head, base, applied }: LoggedState) => ({
  head,
  applied,
  consumed: base.consumed,
  former: base.stored.former,
});
