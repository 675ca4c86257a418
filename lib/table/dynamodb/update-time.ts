/**
 * The maximum time from the first read of a request to its last write. It is the deadline of a JSON route
 * (lib/http/middleware/open-table.ts), plus some time for a write in flight.
 */
export const updateMillisecondsMax = 3_000;
