import { afterAll } from '@jest/globals';
import { installLoadTolerantClock } from './load-tolerant-clock.ts';

// The clock of each test file allows for a busy machine.
const clock = installLoadTolerantClock();
afterAll(() => clock[Symbol.dispose]());
