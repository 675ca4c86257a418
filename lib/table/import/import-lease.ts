import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { milliseconds } from '../dynamodb/clock.ts';
import { isStill } from '../dynamodb/conditions.ts';
import { ConditionFailed, Unavailable } from '../errors.ts';
import { keys } from '../keys.ts';
import { type Key, Table } from '../table.ts';
import { repeatTransaction } from '../writer/repeat-write.ts';

const leaseMilliseconds = 20_000;
const renewalMilliseconds = 5_000;
const pollMilliseconds = 500;
const waitMillisecondsMax = 600_000;

/** A monotonic clock of this machine. The clocks of two machines differ. */
export interface Clock {
  /** Milliseconds since some moment. */
  now(): number;
  pause(milliseconds: number): Promise<unknown>;
}

const ownClock: Clock = { now: milliseconds, pause };

/**
 * Lets one import of a workspace run at a time (W4); a second one waits for the first. A lease ends when it was not
 * renewed for 20 seconds, by the clock of the import that waits. Another import may then take over. So the table passed
 * to `run` refuses every call 20 seconds after the last renewal. Until `run` names the kinds that it holds, it holds all.
 * @param onWait called when the import starts to wait
 * @throws Unavailable if the other import does not end within ten minutes, or has taken over
 */
export async function withImportLease<Result>(
  table: Table,
  workspaceId: string,
  run: (held: Table, hold: (kinds: readonly string[]) => Promise<void>) => Promise<Result>,
  onWait: () => void,
  clock: Clock = ownClock,
): Promise<Result> {
  const loss = new AbortController();
  const lose = (message: string) => loss.abort(new Unavailable(message));
  let end: NodeJS.Timeout | undefined;
  const endAt = (until: number): void => {
    clearTimeout(end);
    end = setTimeout(lose, until - clock.now(), 'The lease of this import has run out; another may have taken over.');
  };
  const holder: Holder = { table, key: keys.importLease(workspaceId), owner: randomUUID(), clock };
  endAt(await acquire(holder, onWait));
  let renewal = Promise.resolve();
  const renewNext = (): Promise<void> => {
    renewal = put(holder, isOwn).then(endAt, (error) => {
      if (error instanceof ConditionFailed) lose('Another import of this workspace has taken over.');
    });
    return renewal;
  };
  const timer = setInterval(renewNext, renewalMilliseconds);
  try {
    const signal = AbortSignal.any([table.connection.signal, loss.signal]);
    return await run(new Table({ ...table.connection, signal }), (kinds) => {
      holder.kinds = kinds;
      return renewNext();
    });
  } catch (error) {
    throw loss.signal.aborted ? loss.signal.reason : error;
  } finally {
    clearInterval(timer);
    // A renewal in flight could store the lease after its release.
    await renewal;
    clearTimeout(end);
    await release(holder);
  }
}

interface Holder {
  readonly table: Table;
  readonly key: Key;
  readonly owner: string;
  readonly clock: Clock;
  /** The kinds that the import holds; undefined for all. */
  kinds?: readonly string[];
}

/** @returns the end of the lease, on the holder's clock */
async function acquire(holder: Holder, onWait: () => void): Promise<number> {
  const { clock } = holder;
  const giveUpAt = clock.now() + waitMillisecondsMax;
  /** The last renewal of another import. Each renewal stores a new id. */
  let seen: string | undefined;
  let seenAt = clock.now();
  for (;;) {
    const hasEnded = seen !== undefined && clock.now() - seenAt >= leaseMilliseconds;
    try {
      return await (hasEnded ? put(holder, `${isFree} OR #renewal = :ended`, { ':ended': seen }) : put(holder, isFree));
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const renewal = String(error.item?.['renewal']);
      if (seen === undefined) onWait();
      if (renewal !== seen) seenAt = clock.now();
      seen = renewal;
    }
    if (clock.now() > giveUpAt) throw new Unavailable('Another import of this workspace is still running.');
    await clock.pause(pollMilliseconds);
  }
}

const isOwn = '#owner = :owner';
/** The client repeats a write whose reply was lost. The retry then finds its own lease. */
const isFree = `attribute_not_exists(pk) OR ${isOwn}`;

/**
 * @returns the end of the lease, on the holder's clock
 * @throws ConditionFailed with the lease of another import
 */
async function put({ table, key, owner, clock, kinds }: Holder, condition: string, values = {}): Promise<number> {
  const until = clock.now() + leaseMilliseconds;
  await table.put(
    { ...key, owner, renewal: randomUUID(), renewedAt: new Date().toISOString(), ...(kinds && { kinds }) },
    {
      ConditionExpression: condition,
      ExpressionAttributeValues: { ':owner': owner, ...values },
    },
  );
  return until;
}

/** A lease that cannot be released expires. The result of the import is more important. */
const release = ({ table, key, owner }: Holder): Promise<void> =>
  repeatTransaction(table, { lease: { Delete: { Key: key, ...isStill('owner', owner) } } }).catch(() => undefined);
