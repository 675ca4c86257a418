/**
 * No change of a record is written later than this after its request has read anything: the deadline of a JSON route
 * (lib/http/middleware/open-table.ts), and some time for a write that was on its way then.
 */
export const updateMillisecondsMax = 3_000;
