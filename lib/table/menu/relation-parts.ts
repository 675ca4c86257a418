import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { RelationRow } from '#lib/domain/cms/product-relation.ts';
import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { chunkRows, type PartItem } from '../collection/chunk-rows.ts';
import {
  type ProductRelations,
  type RelationBase,
  type RelationsOfModel,
  relationScope,
  type StoredRelations,
} from './product-relations.ts';

/** The rows of every database, changes included, by entry id. */
export function currentRows({ base: { models }, changed }: ProductRelations): Map<string, Map<string, RelationRow>> {
  const rows = new Map(Object.entries(models).map(([modelId, { rows: own }]) => [modelId, new Map(own)]));
  for (const [address, row] of changed) {
    const [modelId = '', id = ''] = address.split(' ');
    if (row) rows.get(modelId)?.set(id, row);
    else rows.get(modelId)?.delete(id);
  }
  return rows;
}

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
