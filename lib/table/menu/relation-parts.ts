import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { storeChunks } from '../collection/chunk-rows.ts';
import type { Table } from '../table.ts';
import { type RelationBase, type RelationsOfModel, relationScope, type StoredRelations } from './relation-base.ts';

/** Stores the rows for the next base. @returns the content of its directory */
export async function storeRelations(
  table: Table,
  scope: WorkspaceScope,
  models: ReadonlyMap<string, RelationsOfModel>,
  before: RelationBase | undefined,
): Promise<Pick<StoredRelations, 'models'>> {
  const content: [string, StoredRelations['models'][string]][] = [];
  for (const [modelId, { fields, rows }] of models) {
    const positioned = [...rows.values()]
      .map((row) => ({ position: `${row.createdAt}#${row.id}`, row }))
      .sort((a, b) => compareCodePoints(a.position, b.position));
    const chunks = await storeChunks(table, relationScope(scope), positioned, before?.stored.models[modelId]?.chunks);
    content.push([modelId, { fields, chunks }]);
  }
  return { models: Object.fromEntries(content) };
}
