import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent, ScheduledEvent } from 'aws-lambda';
import { inTurn } from '#lib/domain/in-turn.ts';
import { dueWorker, tableFor } from '#lib/due/due-worker.ts';
import { logWork } from '#lib/http/work-log.ts';
import { dueWorkPrefix } from '#lib/table/due/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { allFollowers, type Follower, followerOf } from '#lib/table/webhooks/followers.ts';
import { followersPartition } from '#lib/table/webhooks/keys.ts';
import { webhookAttempt } from '#lib/webhooks/attempt.ts';
import { follow } from '#lib/webhooks/follow.ts';

const attempt = dueWorker(webhookAttempt);

/** The search for events ends after this time, so that there is time for attempts. The next run goes on. */
export const searchMilliseconds = 15_000;
/** A step that has begun gets this time. */
const stepMilliseconds = 5_000;
const lanes = 8;

type Running = Pick<Context, 'getRemainingTimeInMillis'>;

/**
 * Makes deliveries of new events, and sends what is due. The stream only says that something is new in a workspace; its
 * follower knows which events are. The schedule looks at all followers.
 */
export async function handler(
  event: DynamoDBStreamEvent | ScheduledEvent,
  context: Running,
): Promise<DynamoDBBatchResponse | undefined> {
  if (!('Records' in event)) {
    const followed = await settled(followAll());
    // What has just become a delivery is due, too.
    await attempt({ ...event, time: new Date(Date.now() + 1).toISOString() }, context);
    if (followed instanceof Error) throw followed;
    return undefined;
  }
  const isAttempt = (record: DynamoDBRecord) => partitionOf(record).startsWith(dueWorkPrefix('attempt'));
  const news = event.Records.filter((record) => !isAttempt(record));
  const [failed, attempts] = await Promise.all([
    followNews(news),
    attempt({ Records: event.Records.filter(isAttempt) }, context),
  ]);
  return { batchItemFailures: [...failed, ...(attempts?.batchItemFailures ?? [])] };
}

const partitionOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.Keys?.['pk']?.S ?? '';

/** @returns the records to deliver again: their workspaces could not be followed */
async function followNews(records: readonly DynamoDBRecord[]) {
  const byWorkspace = Map.groupBy(records, workspaceOf);
  const { table, isTimeLeft } = search();
  const failed = await Promise.all(
    [...byWorkspace].map(async ([workspaceId, own]) => {
      const mayBeReplay = own.some((record) => partitionOf(record) === followersPartition);
      const followed = followersOf(table, workspaceId, mayBeReplay).then((followers) =>
        Promise.all(followers.map((follower) => follow(table.uncached(), follower, { isTimeLeft, isSweep: false }))),
      );
      return (await settled(followed)) ? own : [];
    }),
  );
  return failed.flat().map(({ dynamodb }) => ({ itemIdentifier: dynamodb?.SequenceNumber ?? '' }));
}

/** The follower of a workspace, and its replays. */
async function followersOf(table: Table, workspaceId: string, withReplays: boolean): Promise<Follower[]> {
  if (withReplays) return (await allFollowers(table)).filter((follower) => follower.workspaceId === workspaceId);
  const follower = await followerOf(table, workspaceId);
  return follower ? [follower] : [];
}

/** `AUDIT#<workspace>`, `EVENTS#<workspace>`; of a follower it begins the sort key. */
function workspaceOf(record: DynamoDBRecord): string {
  const [, workspaceId] = partitionOf(record).split('#');
  return workspaceId ?? record.dynamodb?.Keys?.['sk']?.S?.split('#')[0] ?? '';
}

/** A follower that fails delays no other. @throws the first failure */
async function followAll(): Promise<void> {
  const { table, isTimeLeft } = search();
  const waiting = inTurn(await allFollowers(table));
  const failures: Error[] = [];
  const lane = async () => {
    for (let follower = waiting.shift(); follower && isTimeLeft(); follower = waiting.shift()) {
      const end = await settled(follow(table.uncached(), follower, { isTimeLeft, isSweep: true }));
      if (!(end instanceof Error)) continue;
      failures.push(end);
      logWork('warn', 'The events of a workspace are followed later.', { workspaceId: follower.workspaceId });
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  if (failures[0]) throw failures[0];
}

function search() {
  const until = Date.now() + searchMilliseconds;
  const table = tableFor(AbortSignal.timeout(searchMilliseconds + stepMilliseconds));
  return { table, isTimeLeft: () => Date.now() < until };
}

/** @returns why the work has failed */
const settled = (work: Promise<unknown>): Promise<Error | undefined> =>
  work.then(
    () => undefined,
    (error: Error) => error,
  );
