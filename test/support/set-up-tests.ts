import { afterAll } from '@jest/globals';
import { installWorkedTime } from './worked-time.ts';

// The clock of each test file allows for a busy machine.
const clock = installWorkedTime();
afterAll(() => clock[Symbol.dispose]());
