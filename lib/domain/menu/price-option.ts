import * as z from 'zod/mini';
import { RecordId } from '../text/identifier.ts';
import { Localized } from '../text/localized.ts';

/** An amount in the currency's major unit (lib/spec/decisions.md section 4). */
export const Price = z
  .number()
  .check(
    z.minimum(0, 'Must be at least 0.'),
    z.refine(hasThreeDecimals, { error: 'Must have at most 3 decimals.', params: { code: 'step' } }),
  );
export type Price = z.infer<typeof Price>;

/** One way to buy a product, such as a size (lib/spec/decisions.md section 4). */
export const PriceOption = z.strictObject({
  id: RecordId,
  price: Price,
  name: z.optional(Localized),
  default: z.optional(z.boolean()),
  barcode: z.optional(z.nullable(z.string())),
});
export type PriceOption = z.infer<typeof PriceOption>;

/** Checks the decimal digits, because 1.005 has no exact double. */
function hasThreeDecimals(price: number): boolean {
  return price < 0 || Number.isInteger(price) || /^\d+\.\d{1,3}$/.test(String(price));
}
