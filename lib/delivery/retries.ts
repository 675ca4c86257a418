const minute = 60_000;
const pauseMillisecondsMax = 60 * minute;

/** With the pauses below: over about a day, so that a mail service that is down over night loses nothing. */
const attemptsMax = 28;

/** Whether a job has been begun more often than that: then each attempt has ended the process that made it. */
export const isTriedTooOften = (attempts: number): boolean => attempts > attemptsMax;

/**
 * How long to wait before a job is tried again: a minute, then twice as long each time, up to an hour.
 * @returns milliseconds, or nothing when it has been tried often enough
 */
export const pauseAfter = (attempts: number): number | undefined =>
  attempts >= attemptsMax ? undefined : Math.min(pauseMillisecondsMax, minute * 2 ** (attempts - 1));
