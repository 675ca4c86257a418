import * as z from 'zod/mini';
import { type Issue, parseWith, withPath } from '#lib/domain/input.ts';
import { parameterNames, parameterRules } from './query.ts';

/** A header that is read as it was sent. */
export const headerText = () => z.optional(z.string());

/**
 * Reads the headers of a declaration. An empty header is present, unlike an empty query parameter.
 * @param headers as sent, with names in lower case
 */
export function readHeaders(
  schema: z.ZodMiniType,
  headers: Readonly<Record<string, string | undefined>>,
): { readonly headers: unknown } | { readonly issues: Issue[] } {
  const values = parameterNames(schema).map((name) => [name, headers[name.toLowerCase()]] as const);
  const parsed = parseWith(schema, Object.fromEntries(values.filter(([, text]) => text !== undefined)));
  if (!parsed.issues) return { headers: parsed.value };
  return { issues: parsed.issues.map(withPath) };
}

/** The ETags in a header. */
export const tagPattern = /"[\x21\x23-\x7e\x80-\xff]*"/g;

const [minLength, maxLength] = [1, 255];
const rule = `Must be ${minLength} to ${maxLength} characters.`;

/** The header that makes a call safe to retry (lib/spec/decisions.md sections 3, 5 and 6). */
export const idempotencyKey = () =>
  z.optional(
    z
      .string()
      .check(z.minLength(minLength, rule), z.maxLength(maxLength, rule))
      .register(parameterRules, { schema: { type: 'string', minLength, maxLength }, rule }),
  );
