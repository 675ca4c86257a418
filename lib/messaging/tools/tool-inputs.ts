import * as z from 'zod/mini';
import { isObject } from '#lib/domain/json-object.ts';

const queryCharactersMax = 1_000;
const nameCharactersMax = 200;

/** Words to search for; too many of them are cut, since the rest of a long message hardly matters. */
export const query = (description: string) =>
  z._default(
    z.pipe(
      z.string().check(z.describe(description)),
      z.transform((text: string) => text.slice(0, queryCharactersMax).trim()),
    ),
    '',
  );

/** A name or id. A blank one is treated as absent. */
export const name = (description: string) =>
  z.optional(
    z.pipe(
      z.string().check(z.maxLength(nameCharactersMax), z.describe(description)),
      z.transform((text: string) => text.trim() || undefined),
    ),
  );

/** Models often send null for members that they omit. */
export const withoutNulls = (input: unknown): unknown =>
  isObject(input) ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)) : input;
