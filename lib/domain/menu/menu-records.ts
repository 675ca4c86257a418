import * as z from 'zod/mini';
import { Image } from '../files/image.ts';
import { type Issue, isObject, type JsonObject } from '../input.ts';
import { scheduleShape } from '../schedule-shape.ts';
import { listOf, newerRule, orFalse, orNull, orTrue, unique, uniqueBy } from '../schema-rules.ts';
import { RecordId } from '../text/identifier.ts';
import { Localized } from '../text/localized.ts';
import { LocalizedName, nameOrNull, textOrNull } from '../text/name.ts';
import { Slug } from '../text/slug.ts';
import { TimeStamp } from '../text/time-stamp.ts';

const Amount = orNull(z.number().check(z.minimum(0, 'Must be at least 0, or null.')));

/** The nutrition facts of one serving (lib/spec/decisions.md section 4). */
export const NutritionFacts = z.strictObject({
  servingSize: orNull(z.string()),
  calories: Amount,
  protein: Amount,
  carbohydrates: Amount,
  fat: Amount,
  sugar: Amount,
  sodium: Amount,
  allergens: listOf(z.string(), unique()),
  dietary: listOf(z.string(), unique()),
});
export type NutritionFacts = z.infer<typeof NutritionFacts>;

/** An amount in the currency's major unit (lib/spec/decisions.md section 4). */
const Price = z
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
const PriceOptions = listOf(PriceOption, uniqueBy('id'), newerRule(secondDefaults));

function secondDefaults(options: unknown): Issue[] {
  if (!Array.isArray(options)) return [];
  const message = 'Must be false: another price is the default.';
  return defaultsBeyond(1, options).map((index) => ({ path: `${index}.default`, code: 'not_allowed', message }));
}

/** The positions of the options that are chosen by default, without the first `most`. */
const defaultsBeyond = (most: number, options: readonly unknown[]): number[] =>
  options.flatMap((option, index) => (isObject(option) && option['default'] === true ? index : [])).slice(most);

/** Checks the decimal digits, because 1.005 has no exact double. */
function hasThreeDecimals(price: number): boolean {
  return price < 0 || Number.isInteger(price) || /^\d+\.\d{1,3}$/.test(String(price));
}

const Count = z.int().check(z.minimum(0, 'Must be at least 0.'));
const Order = z._default(z.number(), 0);

/** One choice of an option set (lib/spec/decisions.md section 4). */
const ProductOption = z.strictObject({
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

/**
 * A stored menu product with the ids of its category and suggestions (lib/spec/interface.md section 2.2,
 * lib/spec/workspace-document.md section 4). Lists can be sorted by `position`. For `soldoutUntil` see sold-out.ts.
 */
export const MenuProduct = z.strictObject({
  id: RecordId,
  slug: Slug,
  barcode: nameOrNull(),
  name: LocalizedName,
  intro: orNull(Localized),
  description: orNull(Localized),
  priceOptions: PriceOptions,
  thumbnail: orNull(Image),
  images: listOf(Image),
  published: orTrue(),
  ...scheduleShape,
  soldout: orFalse(),
  soldoutUntil: orNull(TimeStamp),
  preparationTime: orNull(z.number().check(z.minimum(0, 'Must be a number of minutes, or null.'))),
  nutritionFacts: orNull(NutritionFacts),
  suggestions: listOf(RecordId, unique()),
  categoryId: RecordId,
  optionSets: listOf(OptionSet, uniqueBy('id')),
  position: orNull(z.number()),
  createdAt: TimeStamp,
  updatedAt: TimeStamp,
});
export type MenuProduct = z.infer<typeof MenuProduct>;

/** A stored menu category (lib/spec/interface.md section 2.3), without its products and counts. */
export const MenuCategory = z.strictObject({
  id: RecordId,
  slug: Slug,
  name: LocalizedName,
  description: orNull(Localized),
  thumbnail: orNull(Image),
  smallThumbnail: orNull(Image),
  showcase: orNull(Image),
  position: orNull(z.number()),
  createdAt: TimeStamp,
  updatedAt: TimeStamp,
});
export type MenuCategory = z.infer<typeof MenuCategory>;
