import { type CompactedState, compact, longLogOf, longLogs } from './collection/compaction.ts';
import type { CollectionScope } from './collection/head.ts';
import { entryListPartIds, entryListParts, readEntryList } from './entry-list.ts';
import { cmsCollection, menuCollection, relationCollection } from './keys.ts';
import { menuPartIds, menuParts, readMenuIndex, readMenuState } from './menu-index.ts';
import { currentRows, readProductRelations, relationPartIds, relationParts } from './product-relations.ts';
import type { Table } from './table.ts';

/** What a run has done. */
export interface CompactionSummary {
  readonly compacted: number;
  readonly failed: number;
}

const collectionsAtOnce = 500;

/**
 * Folds the logs that writers have found long, as far as there is time; what is left is found by the next run.
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
      // Nothing is lost: the log stays as it is, and the next run finds it again.
      failed++;
    }
  }
  return { compacted, failed };
}

/** @returns false when it is to be tried again later @throws Unavailable */
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
  const { fresh, content } = relationParts(scope, new Map(models), state.base);
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
  const { fresh, content } = menuParts(scope, index, state.base);
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
  const rows = await list.rows();
  const { fresh, content } = entryListParts(scope, rows, list.state.base);
  return {
    ...whatIsLogged(list.state),
    next: { fresh, content, fields: { total: rows.length } },
    partsBefore: entryListPartIds(list.state.base.stored),
    partsAfter: entryListPartIds(content),
  };
}

interface LoggedState extends Pick<CompactedState, 'head' | 'applied'> {
  readonly base: { readonly consumed: ReadonlySet<string>; readonly stored: { readonly former: readonly string[] } };
}

const whatIsLogged = ({ head, base, applied }: LoggedState) => ({
  head,
  applied,
  consumed: base.consumed,
  former: base.stored.former,
});
