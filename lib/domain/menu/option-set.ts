import * as z from 'zod/mini';
import { listOf, orFalse, orNull } from '../defaults.ts';
import { uniqueBy } from '../schema-issue.ts';
import { RecordId } from '../text/identifier.ts';
import { Localized } from '../text/localized.ts';
import { Price } from './price-option.ts';

const Count = z.int().check(z.minimum(0, 'Must be at least 0.'));
const Order = z._default(z.number(), 0);

/** One choice of an option set (lib/spec/decisions.md section 4). */
export const ProductOption = z.strictObject({
  id: RecordId,
  name: Localized,
  price: Price,
  default: orFalse(),
  soldout: orFalse(),
  maxQuantity: orNull(Count),
  order: Order,
});
export type ProductOption = z.infer<typeof ProductOption>;

/** A group of choices that a product can be ordered with (lib/spec/decisions.md section 4). */
export const OptionSet = z.strictObject({
  id: RecordId,
  name: Localized,
  required: orFalse(),
  min: z._default(Count, 0),
  max: orNull(Count),
  allowDuplicates: orFalse(),
  order: Order,
  options: listOf(ProductOption, uniqueBy('id')),
});
export type OptionSet = z.infer<typeof OptionSet>;
