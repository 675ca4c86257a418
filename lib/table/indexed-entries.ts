import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { IndexMoved, readDirectory, readHead, readRows } from './collection-index.ts';
import { cmsCollection, keys } from './keys.ts';
import type { StoredEntry } from './stored-entry.ts';
import type { Table } from './table.ts';

/** The versions of the indexes of several databases, as one text, and how many entries each has. */
export async function indexVersions(table: Table, { workspaceId }: WorkspaceScope, modelIds: readonly string[]) {
  const heads = await Promise.all(
    modelIds.map((modelId) => readHead(table, { workspaceId, collection: cmsCollection(modelId) })),
  );
  return {
    versions: modelIds.map((modelId, index) => `${modelId} ${heads[index]?.version}`).join(),
    totals: heads.map((head) => head?.total ?? 0),
  };
}

/**
 * The newest entries of a database, newest first, a page in memory at a time: those that its index names, and nothing
 * of a half-done import. Nothing is remembered by the table. Access patterns X1, C2.
 * @throws IndexMoved
 */
export async function* indexedEntries(
  table: Table,
  { workspaceId }: WorkspaceScope,
  modelId: string,
  most: number,
): AsyncGenerator<StoredEntry> {
  const scope = { workspaceId, collection: cmsCollection(modelId) };
  const head = await readHead(table, scope);
  if (!head || head.total === 0) return;
  const directory = await readDirectory(table, scope, head);
  const rows = await readRows(table, scope, directory, Math.max(0, head.total - most), head.total);
  const wanted = new Set(rows);
  const range = { pk: keys.cmsEntries(workspaceId, modelId), from: rows[0], to: rows.at(-1), descending: true };
  for await (const item of table.query(range)) if (wanted.delete(item.sk)) yield item as StoredEntry;
  if (wanted.size > 0) throw new IndexMoved();
}
