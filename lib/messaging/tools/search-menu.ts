import * as z from 'zod/mini';
import type { Hit } from '#lib/ai/retrieval/text-index.ts';
import type { Found, MenuHit } from '#lib/ai/tool-answers.ts';
import type { MenuProduct } from '#lib/domain/menu/menu-product.ts';
import type { ProductRow } from '#lib/domain/menu/menu-row.ts';
import { foldText } from '#lib/domain/text/folded-text.ts';
import { lookupsOf } from '#lib/menu/menu-lookups.ts';
import { type MenuKnowledge, readMenuKnowledge } from '../knowledge/menu-knowledge.ts';
import { closeHits } from './close-hits.ts';
import { productAnswer, productSource } from './product-answer.ts';
import { defineTool } from './tool.ts';
import { name, query } from './tool-inputs.ts';

const foundMax = 5;
const listedMax = 10;

const Input = z.object({
  query: query('Words to look for, such as the name of a dish or an ingredient, in any language of the business.'),
  category: name('Only products of this category: its id, slug or name.'),
  minPrice: z.optional(z.number().check(z.describe('Only products with a price from this on.'))),
  maxPrice: z.optional(z.number().check(z.describe('Only products with a price up to this.'))),
  sort: z.optional(
    z.enum(['cheapest', 'dearest']).check(z.describe('Which products come first, by their lowest price.')),
  ),
  soldOut: z.optional(z.boolean().check(z.describe('Only products that are sold out, or only those that are not.'))),
  diet: name('Only products labelled so, such as VEGETARIAN, VEGAN, GLUTEN_FREE, NUT_FREE or HALAL.'),
});
type Input = z.output<typeof Input>;

export const searchMenu = defineTool({
  name: 'search_menu',
  description:
    'Finds products of the menu, with prices, whether they are sold out, and preparation times. ' +
    'Without a query it lists what the other arguments leave; total says how many there are.',
  input: Input,
  run: (input, { table, scope, ...reader }) =>
    readMenuKnowledge(table, scope, async (knowledge, menu) => {
      const hits = hitsOf(knowledge, input);
      const { categories } = lookupsOf(knowledge.index);
      const shown = hits.slice(0, input.query === '' ? listedMax : foundMax);
      const products = await Promise.all(
        shown.map(async ({ document }) => ({
          ...(await menu.record<MenuProduct>('menuProduct', document)),
          soldout: document.soldout,
        })),
      );
      const results = products.map(
        (product, index): MenuHit => ({
          ...productAnswer(product, categories.get(product.categoryId), reader),
          match: shown[index]?.match ?? 0,
          named: shown[index]?.named ?? false,
        }),
      );
      const answer: Found<MenuHit> = { results, total: hits.length };
      return { answer, sources: products.map(productSource) };
    }),
});

/** If nothing matches the query, the result is that of the filters alone, if there are any. */
function hitsOf(knowledge: MenuKnowledge, input: Input): readonly Hit<ProductRow>[] {
  const fits = filterOf(knowledge, input);
  const found = closeHits(knowledge.products.search(input.query).filter(({ document }) => fits(document)));
  const filters = [input.category, input.minPrice, input.maxPrice, input.diet, input.soldOut];
  const isFiltered = filters.some((filter) => filter !== undefined);
  if (found.length > 0 || (input.query !== '' && !isFiltered)) return sorted(found, input);
  const all = [...lookupsOf(knowledge.index).published.values()].flat();
  const hits = all.filter(fits).map((document) => ({ document, match: 0, named: false }));
  return sorted(hits, input);
}

const lowestPrice = ({ priceOptions }: ProductRow): number => Math.min(...priceOptions.map(({ price }) => price));

/** Products with a price, by their lowest price. */
function sorted(hits: readonly Hit<ProductRow>[], { sort }: Input): readonly Hit<ProductRow>[] {
  if (sort === undefined) return hits;
  const direction = sort === 'cheapest' ? 1 : -1;
  return hits
    .filter(({ document }) => document.priceOptions.length > 0)
    .toSorted((a, b) => direction * (lowestPrice(a.document) - lowestPrice(b.document)));
}

function filterOf(
  knowledge: MenuKnowledge,
  { category, minPrice = 0, maxPrice, diet, soldOut }: Input,
): (row: ProductRow) => boolean {
  const categoryIds = category === undefined ? undefined : categoryIdsOf(knowledge, category);
  return (row) =>
    (categoryIds === undefined || categoryIds.has(row.categoryId)) &&
    (soldOut === undefined || row.soldout === soldOut) &&
    ((minPrice === 0 && maxPrice === undefined) ||
      row.priceOptions.some(({ price }) => price >= minPrice && price <= (maxPrice ?? Infinity))) &&
    (diet === undefined || fitsDiet(knowledge.dietary.get(row.id) ?? [], diet));
}

function categoryIdsOf({ index }: MenuKnowledge, category: string): ReadonlySet<string> {
  const folded = foldText(category).trim();
  const named = index.categories.filter(
    ({ id, slug, folded: names }) => id === category || slug === category.normalize() || names.includes(folded),
  );
  return new Set(named.map(({ id }) => id));
}

/** A label such as "Gluten free" or GLUTEN_FREE in one spelling. */
const dietName = (label: string): string =>
  label
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_');

/** Whether the labels of a product fit a diet. Vegan products are vegetarian, too. */
function fitsDiet(labels: readonly string[], diet: string): boolean {
  const names = labels.map(dietName);
  const requiredDiet = dietName(diet);
  return names.includes(requiredDiet) || (requiredDiet === 'VEGETARIAN' && names.includes('VEGAN'));
}
