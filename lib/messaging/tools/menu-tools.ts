import * as z from 'zod/mini';
import type { Source } from '#lib/ai/citation.ts';
import { closeHits, type Hit } from '#lib/ai/retrieval/text-index.ts';
import type { CategoryAnswer, Found, MenuHit, ProductDetails } from '#lib/ai/tool-answers.ts';
import type { MenuCategory, MenuProduct } from '#lib/domain/menu/menu-records.ts';
import type { CategoryRow, ProductRow } from '#lib/domain/menu/menu-row.ts';
import { categoryTexts, productTexts } from '#lib/domain/menu/menu-texts.ts';
import { foldText } from '#lib/domain/text/folded-text.ts';
import { inLocale } from '#lib/domain/text/locale.ts';
import { normalized } from '#lib/domain/text/normal-form.ts';
import { lookupsOf } from '#lib/menu/menu-lookups.ts';
import { ListedRecords } from '#lib/table/menu/listed-records.ts';
import { type MenuIndex, readMenu } from '#lib/table/menu/menu-index.ts';
import { type MenuKnowledge, readMenuKnowledge } from '../knowledge/menu-knowledge.ts';
import { shortened, withoutMarkup } from '../knowledge/plain-text.ts';
import { defineTool, name, query, type ToolContext } from './tool.ts';

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
          ...(await shownProduct(menu, knowledge.index, document)),
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
    ({ id, slug, folded: names }) => id === category || slug === normalized(category) || names.includes(folded),
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

export const getProduct = defineTool({
  name: 'get_product',
  description: 'Tells everything about one product: description, prices, options, nutrition facts, allergens.',
  input: z.object({ id: z.string().check(z.maxLength(200), z.describe('The id or slug of the product.')) }),
  run: ({ id }, { table, scope, ...reader }) => {
    const menu = new ListedRecords(table, scope);
    return readMenu(table, scope, async (index) => {
      const { products, categories } = lookupsOf(index);
      const row = products.get(id) ?? index.products.find(({ slug }) => slug === normalized(id));
      if (!row?.published) return { answer: { error: 'There is no such product.' }, sources: [] };
      const product = { ...(await shownProduct(menu, index, row)), soldout: row.soldout };
      const suggestions = product.suggestions.flatMap((suggested) => products.get(suggested) ?? []);
      const shown = suggestions.filter(({ published }) => published);
      const category = categories.get(product.categoryId);
      return { answer: productDetails(product, category, shown, reader), sources: [productSource(product)] };
    });
  },
});

const categoriesMax = 40;
const categoryCharactersMax = 200;

export const listCategories = defineTool({
  name: 'list_categories',
  description: 'Lists the categories of the menu with the number of their products; those that match a query first.',
  input: z.object({ query: query('Words that the name of a category may have.') }),
  run: (input, { table, scope, languages }) =>
    readMenuKnowledge(table, scope, async (knowledge, menu) => {
      const { published } = lookupsOf(knowledge.index);
      const hits = new Map(knowledge.categories.search(input.query).map((hit) => [hit.document, hit]));
      const matchOf = (row: CategoryRow): number => hits.get(row)?.match ?? 0;
      const rows = knowledge.index.categories
        .filter(({ id }) => published.has(id))
        .sort((a, b) => matchOf(b) - matchOf(a) || (a.createdAt < b.createdAt ? -1 : 1));
      const shown = rows.slice(0, categoriesMax);
      const categories = await Promise.all(shown.map((row) => shownCategory(menu, knowledge.index, row)));
      const results = categories.map(({ id, name, description }, index) => ({
        id,
        name: languages.name(name),
        description: shortened(withoutMarkup(languages.text(description)), categoryCharactersMax) || undefined,
        productsCount: published.get(id)?.length ?? 0,
        match: matchOf(shown[index] as CategoryRow),
        named: hits.get(shown[index] as CategoryRow)?.named ?? false,
      }));
      const answer: Found<CategoryAnswer> = { results, total: rows.length };
      const sources = categories.map(({ id, name }) => ({
        citation: { kind: 'category' as const, id },
        names: Object.values(name),
      }));
      return { answer, sources };
    }),
});

const introCharactersMax = 300;
const descriptionCharactersMax = 800;
const optionSetsMax = 6;
const optionsMax = 12;
const suggestionsMax = 6;
const labelsMax = 20;
const pricesMax = 12;

/** A product, and a category, with texts in the languages that the workspace has. */
const shownProduct = async (menu: ListedRecords, index: MenuIndex, row: ProductRow): Promise<MenuProduct> =>
  inLocale(await menu.record<MenuProduct>('menuProduct', row), productTexts, index) as MenuProduct;

const shownCategory = async (menu: ListedRecords, index: MenuIndex, row: CategoryRow): Promise<MenuCategory> =>
  inLocale(await menu.record<MenuCategory>('menuCategory', row), categoryTexts, index) as MenuCategory;

type Reader = Pick<ToolContext, 'languages' | 'currency'>;

/** A product in an answer that lists products. */
function productAnswer(product: MenuProduct, category: CategoryRow | undefined, { languages, currency }: Reader) {
  const text = (value: MenuProduct['intro']) => shortened(withoutMarkup(languages.text(value)), introCharactersMax);
  return {
    id: product.id,
    name: languages.name(product.name),
    category: category ? languages.name(category.name) : null,
    intro: text(product.intro ?? product.description) || undefined,
    prices: product.priceOptions.slice(0, pricesMax).map(({ price, name }) => ({
      price,
      name: (name && languages.name(name)) || undefined,
    })),
    currency,
    soldOut: product.soldout,
    preparationMinutes: product.preparationTime ?? undefined,
    dietary: product.nutritionFacts?.dietary.slice(0, labelsMax),
  };
}

/** Further members of the answer about one product. */
function productDetails(
  product: MenuProduct,
  category: CategoryRow | undefined,
  suggestions: readonly ProductRow[],
  reader: Reader,
) {
  const { languages } = reader;
  const { dietary, allergens, ...nutrition } = product.nutritionFacts ?? {};
  const details = {
    ...productAnswer(product, category, reader),
    description: shortened(withoutMarkup(languages.text(product.description)), descriptionCharactersMax) || undefined,
    nutrition: product.nutritionFacts ? nutrition : undefined,
    allergens: allergens?.slice(0, labelsMax),
    options: product.optionSets.slice(0, optionSetsMax).map((set) => ({
      name: languages.name(set.name),
      choices: set.options
        .slice(0, optionsMax)
        .map(({ name, price, soldout }) => ({ name: languages.name(name), price, soldOut: soldout || undefined })),
    })),
    suggestions: suggestions.slice(0, suggestionsMax).map(({ name }) => languages.name(name)),
  };
  return details satisfies ProductDetails;
}

const productSource = ({ id, name }: Pick<MenuProduct, 'id' | 'name'>): Source => ({
  citation: { kind: 'product', id },
  names: Object.values(name),
});
