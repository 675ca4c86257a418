import type { Principal } from '#lib/domain/principal.ts';
import { BoundedCache } from './bounded-cache.ts';
import { ConditionFailed } from './errors.ts';
import { keys } from './keys.ts';
import type { Item } from './schema.ts';
import type { Table } from './table.ts';

const minute = 60_000;
const triesMax = 4;

/** Tokens that this function has taken from a bucket and not used yet. */
interface Lease {
  readonly left: number;
  readonly until: number;
  /** When the bucket is full again if nobody takes anything, in milliseconds since 1970. */
  readonly fullAt: number;
}

/** Whether a call may go on, and how the key's bucket stands. */
export interface RateDecision {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Seconds until the bucket is full again. */
  readonly fullIn: number;
  /** Seconds until there is a token again; 0 when there is one. */
  readonly retryAfter: number;
}

const leases = new BoundedCache<Lease>(10_000);

/**
 * Access pattern R1: takes one token of the key's bucket, which holds as many as a minute brings. Tokens are leased for
 * a second's worth of calls at once, so that a busy key costs a fraction of a write per call.
 * @throws Unavailable
 */
export async function takeToken(
  table: Table,
  key: Pick<Principal, 'workspaceId' | 'keyId'>,
  perMinute: number,
  now = Date.now(),
): Promise<RateDecision> {
  const address = `${table.name}#${key.workspaceId}#${key.keyId}`;
  const interval = minute / perMinute;
  const known = leases.get(address);
  const lease = known && known.left > 0 && known.until > now ? known : await newLease(table, key, interval, now);
  leases.set(address, { ...lease, left: Math.max(0, lease.left - 1) });
  const inBucket = Math.max(0, Math.floor((now + minute - lease.fullAt) / interval));
  return {
    isAllowed: lease.left > 0,
    remaining: lease.left > 0 ? inBucket + lease.left - 1 : 0,
    fullIn: Math.max(0, Math.ceil((lease.fullAt - now) / 1_000)),
    retryAfter: lease.left > 0 ? 0 : Math.max(1, Math.ceil((lease.fullAt + interval - now - minute) / 1_000)),
  };
}

/** A bucket is the moment at which it is full again: taking a token moves it on by the time that a token takes. */
async function newLease(
  table: Table,
  { workspaceId, keyId }: Pick<Principal, 'workspaceId' | 'keyId'>,
  interval: number,
  now: number,
): Promise<Lease> {
  const until = now + minute;
  const wanted = Math.max(1, Math.floor(1_000 / interval));
  let fullAt = 0;
  for (let tries = 1; tries <= triesMax; tries++) {
    const free = Math.floor((until - Math.max(fullAt, now)) / interval + 1e-9);
    const count = Math.min(wanted, free);
    if (count < 1) break;
    try {
      const bucket = await table.update(keys.rateBucket(workspaceId, keyId), take(fullAt > now, count * interval, now));
      return { left: count, until, fullAt: Number(bucket['fullAt']) };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      fullAt = Number((error.item as Item | undefined)?.['fullAt'] ?? 0);
    }
  }
  return { left: 0, until: now, fullAt };
}

function take(isInUse: boolean, cost: number, now: number) {
  return {
    UpdateExpression: isInUse ? 'SET fullAt = fullAt + :cost, #ttl = :ttl' : 'SET fullAt = :next, #ttl = :ttl',
    ConditionExpression: isInUse
      ? 'fullAt > :now AND fullAt <= :latest'
      : 'attribute_not_exists(fullAt) OR fullAt <= :now',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':now': now,
      ':ttl': Math.ceil((now + 10 * minute) / 1_000),
      ...(isInUse ? { ':cost': cost, ':latest': now + minute - cost + 1e-6 } : { ':next': now + cost }),
    },
  };
}
