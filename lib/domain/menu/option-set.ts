import * as z from 'zod/mini';
import { listOf, orFalse, orNull } from '../defaults.ts';
import type { Issue } from '../issue.ts';
import { isObject, type JsonObject } from '../json-object.ts';
import { newerRule } from '../schema-rules.ts';
import { RecordId } from '../text/identifier.ts';
import { LocalizedName } from '../text/name.ts';
import { uniqueBy } from '../unique-items.ts';
import { defaultsBeyond, Price } from './price-option.ts';

const Count = z.int().check(z.minimum(0, 'Must be at least 0.'));
const Order = z._default(z.number(), 0);

/** One choice of an option set (lib/spec/decisions.md section 4). */
export const ProductOption = z.strictObject({
  id: RecordId,
  name: LocalizedName,
  price: Price,
  default: orFalse(),
  soldout: orFalse(),
  maxQuantity: orNull(Count),
  order: Order,
});

/** A group of choices that a product can be ordered with (lib/spec/decisions.md section 4). */
export const OptionSet = z
  .strictObject({
    id: RecordId,
    name: LocalizedName,
    required: orFalse(),
    min: z._default(Count, 0),
    max: orNull(Count),
    allowDuplicates: orFalse(),
    order: Order,
    options: listOf(ProductOption, uniqueBy('id')),
  })
  .check(newerRule(unmeetableBounds));

/** Bounds that no order can meet (lib/spec/additions.md section 9, "Bounds that contradict"). */
function unmeetableBounds(set: unknown): Issue[] {
  const { required, min, max, allowDuplicates, options: given } = isObject(set) ? set : {};
  const options = (Array.isArray(given) ? given : []).map((option) => (isObject(option) ? option : {}));
  const most = typeof max === 'number' ? max : Infinity;
  const each = allowDuplicates === true ? Infinity : 1;
  const available = options
    .map(({ maxQuantity }) => Math.min(typeof maxQuantity === 'number' ? maxQuantity : Infinity, each))
    .reduce((sum, quantity) => sum + quantity, 0);
  const least = Math.max(typeof min === 'number' ? min : 0, required === true ? 1 : 0);
  const issues = excessDefaults(options, most);
  if (max === 0) issues.push({ path: 'max', code: 'not_allowed', message: 'Must be at least 1, or null.' });
  else if (required === true && options.length === 0)
    issues.push({ path: 'options', code: 'required', message: 'Is required: a choice must be made.' });
  else if (least > Math.min(most, available)) {
    const message = `Must be at most ${Math.min(most, available)}, because no more can be chosen.`;
    issues.push({ path: 'min', code: 'not_allowed', message });
  }
  return issues;
}

/** The options that are chosen at first, beyond the most that can be chosen. */
function excessDefaults(options: readonly JsonObject[], most: number): Issue[] {
  const message = `Must be false: at most ${most} can be chosen.`;
  return defaultsBeyond(most, options).map((index) => ({
    path: `options.${index}.default`,
    code: 'not_allowed',
    message,
  }));
}
