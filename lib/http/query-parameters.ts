import * as z from 'zod/mini';
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
