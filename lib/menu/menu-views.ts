import * as z from 'zod/mini';
import { Localized } from '#lib/domain/localized.ts';
import { MenuCategory } from '#lib/domain/menu-category.ts';
import { MenuProduct } from '#lib/domain/menu-product.ts';
import { PriceOption } from '#lib/domain/price-option.ts';
import { Pagination } from './pagination.ts';

const Named = { id: z.string(), slug: z.string(), name: Localized };

/** A product in an answer (lib/spec/interface.md section 2.2). */
export const ProductView = z.extend(z.omit(MenuProduct, { categoryId: true, suggestions: true }), {
  suggestions: z.array(z.strictObject(Named)),
  category: z.nullable(z.strictObject(Named)),
  cmsData: z.optional(z.record(z.string(), z.array(z.looseObject({ id: z.string() })))),
});

/** A category in an answer (lib/spec/interface.md section 2.3). */
export const CategoryView = z.extend(MenuCategory, {
  productsCount: z.number(),
  products: z.optional(
    z.array(
      z.strictObject({ ...Named, priceOptions: z.array(PriceOption), published: z.boolean(), soldout: z.boolean() }),
    ),
  ),
});

export const productPage = z.strictObject({ data: z.array(ProductView), pagination: Pagination });
export const categoryPage = z.strictObject({ data: z.array(CategoryView), pagination: Pagination });
