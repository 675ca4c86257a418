import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ScheduledEvent } from 'aws-lambda';
import { type DueWork, dueWorker } from '#lib/due/due-worker.ts';
import { type ClaimedWork, DueQueue, dueAddress } from '#lib/table/due/due-queue.ts';
import { dueKey, dueShards } from '#lib/table/due/keys.ts';
import { putAll } from '#lib/table/dynamodb/write-all.ts';
import type { Item, Key } from '#lib/table/schema.ts';
import { dueItems, parkedItems } from '#test/support/due-items.ts';
import { freezeDate } from '#test/support/frozen-date.ts';
import { KillableTable } from '#test/support/killable-table.ts';
import { capturedLines } from '#test/support/log-capture.ts';
import { streamRecord } from '#test/support/mail-work.ts';
import { openOwnTable, restoreItems } from '#test/support/own-table.ts';
import { testTable } from '#test/support/world.ts';

await openOwnTable();
beforeEach(() => restoreItems([]));

const minute = 60_000;
/** The time of an attempt: enough for its calls of the table on a busy machine. */
const attemptMilliseconds = 10_000;
/** Stores work of a group. @returns its items */
async function store(group: string, count = 1, dueAt = Date.now() - minute): Promise<Item[]> {
  const items = Array.from({ length: count }, (_, number) => ({
    ...dueKey({ type: 'mail', group, id: `${group}.${number}`, dueAt: dueAt + number }),
    workspaceId: group,
  }));
  await putAll(testTable(), items);
  return items;
}

/** A type of work that notes the ids of its attempts. */
function noting(handle: (id: string) => unknown = () => undefined, rest: Partial<DueWork> = {}) {
  const attempted: string[] = [];
  const work: DueWork = {
    type: 'mail',
    name: 'The work of a test',
    lanes: 8,
    neededMilliseconds: attemptMilliseconds,
    pauseAfter: () => minute,
    ...rest,
    async handle(item) {
      const { id } = dueAddress(item);
      attempted.push(id);
      await handle(id);
      return 'done';
    },
  };
  const context = { getRemainingTimeInMillis: () => 60_000 };
  const worker = dueWorker(work);
  const sweep = () => worker({ time: new Date().toISOString() } as ScheduledEvent, context);
  const stream = (keys: readonly Key[]) => worker({ Records: keys.map(streamRecord) }, context);
  return { attempted, sweep, stream };
}

const claim = async (key: Key, milliseconds = minute) =>
  (await new DueQueue(testTable()).claim(key, milliseconds)) as ClaimedWork;
const due = async (now = Date.now()) => {
  const shards = dueShards.map((shard) => new DueQueue(testTable()).due('mail', shard, now));
  return (await Promise.all(shards)).flat().map((key) => dueAddress(key).id);
};

describe('a process that is killed between any two steps', () => {
  const ends: readonly [string, (queue: DueQueue, item: ClaimedWork) => Promise<unknown>, (left: Place) => boolean][] =
    [
      ['done', (queue, item) => queue.finish(item), ({ queued, parked }) => queued + parked === 0],
      ['postponed', (queue, item) => queue.postpone(item, Date.now() + minute), ({ dueLater }) => dueLater === 1],
      ['parked', (queue, item) => queue.park(item, 'No.'), ({ parked }) => parked === 1],
      ['left where it is', (queue, item) => queue.release(item), ({ dueNow }) => dueNow === 1],
    ];
  interface Place {
    readonly queued: number;
    readonly parked: number;
    readonly dueNow: number;
    readonly dueLater: number;
  }
  const place = async (): Promise<Place> => {
    const queued = (await dueItems('mail')).length;
    const [now, later] = await Promise.all([due(), due(Date.now() + 2 * minute)]);
    const parked = (await parkedItems('mail')).length;
    return { queued, parked, dueNow: now.length, dueLater: later.length - now.length };
  };

  it.each(ends)(
    'leaves work that was to be %s either leased or ended, and never in two places',
    async (_, end, isEnd) => {
      const seen = new Set<string>();
      for (let writes = 0; writes <= 3; writes++) {
        await restoreItems([]);
        const [key] = (await store('ws_1')) as [Item];
        const { table } = new KillableTable(writes);
        const queue = new DueQueue(table);
        const act = async () => {
          const item = await queue.claim(key, minute);
          if (item) await end(queue, item);
        };
        await act().catch(() => undefined);
        const left = await place();
        expect(left.queued + left.parked).toBeLessThanOrEqual(1);
        const [item] = await dueItems('mail');
        if (isEnd(left)) seen.add('ended');
        else expect(left.queued).toBe(1);
        if (item?.leaseUntil !== undefined) seen.add('leased');
      }
      expect(seen).toEqual(new Set(['leased', 'ended']));
    },
  );

  it('is followed by another one when its lease ends, and not before', async () => {
    const [key] = (await store('ws_1')) as [Item];
    await claim(key);
    const { attempted, sweep, stream } = noting();
    await Promise.all([sweep(), stream([key])]);
    expect(attempted).toEqual([]);
    await testTable().put({ ...key, attempts: 1, leaseOwner: 'killed', leaseUntil: Date.now() - 1 });
    await sweep();
    expect([attempted, await dueItems('mail')]).toEqual([['ws_1.0'], []]);
  });

  it('does not undo what its follower did when it comes back to life', async () => {
    const [key] = (await store('ws_1')) as [Item];
    const late = await claim(key, -1);
    const follower = await claim(key);
    const queue = new DueQueue(testTable());
    await queue.release(late);
    await queue.postpone(late, Date.now() + minute);
    await queue.park(late, 'Late.');
    expect(await dueItems('mail')).toMatchObject([{ leaseOwner: follower.leaseOwner, attempts: 2 }]);
    expect(await parkedItems('mail')).toEqual([]);
    await queue.finish(late);
    expect(await dueItems('mail')).toEqual([]);
  });
});

