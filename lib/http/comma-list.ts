import * as z from 'zod/mini';
import { normalized } from '#lib/domain/text/normal-form.ts';
import { type ParameterRule, parameterRules } from './query.ts';

/** Trimmed items, without empty ones. A list without items is absent (lib/spec/decisions.md section 1). */
export const commaList = () => z.optional(listItems.clone().register(parameterRules, listRule()));

export const listRule = (maxItems?: number): ParameterRule => ({
  schema: { type: 'array', items: { type: 'string' }, ...(maxItems !== undefined && { maxItems }) },
  rule: `Must be a list${maxItems === undefined ? '' : ` of at most ${maxItems} items`}, separated by commas or in several parameters. Blanks and empty items are ignored.`,
  isList: true,
});

export const listItems = z.pipe(
  z.string(),
  z.transform((text): ReadonlySet<string> | undefined => {
    const found = new Set(text.split(',').flatMap((item) => normalized(item.trim()) || []));
    return found.size > 0 ? found : undefined;
  }),
);
