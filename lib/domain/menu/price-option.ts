import * as z from 'zod/mini';
import { listOf } from '../defaults.ts';
import type { Issue } from '../issue.ts';
import { isObject } from '../json-object.ts';
import { newerRule } from '../schema-rules.ts';
import { RecordId } from '../text/identifier.ts';
import { LocalizedName, textOrNull } from '../text/name.ts';
import { uniqueBy } from '../unique-items.ts';

/** An amount in the currency's major unit (lib/spec/decisions.md section 4). */
export const Price = z
  .number()
  .check(
    z.minimum(0, 'Must be at least 0.'),
    z.refine(hasThreeDecimals, { error: 'Must have at most 3 decimals.', params: { code: 'step' } }),
  );

/** One way to buy a product, such as a size (lib/spec/decisions.md section 4). */
export const PriceOption = z.strictObject({
  id: RecordId,
  price: Price,
  name: z.optional(LocalizedName),
  default: z.optional(z.boolean()),
  barcode: z.optional(textOrNull()),
});
export type PriceOption = z.infer<typeof PriceOption>;

/** The ways to buy a product. At most one is the default. */
export const PriceOptions = listOf(PriceOption, uniqueBy('id'), newerRule(secondDefaults));

function secondDefaults(options: unknown): Issue[] {
  if (!Array.isArray(options)) return [];
  const message = 'Must be false: another price is the default.';
  return defaultsBeyond(1, options).map((index) => ({ path: `${index}.default`, code: 'not_allowed', message }));
}

/** The positions of the options that are chosen by default, without the first `most`. */
export const defaultsBeyond = (most: number, options: readonly unknown[]): number[] =>
  options.flatMap((option, index) => (isObject(option) && option['default'] === true ? index : [])).slice(most);

/** Checks the decimal digits, because 1.005 has no exact double. */
function hasThreeDecimals(price: number): boolean {
  return price < 0 || Number.isInteger(price) || /^\d+\.\d{1,3}$/.test(String(price));
}
