import * as z from 'zod/mini';
import { isObject, type JsonObject } from '#lib/domain/input.ts';

/** A record whose members are checked later, as in an import. */
export const UncheckedRecordBody = z.custom<JsonObject>(isObject, {
  error: 'Must be an object.',
  params: { code: 'type' },
});
