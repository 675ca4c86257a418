import { afterAll } from '@jest/globals';
import { WorkedTime } from './worked-time.ts';

// The deadlines of the service, on a clock that a busy machine does not rush.
const { timeout } = AbortSignal;
const clock = new WorkedTime();
AbortSignal.timeout = (milliseconds) => clock.timeout(milliseconds);
afterAll(() => {
  AbortSignal.timeout = timeout;
  clock[Symbol.dispose]();
});
