import type { MenuProduct } from './menu-product.ts';

type SoldOut = Pick<MenuProduct, 'soldout'> & { readonly soldoutUntil?: string | null | undefined };

/**
 * Whether a product is sold out at a time: from `soldoutUntil` on it counts as available, without any write
 * (lib/spec/additions.md section 2).
 * @param now in the form of stored time stamps, which are all of one length and compare as texts
 */
export const isSoldOut = ({ soldout, soldoutUntil }: SoldOut, now: string): boolean =>
  soldout && !(typeof soldoutUntil === 'string' && soldoutUntil <= now);

/** A stored product as it counts now. */
export const withCurrentSoldout = <Product extends SoldOut>(product: Product): Product => ({
  ...product,
  soldout: isSoldOut(product, new Date().toISOString()),
});
