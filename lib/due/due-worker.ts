import { setTimeout as pause } from 'node:timers/promises';
import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent, ScheduledEvent } from 'aws-lambda';
import { logWork } from '#lib/http/work-log.ts';
import { type ClaimedWork, DueQueue, dueAddress } from '#lib/table/due/due-queue.ts';
import { type DueType, dueShards } from '#lib/table/due/keys.ts';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { type Key, Table } from '#lib/table/table.ts';

export interface DueWork<Payload = object> {
  readonly type: DueType;
  /** The subject of its log lines. */
  readonly name: string;
  /** The number of attempts at the same time. */
  readonly lanes: number;
  /** The number of them in one group, in this process. @default lanes */
  readonly groupLanes?: number;
  /** An attempt begins while there is as much time. Its calls end after this time, or after `attemptMilliseconds`. */
  readonly neededMilliseconds: number;
  readonly attemptMilliseconds?: number;
  /**
   * The wait after an attempt. Without this function, failed work stays where it is, and the next run tries it again.
   * @param attempts how many have begun
   * @param error why the last one failed
   * @returns milliseconds; undefined to park the work
   */
  pauseAfter?(attempts: number, error?: Error): number | undefined;
  /**
   * An attempt. It can happen more than once: a process may be killed before it has recorded the end.
   */
  handle(item: ClaimedWork & Payload, attempt: Attempt): Promise<Outcome>;
}

/**
 * How an attempt has ended. `again`: a part is left. `later`: a run of the schedule makes the attempt. `parked`: it waits
 * until somebody makes it due. A time, in milliseconds since 1970: it is due again then.
 */
export type Outcome = 'done' | 'again' | 'later' | 'parked' | { readonly dueAt: number };

export interface Attempt {
  /** Whether the stream has started it. Then other new work may wait for its end. */
  readonly isWoken: boolean;
  /** Ends the calls of the attempt. */
  readonly signal: AbortSignal;
  readonly table: Table;
  readonly isTimeLeft: () => boolean;
}

interface Run extends Pick<Context, 'getRemainingTimeInMillis'> {
  /** What is due at this time is done, in milliseconds since 1970. */
  readonly now: number;
  readonly isWoken: boolean;
}

/** The clocks of two containers differ by no more. */
const clockMilliseconds = 30_000;
/** The time to record the end of an attempt. */
const recordMilliseconds = 5_000;
const searchMilliseconds = 30_000;
/** A throttled receiver refuses faster than it accepts. */
const refusalPauseMilliseconds = 500;
/** Failed work that stays where it is needs an operator after this time. */
const overdueMilliseconds = 60 * 60_000;

/** The time that a function needs for its longest step. */
export const stepMilliseconds = ({ neededMilliseconds }: DueWork): number =>
  Math.max(searchMilliseconds, neededMilliseconds + recordMilliseconds);

const client = tableClient();
/** The table for work outside of a request. */
export const tableFor = (signal: AbortSignal): Table =>
  new Table({ client, name: process.env['TABLE_NAME'] ?? '', signal });

/**
 * The handler of a function that does due work. A stream starts new work at once; a schedule finds all that is due. The
 * stream only wakes the function up: the table holds the state.
 */
