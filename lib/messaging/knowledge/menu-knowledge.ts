import { type IndexedText, TextIndex } from '#lib/ai/retrieval/text-index.ts';
import type { MenuProduct } from '#lib/domain/menu/menu-records.ts';
import type { CategoryRow, ProductRow } from '#lib/domain/menu/menu-row.ts';
import { productTexts } from '#lib/domain/menu/menu-texts.ts';
import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { inLocale } from '#lib/domain/text/locale.ts';
import type { Localized } from '#lib/domain/text/localized.ts';
import { keys } from '#lib/table/keys.ts';
import { VersionedCache } from '#lib/table/memory/versioned.ts';
import { ListedRecords } from '#lib/table/menu/listed-records.ts';
import { type MenuIndex, readMenu } from '#lib/table/menu/menu-index.ts';
import { recordOf, type Table, type WorkspaceScope } from '#lib/table/table.ts';

/** Search in the published products of one version of a menu. */
export interface MenuKnowledge {
  readonly index: MenuIndex;
  readonly products: TextIndex<ProductRow>;
  readonly categories: TextIndex<CategoryRow>;
  /** Labels of products, by id. */
  readonly dietary: ReadonlyMap<string, readonly string[]>;
}

/** Beyond this number, only the names of products are indexed (lib/spec/decisions.md section 7). */
const productsReadMax = 5_000;
const indexedCharactersMax = 4_000;
const cache = new VersionedCache<MenuKnowledge>();

/** Runs a read on the knowledge of one version of the menu, which is made once per container. @throws Unavailable */
export function readMenuKnowledge<Result>(
  table: Table,
  scope: WorkspaceScope,
  reading: (knowledge: MenuKnowledge, menu: ListedRecords) => Promise<Result>,
): Promise<Result> {
  const menu = new ListedRecords(table, scope);
  return readMenu(table, scope, async (index) => {
    const knowledge = await cache.read(scope.workspaceId, index.version, async () => {
      const value = await makeKnowledge(table, scope, index);
      return { value, bytes: value.products.weight + value.categories.weight };
    });
    return reading(knowledge, menu);
  });
}

async function makeKnowledge(table: Table, scope: WorkspaceScope, index: MenuIndex): Promise<MenuKnowledge> {
  const categories = new TextIndex<CategoryRow>();
  for (const row of index.categories) categories.add(row, { name: Object.values(row.name), texts: [row.slug] });
  const products = new TextIndex<ProductRow>();
  const dietary = new Map<string, readonly string[]>();
  const categoryNames = new Map(index.categories.map(({ id, name }) => [id, Object.values(name)]));
  const published = index.products.filter((row) => row.published).sort((a, b) => compareCodePoints(a.id, b.id));
  const read = published.slice(0, productsReadMax);
  for await (const [row, product] of productsOf(table, scope, read)) {
    const shown = inLocale(product, productTexts, index) as MenuProduct;
    products.add(row, { name: Object.values(row.name), ...textsOf(shown, categoryNames.get(row.categoryId) ?? []) });
    const labels = product.nutritionFacts?.dietary ?? [];
    if (labels.length > 0) dietary.set(row.id, labels);
  }
  for (const row of published.slice(productsReadMax)) products.add(row, { name: Object.values(row.name) });
  return { index, products, categories, dietary };
}

/**
 * Products in the versions of their rows. It reads one range, which costs a fraction of single reads. The request's
 * cache does not keep them. Access pattern W2.
 * @param rows by id
 * @throws StaleRead
 */
async function* productsOf(
  table: Table,
  scope: WorkspaceScope,
  rows: readonly ProductRow[],
): AsyncGenerator<readonly [ProductRow, MenuProduct]> {
  const [from, to] = [rows[0]?.id, rows.at(-1)?.id];
  if (from === undefined || to === undefined) return;
  const remaining = new Map(rows.map((row) => [row.id, row]));
  for await (const item of table.query({ pk: keys.records(scope.workspaceId, 'menuProduct'), from, to })) {
    const row = remaining.get(item.sk);
    if (!row || item['hash'] !== row.hash) continue;
    remaining.delete(item.sk);
    yield [row, recordOf<MenuProduct>(item)];
  }
  // While an import moves records to their keys, some are still stored under the temporary ones.
  const menu = new ListedRecords(table, scope);
  for (const row of remaining.values()) yield [row, await menu.record<MenuProduct>('menuProduct', row)];
}

/** The names of prices and options do not describe the product itself. */
function textsOf(product: MenuProduct, categoryNames: readonly string[]): Omit<IndexedText, 'name'> {
  const { intro, description, priceOptions, optionSets, nutritionFacts } = product;
  const inAllLanguages = (texts: readonly (Localized | null | undefined)[]): string[] =>
    texts.flatMap((text) => Object.values(text ?? {})).map((text) => text.slice(0, indexedCharactersMax));
  const labels = (nutritionFacts?.dietary ?? []).map((label) => label.replaceAll('_', ' '));
  return {
    texts: [...categoryNames, ...inAllLanguages([intro, description]), ...labels],
    minor: inAllLanguages(
      [...priceOptions, ...optionSets.flatMap((set) => [set, ...set.options])].map(({ name }) => name),
    ),
  };
}
