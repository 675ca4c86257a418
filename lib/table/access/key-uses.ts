import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import { containerMemory } from '../memory/container-memory.ts';
import type { Table } from '../table.ts';
import type { KeyIdentity } from './api-keys.ts';

const hourMilliseconds = 3_600_000;
const retryMilliseconds = 60_000;
const recordedBytes = 100;

/** The time until which this container has recorded the use of a key, by key, in milliseconds since 1970. */
const recordedUntil = containerMemory.view<number>();

/**
 * Records the hour in which a key was used, once per hour and container (lib/spec/additions.md section 2, keys). The
 * request does not wait for it, does not fail with it, and does not log its cost.
 */
export function recordUse(table: Table, { workspaceId, keyId }: KeyIdentity, now = Date.now()): void {
  const address = `${table.name}#${workspaceId}#${keyId}`;
  if ((recordedUntil.get(address) ?? 0) > now) return;
  const hour = Math.floor(now / hourMilliseconds) * hourMilliseconds;
  recordedUntil.set(address, hour + hourMilliseconds, recordedBytes);
  const at = new Date(hour).toISOString();
  table
    .inBackground()
    .put(
      { ...keys.keyUse(workspaceId, keyId), at },
      {
        ConditionExpression: 'attribute_not_exists(pk) OR #at < :at',
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ':at': at },
      },
    )
    .catch((error: unknown) => {
      // Another container was first, or the table is unavailable. In the second case a later call retries.
      if (!(error instanceof ConditionFailed)) recordedUntil.set(address, now + retryMilliseconds, recordedBytes);
    });
}
