import type { CollectionScope } from '../collection/head.ts';
import { type Directory, readPart } from '../collection/parts.ts';
import { cmsCollection, keys } from '../keys.ts';
import type { Table } from '../table.ts';
import { type Row, rowOf } from './entry-row.ts';

/**
 * The rows of a list stored by an earlier version. They lack `published`, so the entries are read. A container does
 * this once for each such list, until an import or a compaction rewrites the list.
 * @throws IndexMoved
 */
export async function publishedRows(
  table: Table,
  scope: CollectionScope,
  chunks: Directory,
): Promise<readonly (readonly Row[])[]> {
  const modelId = scope.collection.slice(cmsCollection('').length);
  const drafts = new Set<string>();
  const entries = { pk: keys.cmsEntries(scope.workspaceId, modelId), only: ['pk', 'sk', 'published'] };
  for await (const { sk, published } of table.query(entries)) if (published !== true) drafts.add(sk);
  const parts = await Promise.all(chunks.map(([partId]) => readPart<readonly string[]>(table, scope, partId)));
  return parts.map((keysOfPart) => keysOfPart.map((sk) => rowOf({ sk, published: !drafts.has(sk) })));
}
