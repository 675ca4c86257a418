import * as z from 'zod/mini';
import { listOf, orFalse, orNull, orTrue } from './defaults.ts';
import { RecordId, Slug } from './identifier.ts';
import { Image } from './image.ts';
import { Localized } from './localized.ts';
import { NutritionFacts } from './nutrition-facts.ts';
import { OptionSet } from './option-set.ts';
import { PriceOption } from './price-option.ts';
import { uniqueBy } from './schema-issue.ts';
import { TimeStamp } from './time-stamp.ts';

/**
 * A menu product as it is stored (lib/spec/interface.md section 2.2, lib/spec/workspace-document.md section 4): its
 * category and its suggestions are ids.
 */
export const MenuProduct = z.strictObject({
  id: RecordId,
  slug: Slug,
  barcode: orNull(z.string()),
  name: Localized,
  intro: orNull(Localized),
  description: orNull(Localized),
  priceOptions: listOf(PriceOption, uniqueBy('id')),
  thumbnail: orNull(Image),
  images: listOf(Image),
  published: orTrue(),
  soldout: orFalse(),
  preparationTime: orNull(z.number().check(z.minimum(0, 'Must be a number of minutes, or null.'))),
  nutritionFacts: orNull(NutritionFacts),
  suggestions: listOf(RecordId),
  categoryId: RecordId,
  optionSets: listOf(OptionSet, uniqueBy('id')),
  createdAt: TimeStamp,
  updatedAt: TimeStamp,
});
export type MenuProduct = z.infer<typeof MenuProduct>;
