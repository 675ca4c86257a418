import type { FieldList } from '#lib/domain/field-list.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { BoundedCache } from '#lib/table/bounded-cache.ts';
import { RelatedEntries } from '#lib/table/related-entries.ts';
import type { EntryAddress } from '#lib/table/stored-entry.ts';
import type { Table } from '#lib/table/table.ts';
import { fieldListText } from './selection-cache.ts';

/** What tells one list of entries from another. */
export interface ListAddress {
  readonly scope: WorkspaceScope;
  readonly modelId: string;
  readonly query: {
    readonly fields?: FieldList | undefined;
    readonly includeHidden: boolean;
    readonly maxDepth?: number | undefined;
    readonly limit: number;
    readonly offset: number;
  };
}

/** So many entries are read on a guess at most: a few more units when it is wrong, levels of round trips when it is right. */
const guessedMax = 300;
const guesses = new BoundedCache<readonly EntryAddress[]>(200_000);

/** Keeps which entries a list related to, on all levels; those of the list itself are read with it anyway. */
export function rememberRelated(
  address: ListAddress,
  list: readonly EntryAddress[],
  related: readonly EntryAddress[],
): void {
  const listed = new Set(list.map(({ id }) => id));
  const entries = related.filter(({ modelId, id }) => modelId !== address.modelId || !listed.has(id));
  if (entries.length > 0 && entries.length <= guessedMax) guesses.set(textOf(address), entries, entries.length);
}

/** Starts the reads of what a list related to last time, beside its first read and not level after level. */
export function prefetchRelated(table: Table, address: ListAddress): void {
  const guess = guesses.get(textOf(address));
  if (guess) new RelatedEntries(table, address.scope).prefetch(guess);
}

function textOf({ scope, modelId, query }: ListAddress): string {
  const { fields, includeHidden, maxDepth, limit, offset } = query;
  return JSON.stringify([
    ...[scope.workspaceId, modelId, includeHidden, maxDepth, limit, offset],
    fields && fieldListText(fields),
  ]);
}
