import { compareCodePoints } from '#lib/domain/code-points.ts';
import type { RelationRow } from '#lib/domain/product-relation.ts';
import type { ProductRelations } from '#lib/table/product-relations.ts';

export interface RelatedEntry {
  readonly modelId: string;
  readonly row: RelationRow;
}

export interface RelatedEntries {
  readonly modelId: string;
  /** Published ones, newest first. */
  readonly entries: readonly RelatedEntry[];
}

const known = new WeakMap<ProductRelations, ReadonlyMap<string, readonly RelatedEntries[]>>();

/** The entries that relate to a product, by database; made once for each version of the relations. */
export function relatedEntriesOf(relations: ProductRelations, productId: string): readonly RelatedEntries[] {
  const byProduct = known.get(relations) ?? indexByProduct(relations);
  known.set(relations, byProduct);
  return byProduct.get(productId) ?? [];
}

function indexByProduct({ rows }: ProductRelations): ReadonlyMap<string, readonly RelatedEntries[]> {
  const byProduct = new Map<string, { modelId: string; entries: RelatedEntry[] }[]>();
  for (const modelId of [...rows.keys()].sort(compareCodePoints)) {
    for (const row of newestFirst(rows.get(modelId)?.values() ?? [])) {
      for (const productId of row.productIds) listOf(byProduct, productId, modelId).push({ modelId, row });
    }
  }
  return byProduct;
}

function newestFirst(rows: Iterable<RelationRow>): RelationRow[] {
  const position = ({ createdAt, id }: RelationRow): string => `${createdAt}#${id}`;
  return [...rows].filter(({ published }) => published).sort((a, b) => compareCodePoints(position(b), position(a)));
}

function listOf(
  byProduct: Map<string, { modelId: string; entries: RelatedEntry[] }[]>,
  productId: string,
  modelId: string,
) {
  const lists = byProduct.get(productId) ?? [];
  byProduct.set(productId, lists);
  const last = lists.at(-1);
  if (last?.modelId === modelId) return last.entries;
  const entries: RelatedEntry[] = [];
  lists.push({ modelId, entries });
  return entries;
}
