import { afterEach, beforeEach, jest } from '@jest/globals';

/**
 * Freezes the date for the tests of a file or of a `describe`; timers still run.
 * @returns the frozen date in milliseconds, and a function that sets it to this number of milliseconds later
 */
export function freezeDate(): { readonly start: number; readonly itIs: (later: number) => void } {
  const start = Date.now();
  const doNotFake = ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const;
  const timers = ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const;
  beforeEach(() => {
    jest.useFakeTimers({ now: start, doNotFake: [...doNotFake, ...timers] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  return { start, itIs: (later) => jest.setSystemTime(start + later) };
}
