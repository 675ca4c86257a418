/** The parameters common to both menu lists. */
export const menuListTexts = (item: 'product' | 'category') =>
  ({
    search: `Words to search for. All must occur in the name of the ${item}, in some language. Case, accents, tones and Arabic spelling variants are ignored; vowels are not.`,
    slug: `Only the ${item} with exactly this slug.`,
    ids: `Only the ${item === 'product' ? 'products' : 'categories'} with these ids.`,
    sortBy:
      "The sort order. `name` sorts by the name in the workspace's default language. `position` is the order of the menu: products follow their categories, and items without a position are last.",
    sortOrder: 'The direction. By default, `asc` by `position`, else `desc`.',
    page: 'The number of the page.',
  }) as const;
