import { strict as assert } from 'node:assert';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

const millisecondsMax = 60_000;

/** Waits until a value is as expected. @throws with the difference after a time limit */
export async function eventually<Value>(look: () => Promise<Value>, expected: Value): Promise<void> {
  const givesUpAt = Date.now() + millisecondsMax;
  for (let seen = await look(); !isDeepStrictEqual(seen, expected); seen = await look()) {
    if (Date.now() > givesUpAt) assert.deepEqual(seen, expected);
    await pause(50);
  }
}