describe('due work', () => {
  it('that is put anew during its attempt stays, and is done again', async () => {
    const [item] = (await store('ws_1')) as [Item];
    let isFirst = true;
    const { attempted, sweep } = noting(async () => {
      if (isFirst) await testTable().put(item);
      isFirst = false;
    });
    await sweep();
    expect(await due()).toEqual(['ws_1.0']);
    await sweep();
    expect([attempted.length, await dueItems('mail')]).toEqual([2, []]);
  });

  it('is read in the order of time, and not before its time', async () => {
    await store('ws_1', 3, Date.now() + minute);
    await store('ws_1', 2, Date.now() - 2 * minute);
    const other = await store('ws_1', 1, Date.now() - 3 * minute);
    expect(await due()).toEqual(['ws_1.0', 'ws_1.0', 'ws_1.1']);
    await new DueQueue(testTable()).postpone(await claim(other[0] as Item), Date.now() - minute / 2);
    expect(await due()).toEqual(['ws_1.0', 'ws_1.1', 'ws_1.0']);
  });

  it('is done one time by four workers at once, with a stream that repeats itself', async () => {
    const groups = ['ws_1', 'ws_2', 'ws_3', 'ws_4', 'ws_5', 'ws_6'];
    const items = (await Promise.all(groups.map((group) => store(group, 15)))).flat();
    const workers = Array.from({ length: 4 }, () => noting());
    const streams = workers.map(({ stream }, index) => stream(items.slice(20 * index, 20 * index + 40).toReversed()));
    await Promise.all([...streams, ...workers.map(({ sweep }) => sweep())]);
    const attempted = workers.flatMap(({ attempted }) => attempted);
    expect(attempted.sort()).toEqual(items.map((item) => dueAddress(item).id).sort());
    expect(await dueItems('mail')).toEqual([]);
  });

  it('that fails without a schedule stays where it is and is tried by the next run', async () => {
    await store('ws_1');
    const { attempted, sweep } = noting(() => Promise.reject(new Error('No.')), { pauseAfter: undefined as never });
    const lines = await capturedLines(async () => {
      await sweep();
      await sweep();
    });
    expect(attempted).toEqual(['ws_1.0', 'ws_1.0']);
    const about = { level: 'warn', id: 'ws_1.0', workspaceId: 'ws_1', reason: 'Error' };
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([1, 2].map((attempts) => ({ ...about, attempts })));
  });
});

describe('a group', () => {
  it('with a long backlog delays no other', async () => {
    await store('ws_flood', 60, Date.now() - 5 * minute);
    const others = Array.from({ length: 9 }, (_, number) => `ws_${number}`);
    await Promise.all(others.map((group) => store(group)));
    const { attempted, sweep } = noting(undefined, { lanes: 2 });
    await sweep();
    expect(attempted).toHaveLength(69);
    const last = Math.max(...others.map((group) => attempted.indexOf(`${group}.0`)));
    expect(last).toBeLessThan(20);
  });

  it('that hangs keeps one lane of eight, while the others have work', async () => {
    await store('ws_hang', 20, Date.now() - 5 * minute);
    const others = Array.from({ length: 9 }, (_, number) => `ws_${number}`);
    await Promise.all(others.map((group) => store(group, 5)));
    const end = Promise.withResolvers<void>();
    let done = 0;
    let hangingAtEnd = 0;
    let hanging = 0;
    const { sweep } = noting((id) => {
      if (id.startsWith('ws_hang')) {
        hanging++;
        return end.promise;
      }
      if (++done === 45) {
        hangingAtEnd = hanging;
        end.resolve();
      }
    });
    await sweep();
    expect([done, hanging]).toEqual([45, 20]);
    expect(hangingAtEnd).toBeLessThan(8);
  });
});

describe('clocks that differ by 30 seconds', () => {
  const { itIs } = freezeDate();

  it('cause no second attempt during the first', async () => {
    const [key] = (await store('ws_1')) as [Item];
    const ahead = noting();
    const first = noting(async () => {
      // At the end of the time of an attempt.
      itIs(attemptMilliseconds + 30_000);
      await Promise.all([ahead.sweep(), ahead.stream([key])]);
    });
    await first.sweep();
    expect([first.attempted, ahead.attempted, await dueItems('mail')]).toEqual([['ws_1.0'], [], []]);
  });

  it('do not keep the stream from starting new work, and postponed work waits', async () => {
    itIs(0);
    const [ahead, postponed] = await Promise.all([
      store('ws_ahead', 1, Date.now() + 29_000),
      store('ws_postponed', 1, Date.now() + minute),
    ]);
    const { attempted, stream } = noting();
    expect(await stream([...ahead, ...postponed])).toEqual({ batchItemFailures: [] });
    expect(attempted).toEqual(['ws_ahead.0']);
  });
});
