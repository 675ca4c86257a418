import { describe, expect, it } from '@jest/globals';
import { sequentialCalls } from './round-trips.ts';

describe('the round trips of calls', () => {
  it.each([
    ['none', [], 0],
    ['one', [[0, 5]], 1],
    [
      'side by side',
      [
        [0, 5],
        [1, 7],
        [4, 6],
      ],
      1,
    ],
    [
      'one after the other',
      [
        [0, 5],
        [5, 9],
        [10, 12],
      ],
      3,
    ],
    [
      'one beside two',
      [
        [0, 20],
        [1, 5],
        [6, 9],
      ],
      2,
    ],
  ] as const)('%s', (_, times, count) => {
    expect(sequentialCalls(times.map(([from, to]) => [from, to] as const))).toBe(count);
  });
});
