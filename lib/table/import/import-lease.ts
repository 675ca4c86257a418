import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ConditionFailed, Unavailable } from '../errors.ts';
import { keys } from '../keys.ts';
import type { Key } from '../schema.ts';
import type { Table } from '../table.ts';

const leaseMilliseconds = 20_000;
const renewalMilliseconds = 5_000;
const waitMillisecondsMax = 600_000;

export interface ImportLease {
  /** To be called between steps. @throws Unavailable when another import has taken over */
  requireHeld(): void;
}

/**
 * Lets one import of a workspace run at a time (W4). A second one waits for the first; a lease whose holder has died
 * ends by itself.
 * @throws Unavailable when the other import does not end
 */
export async function withImportLease<Result>(
  table: Table,
  workspaceId: string,
  run: (lease: ImportLease) => Promise<Result>,
  onWait: () => void,
): Promise<Result> {
  const key = keys.importLease(workspaceId);
  const owner = randomUUID();
  await acquire(table, key, owner, onWait);
  let isLost = false;
  let renewal = Promise.resolve();
  const timer = setInterval(() => {
    renewal = hold(table, key, owner).catch((error) => {
      isLost ||= error instanceof ConditionFailed;
    });
  }, renewalMilliseconds);
  const requireHeld = () => {
    if (isLost) throw new Unavailable('Another import of this workspace has taken over.');
  };
  try {
    return await run({ requireHeld });
  } finally {
    clearInterval(timer);
    // Else a renewal that is still under way could put the lease back.
    await renewal;
    await release(table, key, owner);
  }
}

async function acquire(table: Table, key: Key, owner: string, onWait: () => void): Promise<void> {
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

const hold = (table: Table, key: Key, owner: string): Promise<void> =>
  table.put(
    { ...key, owner, until: Date.now() + leaseMilliseconds },
    {
      ConditionExpression: 'attribute_not_exists(pk) OR #owner = :owner OR #until < :now',
      ExpressionAttributeNames: { '#owner': 'owner', '#until': 'until' },
      ExpressionAttributeValues: { ':owner': owner, ':now': Date.now() },
    },
  );

/** A lease that cannot be given back ends by itself, and what the import has to say counts more. */
const release = (table: Table, key: Key, owner: string): Promise<void> =>
  table
    .transact([
      {
        Delete: {
          TableName: table.name,
          Key: key,
          ConditionExpression: '#owner = :owner',
          ExpressionAttributeNames: { '#owner': 'owner' },
          ExpressionAttributeValues: { ':owner': owner },
        },
      },
    ])
    .catch(() => undefined);
