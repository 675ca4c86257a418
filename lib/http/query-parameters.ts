import * as z from 'zod/mini';
import { normalized } from '#lib/domain/text/normal-form.ts';
import { type FamilyMember, type ParameterRule, parameterRules } from './query.ts';

/** Plain decimal digits without sign or leading zeros, at most 15 (lib/spec/decisions.md section 1). */
const digits = /^(?:0|[1-9][0-9]{0,14})$/;

interface NumberRule {
  readonly min: number;
  readonly max?: number;
  /** The value of an absent parameter, for a default that cannot be sent. */
  readonly fallback?: number;
}

/** A whole number in a query string. Only plain digits are accepted. */
export function wholeNumber({ min, max = 999_999_999_999_999, fallback }: NumberRule) {
  const rule = max < 999_999_999_999_999 ? `a whole number from ${min} to ${max}` : `a whole number of at least ${min}`;
  const error = `Must be ${rule}, in plain digits.`;
  const schema = z.pipe(
    z.pipe(
      z.string().check(z.regex(digits, { error, abort: true })),
      z.transform((text) => Number(text)),
    ),
    z.number().check(z.minimum(min, error), z.maximum(max, error)),
  );
  return schema.register(parameterRules, {
    schema: { type: 'integer', minimum: min, maximum: max },
    rule: error,
    fallback,
  });
}

export const flag = () =>
  z
    .pipe(
      z.enum(['true', 'false'], 'Must be true or false.'),
      z.transform((text) => text === 'true'),
    )
    .register(parameterRules, { schema: { type: 'boolean' }, rule: 'Must be exactly `true` or `false`.' });

/** A parameter for a family of names, e.g. `filter[...]`. */
export const family = (rule: Omit<ParameterRule, 'isFamily'>) =>
  z
    .custom<readonly FamilyMember[]>((value) => Array.isArray(value))
    .register(parameterRules, { ...rule, isFamily: true });

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

/** The parameters of a `LocaleQuery`. */
export const localeParameters = {
  locale: z.optional(z.string().register(parameterRules, { rule: 'Must be a language of the workspace, or `*`.' })),
  fallback: z.optional(
    listItems.clone().register(parameterRules, {
      ...listRule(),
      rule: 'Must be a list of languages of the workspace, or `*`, separated by commas or in several parameters.',
    }),
  ),
};
