import type { CollectionScope } from '../collection/head.ts';
import { chunkRows, type PartItem, type StoreParts } from '../collection/parts.ts';
import type { EntryListBase, StoredList } from './entry-list.ts';
import { publishedCount, type Row, sortKeyOf } from './entry-row.ts';

/**
 * The rows for the next base.
 * @param store stores the parts; without it they are returned
 * @returns the parts that are not stored yet, and the content of the directory
 */
export async function entryListParts(
  scope: CollectionScope,
  rows: readonly Row[],
  before: EntryListBase | undefined,
  store?: StoreParts,
): Promise<{ readonly unstored: readonly PartItem[]; readonly content: Pick<StoredList, 'chunks' | 'published'> }> {
  const positioned = rows.values().map((row) => ({ position: sortKeyOf(row), row }));
  const { directory, unstored } = await chunkRows(scope, positioned, before?.stored.chunks ?? [], store);
  let end = 0;
  const published = directory.map(([, count]) => {
    end += count;
    return publishedCount(rows.slice(end - count, end));
  });
  return { unstored, content: { chunks: directory, published } };
}

export const entryListPartIds = ({ chunks }: Pick<StoredList, 'chunks'>): string[] => chunks.map(([partId]) => partId);
