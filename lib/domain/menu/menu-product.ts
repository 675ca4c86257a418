import * as z from 'zod/mini';
import { listOf, orFalse, orNull, orTrue } from '../defaults.ts';
import { Image } from '../files/image.ts';
import { scheduleShape } from '../schedule-shape.ts';
import { RecordId } from '../text/identifier.ts';
import { Localized } from '../text/localized.ts';
import { LocalizedName, nameOrNull } from '../text/name.ts';
import { Slug } from '../text/slug.ts';
import { TimeStamp } from '../text/time-stamp.ts';
import { unique, uniqueBy } from '../unique-items.ts';
import { NutritionFacts } from './nutrition-facts.ts';
import { OptionSet } from './option-set.ts';
import { PriceOptions } from './price-option.ts';

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
