import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startTriggers, type Triggers } from '#lib/local/triggers.ts';
import { capturedLines } from '#test/support/log-capture.ts';

let events: object[];
let answer: () => Promise<unknown>;
let triggers: Triggers;

beforeEach(() => {
  events = [];
  answer = async () => undefined;
});

afterEach(() => triggers.stop());

const handler = (event: object) => {
  events.push(event);
  return answer();
};

const start = (trigger: { newItems?: { partitionKeyPrefixes: string[] }; everyMinutes: number }) => {
  triggers = startTriggers({
    triggers: [{ name: 'some-work', trigger: { summary: '', uses: [], ...trigger } }],
    modules: new Map([['some-work', { handler }]]),
  });
};

async function waitUntil(isSo: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 60_000; !isSo(); await pause(20)) {
    if (Date.now() > deadline) throw new Error('It did not come to that.');
  }
}

it('a scheduled function runs at the start, to find the remaining work of the last run', async () => {
  start({ everyMinutes: 1 });
  await waitUntil(() => events.length > 0);
  expect(events).toEqual([expect.objectContaining({ source: 'aws.events' })]);
});

it('a function for new items runs repeatedly, and a run that lasts does not delay the next one', async () => {
  const running = Promise.withResolvers<void>();
  answer = () => running.promise;
  start({ newItems: { partitionKeyPrefixes: ['DUE#mail#'] }, everyMinutes: 1 });
  await waitUntil(() => events.length > 1);
  running.resolve();
});

it('a failed function runs again, and its failure is one line of the log', async () => {
  const lines = await capturedLines(async () => {
    answer = () => Promise.reject(new Error('not\nnow', { cause: new Error('busy') }));
    start({ newItems: { partitionKeyPrefixes: ['DUE#mail#'] }, everyMinutes: 1 });
    await waitUntil(() => events.length > 2);
  });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 'error',
      causes: [expect.objectContaining({ message: 'not\nnow' }), expect.objectContaining({ message: 'busy' })],
    }),
  ]);
});

it('a stop waits for a function that is running', async () => {
  const running = Promise.withResolvers<void>();
  answer = () => running.promise;
  start({ everyMinutes: 1 });
  await waitUntil(() => events.length > 0);
  let stopped = false;
  const stop = triggers.stop().then(() => {
    stopped = true;
  });
  await pause(50);
  expect(stopped).toBe(false);
  running.resolve();
  await stop;
});
