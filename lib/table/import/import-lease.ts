import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ConditionFailed, Unavailable } from '../errors.ts';
import { keys } from '../keys.ts';
import type { Key } from '../schema.ts';
import type { Table } from '../table.ts';

const leaseMilliseconds = 20_000;
const renewalMilliseconds = 5_000;
const waitMillisecondsMax = 600_000;

/**
 * Lets one import of a workspace run at a time (W4). A second one waits for the first; a lease whose holder has died
 * ends by itself. A holder who was only held up is ended by the table that it is given: no call of it is made any more,
 * or waited for, once another import may have taken over.
 * @throws Unavailable when the other import does not end, or has taken over
 */
export async function withImportLease<Result>(
  table: Table,
  workspaceId: string,
  run: (held: Table) => Promise<Result>,
  onWait: () => void,
): Promise<Result> {
  const key = keys.importLease(workspaceId);
  const owner = randomUUID();
  const loss = new AbortController();
  const lose = (message: string) => loss.abort(new Unavailable(message));
  let end: NodeJS.Timeout | undefined;
  const endAt = (until: number): void => {
    clearTimeout(end);
    end = setTimeout(lose, until - Date.now(), 'The lease of this import has run out; another may have taken over.');
  };
  endAt(await acquire(table, key, owner, onWait));
  let renewal = Promise.resolve();
  const timer = setInterval(() => {
    renewal = hold(table, key, owner).then(endAt, (error) => {
      if (error instanceof ConditionFailed) lose('Another import of this workspace has taken over.');
    });
  }, renewalMilliseconds);
  try {
    return await run(table.endingWith(loss.signal));
  } catch (error) {
    throw loss.signal.aborted ? loss.signal.reason : error;
  } finally {
    clearInterval(timer);
    // Else a renewal that is still under way could put the lease back.
    await renewal;
    clearTimeout(end);
    await release(table, key, owner);
  }
}

/** @returns until when it is held, in milliseconds since 1970 */
async function acquire(table: Table, key: Key, owner: string, onWait: () => void): Promise<number> {
  const giveUpAt = Date.now() + waitMillisecondsMax;
  for (let tries = 0; ; tries++) {
    try {
      return await hold(table, key, owner);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (Date.now() > giveUpAt) throw new Unavailable('Another import of this workspace is still running.');
      if (tries === 0) onWait();
      await pause(500);
    }
  }
}

/** @returns until when it is held, in milliseconds since 1970 @throws ConditionFailed when somebody else holds it */
async function hold(table: Table, key: Key, owner: string): Promise<number> {
  const now = Date.now();
  const until = now + leaseMilliseconds;
  await table.put(
    { ...key, owner, until },
    {
      ConditionExpression: 'attribute_not_exists(pk) OR #owner = :owner OR #until < :now',
      ExpressionAttributeNames: { '#owner': 'owner', '#until': 'until' },
      ExpressionAttributeValues: { ':owner': owner, ':now': now },
    },
  );
  return until;
}

/** A lease that cannot be given back ends by itself, and what the import has to say counts more. */
const release = (table: Table, key: Key, owner: string): Promise<void> =>
  table
    .transact({
      lease: {
        Delete: {
          TableName: table.name,
          Key: key,
          ConditionExpression: '#owner = :owner',
          ExpressionAttributeNames: { '#owner': 'owner' },
          ExpressionAttributeValues: { ':owner': owner },
        },
      },
    })
    .catch(() => undefined);
