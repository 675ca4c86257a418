/**
 * Milliseconds on a monotonic clock. `performance.now()` does the same, but its first call loads much code, which would
 * slow down a cold start.
 */
export const milliseconds = (): number => Number(process.hrtime.bigint()) / 1e6;
