import * as z from 'zod/mini';

/** An unchecked record. Only its type, object, is checked. Its members are checked as in an import. */
export const UncheckedRecordBody = z.custom<Readonly<Record<string, unknown>>>(
  (body) => typeof body === 'object' && body !== null && !Array.isArray(body),
  { error: 'Must be an object.', params: { code: 'type' } },
);
