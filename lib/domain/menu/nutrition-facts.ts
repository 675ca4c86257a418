import * as z from 'zod/mini';
import { listOf, orNull } from '../defaults.ts';
import { unique } from '../unique-items.ts';

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
