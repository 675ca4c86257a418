import { expect, it } from '@jest/globals';

/**
 * Whether this is the long run. A fast file asks it where it tries more of the same there. A file of the same name that
 * ends in `.long.test.ts` then imports it; unit/long-run.test.ts finds a file without one.
 */
export const isLongRun = expect.getState().testPath?.endsWith('.long.test.ts') ?? false;

/** The first rows of a table of variants; in the long run, all of them. The first ones have to prove the rule. */
export const someOf = <Row>(rows: readonly Row[], count: number): readonly Row[] =>
  isLongRun ? rows : rows.slice(0, count);

/** A test of the long run alone, of a rule that a fast test proves, too. */
export const itLong: typeof it = isLongRun
  ? it
  : Object.assign((() => undefined) as never, { each: () => () => undefined });
