import { afterEach, beforeEach, jest } from '@jest/globals';

/**
 * Lets the date stand still in the tests of a file or of a `describe`, from now on; everything else takes its time.
 * @returns when it stands still, in milliseconds, and a function that moves it to so many milliseconds after that
 */
export function stopDate(): { readonly start: number; readonly itIs: (later: number) => void } {
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
