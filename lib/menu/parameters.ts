import * as z from 'zod/mini';
import { normalized } from '#lib/domain/text/normal-form.ts';
import { parameterRules, type ValuesOf } from '#lib/http/query.ts';
import { commaList, flag, listItems, listRule, wholeNumber } from '#lib/http/query-parameters.ts';

/** The maximum number of ids in a request (lib/spec/decisions.md section 4). */
const idsMax = 100;

export const idList = () =>
  z.optional(
    listItems
      .check(
        z.refine((ids) => (ids?.size ?? 0) <= idsMax, {
          error: `Must be at most ${idsMax} ids.`,
          params: { code: 'max_items' },
        }),
      )
      .register(parameterRules, listRule(idsMax)),
  );

/** A slug in the form in which slugs are stored (lib/spec/additions.md section 9). */
export const slugText = () => z.optional(z.string().check(z.overwrite((text) => normalized(text))));

const priceRule = 'Must be a price such as 48 or 48.5, in plain digits.';

/** Plain decimal digits, also with a fraction, at most 15 of them (lib/spec/decisions.md section 1). */
const price = () =>
  z.optional(
    z
      .pipe(
        z.string().check(
          z.regex(/^(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?$/, { error: priceRule, abort: true }),
          z.refine((text) => text.replace('.', '').length <= 15, priceRule),
        ),
        z.transform((text) => Number(text)),
      )
      .register(parameterRules, {
        schema: { type: 'number', minimum: 0, maximum: 999_999_999_999_999 },
        rule: priceRule,
      }),
  );

/** A blank string is treated as absent. */
export const searchText = () =>
  z.optional(
    z
      .pipe(
        z.string(),
        z.transform((text) => (text.trim() === '' ? undefined : text)),
      )
      .register(parameterRules, { rule: 'Blank text counts as absent.' }),
  );

/** The filters of the product list: AND between them, OR inside a list (lib/spec/decisions.md section 4). */
export const productFilters = {
  search: searchText(),
  q: searchText(),
  categoryId: z.optional(z.string()),
  categorySlug: slugText(),
  categorySlugs: commaList(),
  published: z._default(z.optional(flag()), true),
  soldout: z.optional(flag()),
  minPrice: price(),
  maxPrice: price(),
  slug: slugText(),
  ids: idList(),
};
export type ProductFilter = ValuesOf<typeof productFilters>;

const sortKeys = ['name', 'createdAt', 'updatedAt', 'slug', 'position'] as const;
export type SortKey = (typeof sortKeys)[number];
export type SortOrder = 'asc' | 'desc';

/** The sorting and paging of both menu lists (lib/spec/interface.md sections 4.3 and 4.4). */
export const pageParameters = {
  sortBy: z._default(
    z.optional(z.enum(sortKeys, 'Must be name, createdAt, updatedAt, slug or position.')),
    'createdAt',
  ),
  sortOrder: z.optional(z.enum(['asc', 'desc'], 'Must be asc or desc.')),
  page: z._default(z.optional(wholeNumber({ min: 1 })), 1),
  limit: z._default(z.optional(wholeNumber({ min: 1, max: 100 })), 20),
};

/**
 * A list's query with its effective order. The order by position is ascending by default (lib/spec/additions.md section
 * 1).
 */
export const withOrder = <Query extends { readonly sortBy: SortKey; readonly sortOrder?: SortOrder | undefined }>(
  query: Query,
): Query & { readonly sortOrder: SortOrder } => ({
  ...query,
  sortOrder: query.sortOrder ?? (query.sortBy === 'position' ? 'asc' : 'desc'),
});
