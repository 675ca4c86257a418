import type { MenuProduct } from './menu-records.ts';

/** The properties of a product in a response, in order (lib/spec/interface.md section 2.2), without `cmsData`. */
export const productMembers = [
  'id',
  'slug',
  'barcode',
  'name',
  'intro',
  'description',
  'priceOptions',
  'thumbnail',
  'images',
  'published',
  'soldout',
  'preparationTime',
  'nutritionFacts',
  'suggestions',
  'category',
  'optionSets',
  'createdAt',
  'updatedAt',
] as const;

type Named = Pick<MenuProduct, 'id' | 'slug' | 'name'>;

export interface ProductNeighbours {
  readonly category: Named | undefined;
  /** The suggested products, in the product's order, without missing ones. */
  readonly suggestions: readonly (Named & Pick<MenuProduct, 'published'>)[];
}

/** The declared properties for a response (lib/spec/interface.md section 2.2, lib/spec/decisions.md section 4). */
export function productView(product: MenuProduct, { category, suggestions }: ProductNeighbours): Partial<ProductShown> {
  const shown = shownOf(product, { category, suggestions });
  return Object.fromEntries(productMembers.map((member) => [member, shown[member]]));
}

export type ProductShown = Pick<ReturnType<typeof shownOf>, (typeof productMembers)[number]>;

function shownOf(product: MenuProduct, { category, suggestions }: ProductNeighbours) {
  return {
    ...product,
    suggestions: suggestions.filter(({ published }) => published).map(({ id, slug, name }) => ({ id, slug, name })),
    category: category ? { id: category.id, slug: category.slug, name: category.name } : null,
    optionSets: product.optionSets.toSorted(byOrder).map((set) => ({ ...set, options: set.options.toSorted(byOrder) })),
  };
}

const byOrder = (a: { readonly order: number }, b: { readonly order: number }): number => a.order - b.order;
