import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { startTriggers, type Triggers } from '#lib/local/triggers.ts';

type Handle = (event: Record<string, unknown>) => Promise<unknown>;
let events: Record<string, unknown>[];
let answer: () => Promise<unknown>;
let folder: string;
let triggers: Triggers;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triggers-'));
  await writeFile(join(folder, 'index.cjs'), 'exports.handler = (event, context) => globalThis.handle(event, context)');
});

afterAll(() => rm(folder, { recursive: true }));

beforeEach(() => {
  events = [];
  answer = async () => undefined;
  // A bundle has separate modules, so a global variable is the only shared state.
  (globalThis as { handle?: Handle }).handle = (event) => {
    events.push(event);
    return answer();
  };
});

afterEach(() => triggers.stop());

const start = (trigger: { newItems?: { partitionKeyPrefix: string }; everyMinutes?: number }) => {
  triggers = startTriggers({
    triggers: [{ name: 'some-work', trigger: { summary: '', uses: [], ...trigger } }],
    bundles: [{ name: 'some-work', folder, file: join(folder, 'index.cjs') }],
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

it('a function for new items runs repeatedly, and never concurrently', async () => {
  const running = Promise.withResolvers<void>();
  answer = () => running.promise;
  start({ newItems: { partitionKeyPrefix: 'MAIL#' }, everyMinutes: 1 });
  await waitUntil(() => events.length > 0);
  await pause(1_500);
  expect(events).toHaveLength(1);
  running.resolve();
  await waitUntil(() => events.length > 1);
});

it('a failed function runs again, and its failure is reported once', async () => {
  const told = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    answer = () => Promise.reject(new Error('not now'));
    start({ newItems: { partitionKeyPrefix: 'MAIL#' } });
    await waitUntil(() => events.length > 2);
    expect(told).toHaveBeenCalledTimes(1);
  } finally {
    told.mockRestore();
  }
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
