/** The paths of the texts of a category. */
export const categoryTexts = ['name', 'description', 'thumbnail.alt', 'smallThumbnail.alt', 'showcase.alt'] as const;

/** The same of a product. */
export const productTexts = [
  'name',
  'intro',
  'description',
  'thumbnail.alt',
  'images[].alt',
  'priceOptions[].name',
  'optionSets[].name',
  'optionSets[].options[].name',
] as const;

/** Those of both in answers, where a product has its category and suggestions. */
export const shownTexts = [...new Set([...categoryTexts, ...productTexts, 'category.name', 'suggestions[].name'])];
