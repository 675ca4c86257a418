import type { RelationRow } from '#lib/domain/cms/product-relation.ts';
import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { derived } from '#lib/table/memory/derived.ts';
import { modelOf, type ProductRelations, relationAddress } from '#lib/table/menu/product-relations.ts';

export interface RelatedEntry {
  readonly modelId: string;
  readonly row: RelationRow;
}

export interface RelatedEntries {
  readonly modelId: string;
  /** The published entries, newest first. */
  readonly entries: readonly RelatedEntry[];
}

/** The base's rows by product, made once for each base, which many states share. */
const basesByProduct = derived((base: ProductRelations['base']) => {
  const byProduct = new Map<string, RelatedEntries[]>();
  const modelIds = Object.keys(base.models).sort(compareCodePoints);
  for (const modelId of modelIds) {
    for (const row of newestFirst([...(modelOf(base.models, modelId)?.rows.values() ?? [])])) {
      for (const productId of row.productIds) listOf(byProduct, productId, modelId).push({ modelId, row });
    }
  }
  return byProduct;
});

const changesByProduct = derived(({ changed }: ProductRelations) => {
  const byProduct = new Map<string, RelatedEntry[]>();
  for (const [address, row] of changed) {
    const modelId = address.slice(0, address.indexOf(' '));
    for (const productId of row?.published ? row.productIds : []) {
      byProduct.set(productId, [...(byProduct.get(productId) ?? []), { modelId, row: row as RelationRow }]);
    }
  }
  return byProduct;
});

/** The published entries that relate to a product, by database. */
export function relatedEntriesOf(relations: ProductRelations, productId: string): readonly RelatedEntries[] {
  const base = basesByProduct(relations.base).get(productId) ?? [];
  if (relations.changed.size === 0) return base;
  const isCurrent = ({ modelId, row }: RelatedEntry) => !relations.changed.has(relationAddress(modelId, row.id));
  const cached = base.flatMap(({ entries }) => entries).filter(isCurrent);
  const all = [...cached, ...(changesByProduct(relations).get(productId) ?? [])];
  const byModel = [...Map.groupBy(all, ({ modelId }) => modelId)].sort(([a], [b]) => compareCodePoints(a, b));
  return byModel.map(([modelId, entries]) => ({ modelId, entries: entries.sort(byNewest) }));
}

const positionOf = ({ createdAt, id }: RelationRow): string => `${createdAt}#${id}`;

const byNewest = (a: RelatedEntry, b: RelatedEntry): number => compareCodePoints(positionOf(b.row), positionOf(a.row));

const newestFirst = (rows: readonly RelationRow[]): RelationRow[] =>
  rows
    .filter(({ published }) => published)
    .map((row) => ({ row, position: positionOf(row) }))
    .sort((a, b) => compareCodePoints(b.position, a.position))
    .map(({ row }) => row);

function listOf(byProduct: Map<string, RelatedEntries[]>, productId: string, modelId: string): RelatedEntry[] {
  const lists = byProduct.get(productId) ?? [];
  byProduct.set(productId, lists);
  const last = lists.at(-1);
  if (last?.modelId === modelId) return last.entries as RelatedEntry[];
  const entries: RelatedEntry[] = [];
  lists.push({ modelId, entries });
  return entries;
}
