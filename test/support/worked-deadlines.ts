import { WorkedTime } from './worked-time.ts';

// Preloaded by processes of the tests: the deadlines of the service, on a clock that a busy machine does not rush.
const clock = new WorkedTime();
AbortSignal.timeout = (milliseconds) => clock.timeout(milliseconds);
