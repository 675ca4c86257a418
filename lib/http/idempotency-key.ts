import * as z from 'zod/mini';
import { parameterRules } from './query.ts';

const charactersMax = 255;
const idempotencyKeyRule = `Must be 1 to ${charactersMax} characters.`;

/** The header that makes a call safe to retry (lib/spec/decisions.md sections 3, 5 and 6). */
export const idempotencyKey = () =>
  z.optional(
    z
      .string()
      .check(z.minLength(1, idempotencyKeyRule), z.maxLength(charactersMax, idempotencyKeyRule))
      .register(parameterRules, {
        schema: { type: 'string', minLength: 1, maxLength: charactersMax },
        rule: idempotencyKeyRule,
      }),
  );
