import { expect } from '@jest/globals';
import fc from 'fast-check';

// Every run uses the same seed, so that only a change can cause a failure. Another seed generates other values.
fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 1) });

/** The share of the runs in the fast tests. */
const fastShare = 0.1;

/** The settings of a property: the long tests check it this many times, the fast tests a tenth of that. */
export function runs(long: number): { readonly numRuns: number } {
  const isLong = expect.getState().testPath?.endsWith('.long.test.ts');
  return { numRuns: isLong ? long : long * fastShare };
}

export { fc };
