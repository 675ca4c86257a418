import * as z from 'zod/mini';
import { parameterRules } from './query.ts';

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
