import type { menuTexts } from './texts.ts';

type Texts = (typeof menuTexts)['ar'];

/** The name of the field at a path, with its language or its position in a list. */
export function labelOf(t: Texts): (path: string) => string {
  const names: Readonly<Record<string, string>> = {
    name: t.name,
    slug: t.slug,
    intro: t.intro,
    description: t.description,
    barcode: t.barcode,
    categoryId: t.category,
    published: t.published,
    publishAt: t.publishAt,
    unpublishAt: t.unpublishAt,
    soldout: t.soldout,
    soldoutUntil: t.soldoutUntil,
    priceOptions: t.prices,
    price: t.price,
    optionSets: t.optionSets,
    options: t.options,
    images: t.images,
    thumbnail: t.thumbnail,
    smallThumbnail: t.smallThumbnail,
    showcase: t.showcase,
    position: t.position,
    preparationTime: t.preparationTime,
    min: t.min,
    max: t.max,
    maxQuantity: t.maxQuantity,
    nutritionFacts: t.nutrition,
    servingSize: t.servingSize,
    calories: t.calories,
    protein: t.protein,
    carbohydrates: t.carbohydrates,
    fat: t.fat,
    sugar: t.sugar,
    sodium: t.sodium,
    allergens: t.allergens,
    dietary: t.dietary,
    suggestions: t.suggestions,
  };
  return (path) =>
    path
      .split('.')
      .map((step) => names[step] ?? (/^\d+$/.test(step) ? String(Number(step) + 1) : step))
      .join(' › ');
}
