/** The parameters common to both menu lists. */
export const menuListTexts = (item: 'product' | 'category') =>
  ({
    search: `Words that all have to occur in the name of the ${item}, in some language; case, accents and Arabic spelling variants do not matter.`,
    slug: `Only the ${item} with exactly this slug.`,
    ids: 'Only those with these ids.',
    sortBy: "What to sort by; `name` is that in the workspace's default language.",
    sortOrder: 'Which way to sort.',
    page: 'Which page to list.',
    limit: 'How many items a page has at most.',
  }) as const;
