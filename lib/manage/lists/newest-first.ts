import * as z from 'zod/mini';
import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { RecordId } from '#lib/domain/text/identifier.ts';
import { PositionTime } from '#lib/http/cursor.ts';

export interface Dated {
  readonly id: string;
  readonly createdAt: string;
}

/** The position of a record in a list by time. */
export type TimePosition = [createdAt: string, id: string];

/** The order of records by their time, newest first, ties by id. */
export const newestFirst = {
  position: z.tuple([PositionTime, RecordId]),
  of: ({ createdAt, id }: Dated): TimePosition => [createdAt, id],
  compare: ([timeA, idA]: TimePosition, [timeB, idB]: TimePosition): number =>
    compareCodePoints(timeB, timeA) || compareCodePoints(idB, idA),
};
