import * as z from 'zod/mini';
import { MenuCategory, MenuProduct, PriceOption } from '#lib/domain/menu/menu-records.ts';
import { Localized } from '#lib/domain/text/localized.ts';

const Named = { id: z.string(), slug: z.string(), name: Localized };

/** A product in an answer (lib/spec/interface.md section 2.2). */
export const ProductView = z.extend(
  z.omit(MenuProduct, {
    categoryId: true,
    suggestions: true,
    publishAt: true,
    unpublishAt: true,
    soldoutUntil: true,
    position: true,
  }),
  {
    suggestions: z.array(z.strictObject(Named)),
    category: z.nullable(z.strictObject(Named)),
    cmsData: z.optional(z.record(z.string(), z.array(z.looseObject({ id: z.string() })))),
  },
);

/** A category in an answer (lib/spec/interface.md section 2.3). */
export const CategoryView = z.extend(z.omit(MenuCategory, { position: true }), {
  productsCount: z.number(),
  products: z.optional(
    z.array(
      z.strictObject({ ...Named, priceOptions: z.array(PriceOption), published: z.boolean(), soldout: z.boolean() }),
    ),
  ),
});

/** The position of a page in its list (lib/spec/interface.md section 4.3). */
export const Pagination = z.strictObject({
  page: z.number(),
  limit: z.number(),
  total: z.number(),
  totalPages: z.number(),
  hasMore: z.boolean(),
});
export type Pagination = z.infer<typeof Pagination>;

export const productPage = z.strictObject({ data: z.array(ProductView), pagination: Pagination });
export const categoryPage = z.strictObject({ data: z.array(CategoryView), pagination: Pagination });
