/**
 * Milliseconds since some moment, on a clock that nobody sets. `performance.now()` says the same, but Node loads much
 * for the first call of it, which a cold start would pay for.
 */
export const milliseconds = (): number => Number(process.hrtime.bigint()) / 1e6;
