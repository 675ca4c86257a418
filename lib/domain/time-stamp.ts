import * as z from 'zod/mini';
import { isDateTime } from './calendar.ts';

/** A point in time as every record carries it: ISO 8601, milliseconds, Z (lib/spec/decisions.md section 3). */
export const TimeStamp = z
  .string()
  .check(
    z.refine(
      (text) => /\.\d{3}Z$/.test(text) && isDateTime(text, 'with zone'),
      'Must be a time such as 2026-01-31T09:00:00.000Z.',
    ),
  );
export type TimeStamp = z.infer<typeof TimeStamp>;
