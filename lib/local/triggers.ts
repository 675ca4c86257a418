import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Bundle } from '../bundle/bundle-functions.ts';
import type { TriggeredFunction } from '../endpoints.ts';
import { Schedule } from './schedule.ts';
import { settlesWithin } from './settles-within.ts';

const timeoutSecondsDefault = 10;
const stopMillisecondsMax = 3_000;
/** Polling interval of a function that a stream starts on AWS. */
const pollSeconds = 1;

type Handler = (event: object, context: object) => Promise<unknown>;

export interface TriggerOptions {
  readonly triggers: readonly TriggeredFunction[];
  readonly bundles: readonly Bundle[];
}

export interface Triggers {
  /** Waits for running functions, up to three seconds. */
  stop(): Promise<void>;
}

/**
 * Starts background functions on their schedules. The local run has no stream. A function that a stream starts on AWS
 * runs every second instead.
 */
export function startTriggers({ triggers, bundles }: TriggerOptions): Triggers {
  const schedules = triggers.map(({ name, trigger }) => {
    const invoke = invoker(bundles, name, trigger.lambda?.timeoutSeconds ?? timeoutSecondsDefault);
    const seconds = trigger.newItems ? pollSeconds : (trigger.everyMinutes ?? 1) * 60;
    return new Schedule(seconds, () => invoke(scheduledEvent()));
  });
  const stop = async () => {
    await settlesWithin(stopMillisecondsMax, Promise.all(schedules.map((schedule) => schedule.stop())));
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
