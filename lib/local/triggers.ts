import { randomUUID } from 'node:crypto';
import type { TriggeredFunction } from '#lib/endpoints.ts';
import { logError } from '#lib/http/work-log.ts';
import { type FunctionModule, newContext } from './function-host.ts';
import { settlesWithin } from './settles-within.ts';

const timeoutSecondsDefault = 10;
const stopMillisecondsMax = 3_000;
/** Polling interval of a function that a stream starts on AWS. */
const pollSeconds = 1;
/** Its runs at the same time: as on AWS, one that waits for a slow receiver does not delay what is new. */
const pollsAtOnce = 8;

type TriggerHandler = (event: object, context: object) => Promise<unknown>;

export interface TriggerOptions {
  readonly triggers: readonly TriggeredFunction[];
  /** The functions by name. */
  readonly modules: ReadonlyMap<string, FunctionModule>;
}

export interface Triggers {
  /** Waits for running functions, up to three seconds. */
  stop(): Promise<void>;
}

/**
 * Starts background functions on their schedules. The local run has no stream. A function that a stream starts on AWS
 * runs every second instead.
 */
export function startTriggers({ triggers, modules }: TriggerOptions): Triggers {
  const schedules = triggers.map(({ name, trigger }) => {
    const invoke = invoker(modules, name, trigger.lambda?.timeoutSeconds ?? timeoutSecondsDefault);
    const seconds = trigger.newItems ? pollSeconds : trigger.everyMinutes * 60;
    return new Schedule(seconds, trigger.newItems ? pollsAtOnce : 1, () => invoke(scheduledEvent()));
  });
  const stop = async () => {
    await settlesWithin(stopMillisecondsMax, Promise.all(schedules.map((schedule) => schedule.stop())));
  };
  return { stop };
}

function invoker(
  modules: TriggerOptions['modules'],
  name: string,
  timeoutSeconds: number,
): (event: object) => Promise<unknown> {
  const handler = modules.get(name)?.handler as TriggerHandler | undefined;
  if (handler === undefined) throw new Error(`functions/${name}/handler.ts must export \`handler\`.`);
  return (event) => handler(event, newContext(name, timeoutSeconds * 1_000));
}

const scheduledEvent = () => ({
  id: randomUUID(),
  source: 'aws.events',
  'detail-type': 'Scheduled Event',
  time: new Date().toISOString(),
  detail: {},
});

/** Runs a task now and at an interval. */
class Schedule {
  readonly #run: () => Promise<unknown>;
  readonly #timer: NodeJS.Timeout;
  readonly #running = new Set<Promise<void>>();
  readonly #atOnce: number;
  #isFailing = false;

  /** @param atOnce the number of runs at the same time; a further one is left out */
  constructor(everySeconds: number, atOnce: number, run: () => Promise<unknown>) {
    this.#run = run;
    this.#atOnce = atOnce;
    this.#timer = setInterval(() => this.#begin(), everySeconds * 1_000);
    this.#begin();
  }

  /** Waits until the current runs have ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#running);
  }

  #begin(): void {
    if (this.#running.size >= this.#atOnce) return;
    const running = this.#run()
      .then(
        () => {
          this.#isFailing = false;
        },
        (error) => {
          // A repeated failure is logged only the first time.
          if (!this.#isFailing) logError('A background function failed. It runs again.', error);
          this.#isFailing = true;
        },
      )
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}
