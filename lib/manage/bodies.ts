import * as z from 'zod/mini';

/** A record whose members are checked later, as in an import. */
export const UncheckedRecordBody = z.custom<Readonly<Record<string, unknown>>>(
  (body) => typeof body === 'object' && body !== null && !Array.isArray(body),
  { error: 'Must be an object.', params: { code: 'type' } },
);
