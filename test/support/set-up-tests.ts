import { afterAll } from '@jest/globals';
import { installWorkedTime } from './worked-time.ts';

// Each test file is on a clock that a busy machine does not rush.
const clock = installWorkedTime();
afterAll(() => clock[Symbol.dispose]());
