/** A published product of a category, with nothing but what it needs. */
export const plainProduct = (id: string, more: object = {}) => ({
  id,
  name: { en: id },
  slug: id,
  priceOptions: [],
  categoryId: 'cat_1',
  published: true,
  ...more,
});
