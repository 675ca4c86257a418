import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { pauseAfter, polled, watchInput } from '#lib/console/app/data/polling.ts';

describe('the pause between polls', () => {
  it.each([
    [0, 5_000],
    [59_999, 5_000],
    [60_000, 20_000],
    [599_999, 20_000],
    [600_000, 60_000],
    [86_400_000, 60_000],
  ])('after %d ms without input is %d ms', (idle, pause) => {
    expect(pauseAfter(5_000, idle)).toBe(pause);
  });
});

describe('a page that is open', () => {
  const page = new EventTarget();
  beforeEach(() => {
    jest.useFakeTimers({ now: Date.now() });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('polls rarely while the page is not used, and reads all again after the next input', () => {
    let returns = 0;
    watchInput(page, () => {
      returns += 1;
    });
    page.dispatchEvent(new Event('keydown'));
    returns = 0;
    const pause = polled(30_000);
    expect(pause()).toBe(30_000);
    jest.advanceTimersByTime(700_000);
    expect(pause()).toBe(360_000);
    page.dispatchEvent(new Event('pointermove'));
    expect(pause()).toBe(30_000);
    page.dispatchEvent(new Event('keydown'));
    expect(returns).toBe(1);
  });
});
