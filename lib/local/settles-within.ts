/**
 * Waits for some work, up to a time limit. Each request waits like this, and an aborted delay costs a stack trace.
 * @returns false after the time limit
 */
export async function settlesWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), milliseconds);
  try {
    return await Promise.race([work.then(() => true), promise]);
  } finally {
    clearTimeout(timer);
  }
}
