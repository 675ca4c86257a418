import * as z from 'zod/mini';

/** A record before it is judged: only that it is an object. Everything inside it is judged as at an import. */
export const GivenRecord = z.custom<Readonly<Record<string, unknown>>>(
  (body) => typeof body === 'object' && body !== null && !Array.isArray(body),
  { error: 'Must be an object.', params: { code: 'type' } },
);
