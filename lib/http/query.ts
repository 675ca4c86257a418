import * as z from 'zod/mini';
import type { Issue } from '#lib/domain/issue.ts';
import { parseWith } from '#lib/domain/schema-issue.ts';

/** What the API description says of a parameter whose schema reads text into something else. */
export interface ParameterRule {
  /** JSON Schema of the value as a caller thinks of it. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** A sentence that says how it is written. */
  readonly rule: string;
}

/** Every schema that reads a parameter is entered here where it is made, so that what it does and what is said agree. */
export const parameterRules = z.registry<ParameterRule>();

/** Plain decimal digits without sign or leading zeros, at most 15 of them (lib/spec/decisions.md section 1). */
const digits = /^(?:0|[1-9][0-9]{0,14})$/;

interface NumberRule {
  readonly min: number;
  readonly max?: number;
}

/** A whole number in a query string; anything but plain digits is refused, never read leniently. */
export function wholeNumber({ min, max = 999_999_999_999_999 }: NumberRule) {
  const rule = max < 999_999_999_999_999 ? `a whole number from ${min} to ${max}` : `a whole number of at least ${min}`;
  const error = `Must be ${rule}, in plain digits.`;
  const schema = z.pipe(
    z.pipe(
      z.string().check(z.regex(digits, { error, abort: true })),
      z.transform((text) => Number(text)),
    ),
    z.number().check(z.minimum(min, error), z.maximum(max, error)),
  );
  return schema.register(parameterRules, { schema: { type: 'integer', minimum: min, maximum: max }, rule: error });
}

/** Exactly `true` or `false`. */
export const flag = () =>
  z
    .pipe(
      z.enum(['true', 'false'], 'Must be true or false.'),
      z.transform((text) => text === 'true'),
    )
    .register(parameterRules, { schema: { type: 'boolean' }, rule: 'Must be exactly `true` or `false`.' });

/**
 * Reads the parameters a schema names: each may be given once, an empty one counts as absent, others have no effect
 * (lib/spec/decisions.md section 1).
 */
export function readQuery(
  schema: z.ZodMiniType,
  queryString: URLSearchParams,
): { readonly query: unknown } | { readonly issues: Issue[] } {
  const repeated: Issue[] = [];
  const values: Record<string, string> = {};
  for (const name of parameterNames(schema)) {
    const [first, ...others] = queryString.getAll(name);
    if (others.length > 0) repeated.push({ path: name, code: 'repeated', message: 'Must be given once.' });
    else if (first !== undefined && first !== '') values[name] = first;
  }
  const parsed = parseWith(schema, values);
  if (!parsed.issues && repeated.length === 0) return { query: parsed.value };
  const unread = new Set(repeated.map(({ path }) => path));
  const issues = (parsed.issues ?? []).filter(({ path }) => !unread.has(path));
  return { issues: [...repeated, ...issues].map(named) };
}

/** The parameter names of a declaration's query schema, in declaration order. */
export const parameterNames = (schema: z.ZodMiniType): string[] =>
  Object.keys((schema._zod.def as unknown as { readonly shape?: object }).shape ?? {});

const named = (issue: Issue): Issue => ({ ...issue, message: `${issue.path}: ${issue.message}` });
