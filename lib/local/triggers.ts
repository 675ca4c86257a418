import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bundle } from '../bundle/bundle-functions.ts';
import type { TriggeredFunction } from '../endpoints.ts';
import { Schedule } from './schedule.ts';

const timeoutSecondsDefault = 10;
const stopMillisecondsMax = 3_000;
/** Interval at which a stream-triggered function looks for new items here. */
const lookSeconds = 1;

type Handler = (event: object, context: object) => Promise<unknown>;

export interface TriggerOptions {
  readonly triggers: readonly TriggeredFunction[];
  readonly bundles: readonly Bundle[];
}

export interface Triggers {
  /** Lets running functions end, for three seconds at most. */
  stop(): Promise<void>;
}

/**
 * Starts background functions on their schedules. There is no stream here: a function that new items start on AWS finds
 * them by its schedule, which runs every second instead.
 */
export function startTriggers({ triggers, bundles }: TriggerOptions): Triggers {
  const schedules = triggers.map(({ name, trigger }) => {
    const invoke = invoker(bundles, name, trigger.lambda?.timeoutSeconds ?? timeoutSecondsDefault);
    const seconds = trigger.newItems ? lookSeconds : (trigger.everyMinutes ?? 1) * 60;
    return new Schedule(seconds, () => invoke(scheduledEvent()));
  });
  const stop = async () => {
    const patience = new AbortController();
    const ended = Promise.all(schedules.map((schedule) => schedule.stop()));
    await Promise.race([ended, pause(stopMillisecondsMax, undefined, { signal: patience.signal })]);
    patience.abort();
  };
  return { stop };
}

function invoker(
  bundles: readonly Bundle[],
  name: string,
  timeoutSeconds: number,
): (event: object) => Promise<unknown> {
  const file = bundles.find((bundle) => bundle.name === name)?.file;
  if (file === undefined) throw new Error(`There is no bundle of functions/${name}.`);
  const { handler } = createRequire(import.meta.url)(file) as { handler: Handler };
  return (event) => {
    const deadline = Date.now() + timeoutSeconds * 1_000;
    const getRemainingTimeInMillis = () => deadline - Date.now();
    return handler(event, { awsRequestId: randomUUID(), functionName: name, getRemainingTimeInMillis });
  };
}

const scheduledEvent = () => ({
  id: randomUUID(),
  source: 'aws.events',
  'detail-type': 'Scheduled Event',
  time: new Date().toISOString(),
  detail: {},
});
