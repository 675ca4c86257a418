import * as z from 'zod/mini';
import type { MenuProduct } from '#lib/domain/menu/menu-product.ts';
import { lookupsOf } from '#lib/menu/menu-lookups.ts';
import { Menu } from '#lib/table/menu/menu.ts';
import { productDetails, productSource } from './product-answer.ts';
import { defineTool } from './tool.ts';

export const getProduct = defineTool({
  name: 'get_product',
  description: 'Tells everything about one product: description, prices, options, nutrition facts, allergens.',
  input: z.object({ id: z.string().check(z.maxLength(200), z.describe('The id or slug of the product.')) }),
  run: ({ id }, { table, scope, ...reader }) => {
    const menu = new Menu(table, scope);
    return menu.read(async (index) => {
      const { products, categories } = lookupsOf(index);
      const row = products.get(id) ?? index.products.find(({ slug }) => slug === id.normalize());
      if (!row?.published) return { answer: { error: 'There is no such product.' }, sources: [] };
      const stored = await menu.record<MenuProduct>('menuProduct', row);
      const product = { ...stored, soldout: row.soldout };
      const suggestions = product.suggestions.flatMap((suggested) => products.get(suggested) ?? []);
      const shown = suggestions.filter(({ published }) => published);
      const category = categories.get(product.categoryId);
      return { answer: productDetails(product, category, shown, reader), sources: [productSource(product)] };
    });
  },
});
