import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { StaleRead } from '../collection/stale-read.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import { readEntryList } from './entry-list.ts';
import { sortKeyOf } from './entry-row.ts';
import { findEntryAt } from './find-entry.ts';
import type { StoredEntry } from './stored-entry.ts';

/** The tags of the lists of several databases, as one text, and the number of entries of each. */
export async function indexVersions(table: Table, workspace: WorkspaceScope, modelIds: readonly string[]) {
  const lists = await Promise.all(modelIds.map((modelId) => readEntryList(table, workspace, modelId)));
  return {
    versions: modelIds.map((modelId, index) => `${modelId} ${lists[index]?.state?.tag}`).join(),
    totals: lists.map(({ total }) => total),
  };
}

/**
 * The entries of a database, newest first, one page in memory at a time. It leaves out entries of an unfinished import.
 * The request's cache does not keep them. Access patterns X1, C2.
 * @throws StaleRead
 */
export async function* indexedEntries(
  table: Table,
  { workspaceId }: WorkspaceScope,
  modelId: string,
  most: number,
): AsyncGenerator<StoredEntry> {
  const list = await readEntryList(table, { workspaceId }, modelId);
  const rows = (await list.rows(Math.max(0, list.total - most))).map(sortKeyOf);
  if (rows.length === 0) return;
  const remaining = new Set(rows);
  const range = {
    pk: keys.cmsEntries(workspaceId, modelId),
    from: rows[0] ?? '',
    to: rows.at(-1) ?? '',
    descending: true,
  };
  for await (const item of table.query(range)) {
    if (!remaining.delete(item.sk)) continue;
    const { movedTo, id } = item as StoredEntry;
    const moved = movedTo === undefined ? item : await findEntryAt(table, workspaceId, modelId, movedTo, id);
    yield (moved ?? item) as StoredEntry;
  }
  if (remaining.size > 0) throw new StaleRead();
}
