import * as z from 'zod/mini';
import type { Issue } from '../input.ts';
import { newerRule, uniqueBy } from '../schema-rules.ts';
import { isBlank } from '../text/blank.ts';
import { Localized } from '../text/localized.ts';
import { normalized } from '../text/normal-form.ts';

/** One of the values that a CMS field or a form field offers (lib/spec/decisions.md sections 3 and 5). */
export const SelectOption = z.strictObject({
  value: z.string().check(
    z.overwrite((text) => normalized(text)),
    newerRule(blankValue),
  ),
  label: Localized,
});
export type SelectOption = z.infer<typeof SelectOption>;

/** At most 500 options a field (lib/spec/decisions.md section 2). */
export const SelectOptions = z
  .array(SelectOption)
  .check(z.maxLength(500, 'Must be at most 500 options.'), uniqueBy('value'));

function blankValue(value: unknown): Issue[] {
  if (typeof value !== 'string' || !isBlank(value)) return [];
  return [{ path: '', code: 'required', message: 'Must have text.' }];
}
