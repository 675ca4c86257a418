import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { chunkRows, type PartItem } from '../collection/chunk-rows.ts';
import { type RelationBase, type RelationsOfModel, relationScope, type StoredRelations } from './relation-base.ts';

/** The rows for the next base: the parts that are not stored yet, and the content of the directory. */
export async function relationParts(
  scope: WorkspaceScope,
  models: ReadonlyMap<string, RelationsOfModel>,
  before: RelationBase | undefined,
): Promise<{ readonly unstored: readonly PartItem[]; readonly content: Pick<StoredRelations, 'models'> }> {
  const unstored: PartItem[] = [];
  const content: [string, StoredRelations['models'][string]][] = [];
  for (const [modelId, { fields, rows }] of models) {
    const positioned = [...rows.values()]
      .map((row) => ({ position: `${row.createdAt}#${row.id}`, row }))
      .sort((a, b) => compareCodePoints(a.position, b.position));
    const chunks = await chunkRows(relationScope(scope), positioned, before?.stored.models[modelId]?.chunks ?? []);
    unstored.push(...chunks.unstored);
    content.push([modelId, { fields, chunks: chunks.directory }]);
  }
  return { unstored, content: { models: Object.fromEntries(content) } };
}

/** The parts of a base, without its directory. */
export const relationPartIds = ({ models }: Pick<StoredRelations, 'models'>): string[] =>
  Object.values(models).flatMap(({ chunks }) => chunks.map(([partId]) => partId));
