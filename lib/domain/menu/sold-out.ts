import type { MenuProduct } from './menu-records.ts';

type SoldOut = Pick<MenuProduct, 'soldout'> & { readonly soldoutUntil?: string | null | undefined };

/**
 * True if a product is sold out at a time. From `soldoutUntil` on it is available, without a write
 * (lib/spec/additions.md section 2).
 * @param now in the form of stored time stamps, which have one length and compare as strings
 */
export const isSoldOut = ({ soldout, soldoutUntil }: SoldOut, now: string): boolean =>
  soldout && !(typeof soldoutUntil === 'string' && soldoutUntil <= now);

export const withCurrentSoldout = <Product extends SoldOut>(product: Product): Product => ({
  ...product,
  soldout: isSoldOut(product, new Date().toISOString()),
});