export const dueWorker =
  (work: DueWork) =>
  async (
    event: DynamoDBStreamEvent | ScheduledEvent,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<DynamoDBBatchResponse | undefined> => {
    const getRemainingTimeInMillis = () => context.getRemainingTimeInMillis();
    if (!('Records' in event))
      return sweep(work, { now: Date.parse(event.time), isWoken: false, getRemainingTimeInMillis });
    // Work that is due later was postponed, unless the clock of its writer is ahead.
    const now = Date.now() + clockMilliseconds;
    return workOnNew(work, event.Records, { now, isWoken: true, getRemainingTimeInMillis });
  };

/** @returns the records to deliver again: there was no time, or the end of the attempt could not be recorded */
async function workOnNew(work: DueWork, records: readonly DynamoDBRecord[], run: Run): Promise<DynamoDBBatchResponse> {
  const failed: string[] = [];
  const found = records.flatMap(({ dynamodb }) => {
    const { pk, sk } = dynamodb?.Keys ?? {};
    const key = { pk: pk?.S ?? '', sk: sk?.S ?? '' };
    return dueAddress(key).dueAt <= run.now ? [{ ...key, number: dynamodb?.SequenceNumber ?? '' }] : [];
  });
  await workFairly(found, work, async ({ number, ...key }) => {
    if (!(await attempt(work, key, run))) failed.push(number);
  });
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

/** Reads each shard once. @throws Unavailable when one cannot be read; the work of the others is done */
async function sweep(work: DueWork, run: Run): Promise<undefined> {
  const queue = new DueQueue(tableFor(AbortSignal.timeout(searchMilliseconds)));
  const searches = await Promise.allSettled(dueShards.map((shard) => queue.due(work.type, shard, run.now)));
  const found = searches.flatMap((search) => (search.status === 'fulfilled' ? search.value : []));
  await workFairly(found, work, (key) => attempt(work, key, run));
  const failed = searches.find((search) => search.status === 'rejected');
  if (failed) throw failed.reason;
  return undefined;
}

/** The attempts of each group that are under way in this process. Local runs may overlap. */
const running = new Map<string, number>();
const count = (name: string, change: number) => running.set(name, (running.get(name) ?? 0) + change);

/**
 * Works on items in a few lanes. The next one is of the group with the fewest attempts under way, the groups in turn,
 * beginning with the oldest item. So a group that is slow or has much to do delays no other.
 */
async function workFairly<Item extends Key>(
  items: readonly Item[],
  { type, lanes, groupLanes = lanes }: Pick<DueWork, 'type' | 'lanes' | 'groupLanes'>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const inOrder = items.toSorted((a, b) => (a.sk < b.sk ? -1 : Number(a.sk > b.sk)));
  const byGroup = Map.groupBy(inOrder, (item) => `${type}#${dueAddress(item).group}`);
  let groups = [...byGroup].map(([name, waiting]) => ({ name, waiting }));
  const under = (name: string) => running.get(name) ?? 0;
  const lane = async () => {
    for (;;) {
      const [first, ...rest] = groups.filter(({ name }) => under(name) < groupLanes);
      if (!first) return;
      const group = rest.reduce((best, other) => (under(other.name) < under(best.name) ? other : best), first);
      const item = group.waiting.shift();
      const others = groups.filter((other) => other !== group);
      groups = group.waiting.length > 0 ? [...others, group] : others;
      count(group.name, 1);
      try {
        if (item) await work(item);
      } finally {
        count(group.name, -1);
        if (under(group.name) === 0) running.delete(group.name);
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** @returns whether the item needs no further work now */
async function attempt(work: DueWork, key: Key, run: Run): Promise<boolean> {
  const { neededMilliseconds, attemptMilliseconds = neededMilliseconds } = work;
  const millisecondsLeft = () => run.getRemainingTimeInMillis() - recordMilliseconds - 1_000;
  if (millisecondsLeft() < neededMilliseconds) return false;
  const milliseconds = Math.min(attemptMilliseconds, millisecondsLeft());
  const signal = AbortSignal.timeout(milliseconds);
  const table = tableFor(signal);
  try {
    // A lease ends after its attempt and the record of its end, by any clock. So two attempts never overlap.
    const item = await new DueQueue(table).claim(key, milliseconds + recordMilliseconds + clockMilliseconds);
    if (!item) return true;
    const isTimeLeft = () => !signal.aborted && millisecondsLeft() >= neededMilliseconds;
    const error = await settle(work, item, { signal, table, isTimeLeft, isWoken: run.isWoken }, run);
    if (error) await pause(refusalPauseMilliseconds);
    return true;
  } catch (error) {
    const { name, message } = error as Error;
    logWork('warn', `${work.name} is left for later.`, { key: key.sk, reason: `${name}: ${message}` });
    return false;
  }
}

/** Makes an attempt and records its end. @returns why it failed @throws Unavailable if the end could not be recorded */
async function settle(work: DueWork, item: ClaimedWork, attempt: Attempt, run: Run): Promise<Error | undefined> {
  const outcome = await outcomeOf(work, item, attempt);
  const queue = new DueQueue(attempt.table.withTimeout(recordMilliseconds));
  if (!(outcome instanceof Error) && outcome !== 'again') {
    await ended(queue, item, outcome);
    return undefined;
  }
  const error = outcome === 'again' ? undefined : outcome;
  const milliseconds = work.pauseAfter?.(item.attempts, error);
  const { workspaceId, attempts } = item;
  const { id, dueAt } = dueAddress(item);
  const about = { work: work.type, id, workspaceId, attempts, reason: error && kindOf(error) };
  if (!work.pauseAfter) {
    await queue.release(item);
    logWork(run.now - dueAt > overdueMilliseconds ? 'error' : 'warn', `${work.name} has failed.`, about);
  } else if (milliseconds === undefined) {
    await queue.park(item, error?.message ?? '');
    logWork('error', `${work.name} is parked.`, about);
  } else {
    await queue.postpone(item, Date.now() + milliseconds, error?.message);
    const nextAttemptSeconds = milliseconds / 1_000;
    if (error) logWork('warn', `${work.name} is put off.`, { ...about, nextAttemptSeconds });
  }
  return error;
}

/** Records an end that the work has decided on. @throws Unavailable */
function ended(queue: DueQueue, item: ClaimedWork, outcome: Exclude<Outcome, 'again'>): Promise<unknown> {
  if (outcome === 'done') return queue.finish(item);
  if (outcome === 'later') return queue.release(item);
  return outcome === 'parked' ? queue.park(item, '') : queue.postpone(item, outcome.dueAt);
}

async function outcomeOf(work: DueWork, item: ClaimedWork, attempt: Attempt): Promise<Outcome | Error> {
  // The attempt before was the last one, and it has not come to an end.
  const isCrashed = item.attempts > 1 && work.pauseAfter && work.pauseAfter(item.attempts - 1) === undefined;
  if (isCrashed) return Object.assign(new Error('No attempt came to an end.'), { name: 'AttemptsLost' });
  try {
    return await work.handle(item, attempt);
  } catch (error) {
    return error as Error;
  }
}

/** The error's name for the log. Its message may contain addresses and stays in the table. */
const kindOf = ({ name, cause }: Error): string => (cause instanceof Error ? cause.name : name);
