import type { Principal } from '#lib/domain/access/principal.ts';
import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import { containerMemory } from '../memory/container-memory.ts';
import type { Item } from '../schema.ts';
import type { Table } from '../table.ts';

const minute = 60_000;
/** Tokens that are unused at the end of a lease are lost, so leases are short and start small. */
const leaseMilliseconds = 2_000;
const leaseBytes = 200;
const triesMax = 4;
/** The stored time is a sum of fractions. */
const tolerance = 1e-6;

/** The caller whose calls are counted. */
export type CountedCaller = Pick<Principal, 'workspaceId' | 'callerId'>;

/** Tokens that a container has taken from a key's bucket. */
interface Lease {
  readonly count: number;
  left: number;
  /** In milliseconds since 1970. For an empty bucket: the time of its next token. */
  readonly until: number;
  /** When the bucket is full again if no more tokens are taken, in milliseconds since 1970. */
  readonly fullAt: number;
  readonly isBucketEmpty: boolean;
}

/** Whether a call is allowed, and the state of the caller's bucket. */
export interface RateDecision {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Seconds until the bucket is full again. */
  readonly fullIn: number;
  /** Seconds until the next token; 0 if there is one. */
  readonly retryAfter: number;
}

/**
 * Counts the calls of API keys. The bucket of a key holds as many tokens as a minute brings (access pattern R1). A
 * container leases tokens: one at first, then twice as many each time, up to the tokens of a second. So a busy key
 * costs a fraction of a write per call, and unused leases do not empty the bucket.
 */
export class RateLimiter {
  readonly #leases = containerMemory.view<Lease>();
  readonly #renewals = new Map<string, Promise<void>>();

  /** Takes one token of a key's bucket. @throws Unavailable */
  async take(table: Table, caller: CountedCaller, perMinute: number, now = Date.now()): Promise<RateDecision> {
    const address = `${table.name}#${caller.workspaceId}#${caller.callerId}`;
    const interval = minute / perMinute;
    for (;;) {
      const lease = this.#leases.get(address);
      if (lease && isCurrent(lease, now)) {
        if (!lease.isBucketEmpty) lease.left--;
        return decision(lease, interval, now);
      }
      // Concurrent calls wait for one lease. The call that renews it may run out of time while others still have some.
      const renewal = this.#renewals.get(address);
      if (renewal) await renewal.catch(() => undefined);
      else await this.#renew(address, newLease(table, caller, interval, now, this.#leaseSize(address, interval, now)));
    }
  }

  /** Whether the bucket was empty at this container's last look. */
  wasEmpty(table: Table, { workspaceId, callerId }: CountedCaller): boolean {
    return this.#leases.get(`${table.name}#${workspaceId}#${callerId}`)?.isBucketEmpty ?? false;
  }

  #renew(address: string, leasing: Promise<Lease>): Promise<void> {
    const renewal = leasing
      .then((lease) => this.#leases.set(address, lease, leaseBytes))
      .finally(() => this.#renewals.delete(address));
    this.#renewals.set(address, renewal);
    return renewal;
  }

  #leaseSize(address: string, interval: number, now: number): number {
    const before = this.#leases.get(address);
    const wasUsedUp = before && !before.isBucketEmpty && before.left === 0 && before.until > now;
    return wasUsedUp ? Math.min(2 * before.count, Math.max(1, Math.floor(1_000 / interval))) : 1;
  }
}

const isCurrent = ({ left, until, isBucketEmpty }: Lease, now: number): boolean =>
  (left > 0 || isBucketEmpty) && until > now + tolerance;

function decision({ left, fullAt, isBucketEmpty }: Lease, interval: number, now: number): RateDecision {
  const inBucket = Math.max(0, Math.floor((now + minute - fullAt) / interval));
  return {
    isAllowed: !isBucketEmpty,
    remaining: isBucketEmpty ? 0 : inBucket + left,
    fullIn: Math.max(0, Math.ceil((fullAt - now) / 1_000)),
    retryAfter: isBucketEmpty ? Math.max(1, Math.ceil((fullAt + interval - now - minute) / 1_000)) : 0,
  };
}

/**
 * A bucket is stored as the time at which it is full again. Each token moves this time on by the interval of one token.
 */
async function newLease(
  table: Table,
  caller: CountedCaller,
  interval: number,
  now: number,
  size: number,
): Promise<Lease> {
  let fullAt = 0;
  for (let tries = 1; tries <= triesMax; tries++) {
    if (fullAt > now + minute + tolerance) fullAt = await correctBucket(table, caller, fullAt, now);
    const free = Math.floor((now + minute - Math.max(fullAt, now)) / interval + 1e-9);
    const count = Math.min(size, free);
    if (count < 1) return emptyBucket(fullAt, interval, now);
    try {
      const bucket = await table.update(
        keys.rateBucket(caller.workspaceId, caller.callerId),
        takeTokens(fullAt > now, count * interval, now),
      );
      const until = now + leaseMilliseconds;
      return { count, left: count, until, fullAt: Number(bucket['fullAt']), isBucketEmpty: false };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      fullAt = Number((error.item as Item | undefined)?.['fullAt'] ?? 0);
    }
  }
  // Other containers take all new tokens.
  return emptyBucket(fullAt, interval, now);
}

/**
 * No bucket is full later than in a minute. A container whose clock is ahead has stored another time, which would refuse
 * the caller until then.
 * @returns the corrected time at which the bucket is full
 */
async function correctBucket(table: Table, caller: CountedCaller, stored: number, now: number): Promise<number> {
  const fullAt = now + minute;
  try {
    await table.update(keys.rateBucket(caller.workspaceId, caller.callerId), {
      UpdateExpression: 'SET fullAt = :fullAt',
      ConditionExpression: 'fullAt = :stored',
      ExpressionAttributeValues: { ':fullAt': fullAt, ':stored': stored },
    });
  } catch (error) {
    // Another container has changed the bucket in the meantime.
    if (!(error instanceof ConditionFailed)) throw error;
  }
  return fullAt;
}

/** The bucket has no token before this time. Other containers can only make it later. */
const emptyBucket = (fullAt: number, interval: number, now: number): Lease => ({
  count: 0,
  left: 0,
  until: Math.max(now + 1, fullAt + interval - minute),
  fullAt,
  isBucketEmpty: true,
});

function takeTokens(isInUse: boolean, cost: number, now: number) {
  return {
    UpdateExpression: isInUse ? 'SET fullAt = fullAt + :cost, #ttl = :ttl' : 'SET fullAt = :next, #ttl = :ttl',
    ConditionExpression: isInUse
      ? 'fullAt > :now AND fullAt <= :latest'
      : 'attribute_not_exists(fullAt) OR fullAt <= :now',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':now': now,
      ':ttl': Math.ceil((now + 10 * minute) / 1_000),
      ...(isInUse ? { ':cost': cost, ':latest': now + minute - cost + tolerance } : { ':next': now + cost }),
    },
  };
}
