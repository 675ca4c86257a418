import * as z from 'zod/mini';
import { isObject } from '../input.ts';

/** The values of an entry by field key. cms-values.ts checks each against its model. */
export const EntryValues = z.custom<Record<string, unknown>>(isObject, {
  error: 'Must be an object of field key to value.',
  params: { code: 'type' },
});
