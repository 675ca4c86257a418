import type { Source } from '#lib/ai/citation.ts';
import type { NutritionAnswer, ProductAnswer, ProductDetails } from '#lib/ai/tool-answers.ts';
import type { MenuProduct } from '#lib/domain/menu/menu-product.ts';
import type { CategoryRow, ProductRow } from '#lib/domain/menu/menu-row.ts';
import { shortened, withoutMarkup } from '../knowledge/plain-text.ts';
import type { ToolContext } from './tool.ts';

const introCharactersMax = 300;
const descriptionCharactersMax = 800;
const optionSetsMax = 6;
const optionsMax = 12;
const suggestionsMax = 6;
const labelsMax = 20;
const pricesMax = 12;

type Reader = Pick<ToolContext, 'languages' | 'currency'>;

/** A product in an answer that lists products. */
export function productAnswer(
  product: MenuProduct,
  category: CategoryRow | undefined,
  { languages, currency }: Reader,
): ProductAnswer {
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
export function productDetails(
  product: MenuProduct,
  category: CategoryRow | undefined,
  suggestions: readonly ProductRow[],
  reader: Reader,
): ProductDetails {
  const { languages } = reader;
  const { dietary, allergens, ...nutrition } = product.nutritionFacts ?? {};
  return {
    ...productAnswer(product, category, reader),
    description: shortened(withoutMarkup(languages.text(product.description)), descriptionCharactersMax) || undefined,
    nutrition: product.nutritionFacts ? (nutrition as NutritionAnswer) : undefined,
    allergens: allergens?.slice(0, labelsMax),
    options: product.optionSets.slice(0, optionSetsMax).map((set) => ({
      name: languages.name(set.name),
      choices: set.options
        .slice(0, optionsMax)
        .map(({ name, price, soldout }) => ({ name: languages.name(name), price, soldOut: soldout || undefined })),
    })),
    suggestions: suggestions.slice(0, suggestionsMax).map(({ name }) => languages.name(name)),
  };
}

export const productSource = ({ id, name }: Pick<MenuProduct, 'id' | 'name'>): Source => ({
  citation: { kind: 'product', id },
  names: Object.values(name),
});
