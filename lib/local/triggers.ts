import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';
import type { Bundle } from '../bundle/bundle-functions.ts';
import type { TriggeredFunction } from '../endpoints.ts';
import type { DynamoDbAccess } from './dynamodb.ts';
import { Schedule } from './schedule.ts';
import { isNewItem, lambdaRecord } from './stream-event.ts';
import { StreamFollower } from './stream-follower.ts';

const timeoutSecondsDefault = 10;
const handOversMax = 5;
const stopMillisecondsMax = 3_000;

type Handler = (event: object, context: object) => Promise<unknown>;

export interface TriggerOptions {
  readonly triggers: readonly TriggeredFunction[];
  readonly bundles: readonly Bundle[];
  readonly access: DynamoDbAccess;
  readonly tableName: string;
}

export interface Triggers {
  /** Lets what is under way end, for three seconds at most. */
  stop(): Promise<void>;
}

/** Starts functions when the table changes and when it is time, as their declarations say. */
export async function startTriggers({ triggers, bundles, access, tableName }: TriggerOptions): Promise<Triggers> {
  const running: { stop(): Promise<void> }[] = [];
  const stopping = new AbortController();
  for (const { name, trigger } of triggers) {
    const invoke = invoker(bundles, name, trigger.lambda?.timeoutSeconds ?? timeoutSecondsDefault);
    if (trigger.newItems) {
      const { partitionKeyPrefix } = trigger.newItems;
      const follower = await StreamFollower.start(access, tableName, (records) => {
        const wanted = records.filter((record) => isNewItem(record, partitionKeyPrefix));
        return handOver(name, invoke, wanted.map(lambdaRecord), stopping.signal);
      });
      running.push(follower);
    }
    // From the start on: what the last run has left behind is found at once.
    if (trigger.everyMinutes) running.push(new Schedule(trigger.everyMinutes, () => invoke(scheduledEvent())));
  }
  const stop = async () => {
    stopping.abort();
    const patience = new AbortController();
    const ended = Promise.all(running.map((one) => one.stop()));
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

/** Hands a batch over until every record is done; from the first that failed on, a few times more, ever later. */
async function handOver(
  name: string,
  invoke: (event: object) => Promise<unknown>,
  records: readonly DynamoDBRecord[],
  signal: AbortSignal,
): Promise<void> {
  let left = records;
  for (let tries = 1; left.length > 0 && !signal.aborted; tries++) {
    left = await failedOf(left, invoke({ Records: left }));
    if (left.length === 0) return;
    if (tries === handOversMax)
      return console.error(`${name} gave up ${left.length} records; its schedule finds them.`);
    await pause(200 * 2 ** tries, undefined, { signal }).catch(() => undefined);
  }
}

async function failedOf(
  records: readonly DynamoDBRecord[],
  work: Promise<unknown>,
): Promise<readonly DynamoDBRecord[]> {
  try {
    const { batchItemFailures = [] } = ((await work) ?? {}) as Partial<DynamoDBBatchResponse>;
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const first = records.findIndex(({ dynamodb }) => failed.has(dynamodb?.SequenceNumber ?? ''));
    return first === -1 ? [] : records.slice(first);
  } catch (error) {
    console.error(error);
    return records;
  }
}

const scheduledEvent = () => ({
  id: randomUUID(),
  source: 'aws.events',
  'detail-type': 'Scheduled Event',
  time: new Date().toISOString(),
  detail: {},
});
