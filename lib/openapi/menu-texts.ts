import { localeTexts } from './locale-texts.ts';

/** The parameters common to both menu lists. */
export const menuListTexts = (item: 'product' | 'category') =>
  ({
    search: `Words that all have to occur in the name of the ${item}, in some language; case, accents and Arabic spelling variants do not matter.`,
    slug: `Only the ${item} with exactly this slug.`,
    ids: 'Only those with these ids.',
    sortBy:
      "What to sort by; `name` is that in the workspace's default language, `position` the order of the menu, in which products follow their categories and those without a position come last.",
    sortOrder: 'Which way to sort; without it `asc` by `position`, else `desc`.',
    page: 'Which page to list.',
    limit: 'How many items a page has at most.',
    ...localeTexts,
  }) as const;
