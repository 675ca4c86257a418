import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { abortAfter } from '#lib/table/dynamodb/clock.ts';

it('a controller aborts when its time is up', async () => {
  const { signal } = abortAfter(5);
  expect(signal.aborted).toBe(false);
  // An awaited event does not keep the process running either.
  const waiting = setInterval(() => undefined, 1_000);
  await once(signal, 'abort');
  clearInterval(waiting);
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
});

it('a controller keeps the reason for which it was aborted before', async () => {
  const controller = abortAfter(1);
  controller.abort();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(controller.signal.reason).toMatchObject({ name: 'AbortError' });
});

it('the timer of a controller does not keep the process running', () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  abortAfter(60_000);
  expect(timers()).toBe(before);
});
