import { afterEach, expect, it } from '@jest/globals';
import { Attempts } from '../browser/attempts.ts';

const exitCodeBefore = process.exitCode;
afterEach(() => {
  process.exitCode = exitCodeBefore;
});

/** Fails this number of times. */
const failing = (times: number) => {
  const tries: boolean[] = [];
  const attempt = async (isAgain: boolean) => {
    tries.push(isAgain);
    if (tries.length <= times) throw new Error(`Failure ${tries.length}.`);
  };
  return { tries, attempt };
};

it('a browser verification retries a failed story one time, and fails only if the retry fails', async () => {
  const said: string[] = [];
  const attempts = new Attempts((line) => said.push(line));
  const well = failing(0);
  const once = failing(1);
  const twice = failing(2);
  await attempts.try('well', well.attempt);
  await attempts.try('once', once.attempt);
  attempts.finish();
  expect(process.exitCode).toBe(exitCodeBefore);
  await attempts.try('twice', twice.attempt);
  expect([well.tries, once.tries, twice.tries]).toEqual([[false], [false, true], [false, true]]);
  said.length = 0;
  attempts.finish();
  expect(process.exitCode).toBe(1);
  expect(said[0]).toBe('1 ok, 1 flaky, 1 failed');
  expect(said[1]).toMatch(/^NOT twice: Error: Failure 2[.]/);
  expect(said[2]).toMatch(/^FLAKY once: Error: Failure 1[.]/);
});

it('a browser verification reports both failures together, and ends with a few lines for any number of them', async () => {
  const said: string[] = [];
  const attempts = new Attempts((line) => said.push(line));
  for (let number = 0; number < 45; number++) await attempts.try(`part ${number}`, failing(2).attempt);
  expect(said[0]).toMatch(/^NOT part 0: Error: Failure 1[.]\n/);
  expect(said[1]).toMatch(/^NOT part 0, tried once more: Error: Failure 2[.]\n/);
  said.length = 0;
  attempts.finish();
  expect(said.length).toBeLessThan(40);
  expect(said.at(-1)).toBe('... and 15 more');
});
