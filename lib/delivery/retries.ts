const minute = 60_000;
const pauseMillisecondsMax = 60 * minute;

/** With the pauses below, retries last about a day, so that an outage over night loses no mail. */
const attemptsMax = 28;

/** True if the job was started more often than that, because its attempts crashed. */
export const hasTooManyAttempts = (attempts: number): boolean => attempts > attemptsMax;

/**
 * The wait before the next attempt: a minute, doubling up to an hour.
 * @returns milliseconds, or undefined after the last attempt
 */
export const pauseAfter = (attempts: number): number | undefined =>
  attempts >= attemptsMax ? undefined : Math.min(pauseMillisecondsMax, minute * 2 ** (attempts - 1));
