import { afterAll } from '@jest/globals';
import { WorkedTime } from './worked-time.ts';

/** Shorter timers are pauses, and measure nothing. */
const deadlineMilliseconds = 1_000;

// The deadlines of the service and of the SDK, on a clock that a busy machine does not rush.
const { timeout } = AbortSignal;
const { setTimeout: later } = globalThis;
const { bigint } = process.hrtime;
const clock = new WorkedTime();
AbortSignal.timeout = (milliseconds) => clock.timeout(milliseconds);
process.hrtime.bigint = () => BigInt(Math.round(clock.now() * 1_000_000));
globalThis.setTimeout = Object.assign(
  (work: (...given: unknown[]) => void, milliseconds = 0, ...given: unknown[]) =>
    milliseconds < deadlineMilliseconds
      ? later(work, milliseconds, ...given)
      : clock.later(() => work(...given), milliseconds),
  later,
) as typeof setTimeout;
afterAll(() => {
  AbortSignal.timeout = timeout;
  globalThis.setTimeout = later;
  process.hrtime.bigint = bigint;
  clock[Symbol.dispose]();
});
