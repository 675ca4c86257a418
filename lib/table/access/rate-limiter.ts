import type { Principal } from '#lib/domain/access/principal.ts';
import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import { containerMemory } from '../memory/container-memory.ts';
import type { Key, Table } from '../table.ts';

const minute = 60_000;
/** The first guess about a bucket can be wrong, and another container can change it after that. */
const triesMax = 4;
/** The stored time is a sum of fractions. */
const tolerance = 1e-3;
const lookBytes = 100;

export type CountedCaller = Pick<Principal, 'workspaceId' | 'callerId'>;

/** What this container saw of a bucket at its last call. Other containers can only have taken more tokens. */
interface Look {
  /** When the bucket is full again if no more tokens are taken, in milliseconds since 1970. */
  readonly fullAt: number;
  readonly isAllowed: boolean;
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
 * Counts the calls of callers. A bucket holds as many tokens as a minute brings. It is stored as the time at which it is
 * full again, and each token moves this time on by the interval of one token (access pattern R1). A call is one update,
 * which takes a token on the condition that there is one. A bucket known to be empty costs no update.
 */
export class RateLimiter {
  readonly #looks = containerMemory.view<Look>();

  /** Takes one token of a caller's bucket. @throws Unavailable */
  async take(table: Table, caller: CountedCaller, perMinute: number, now = Date.now()): Promise<RateDecision> {
    const address = addressOf(table, caller);
    const bucket = keys.rateBucket(caller.workspaceId, caller.callerId);
    const cost = minute / perMinute;
    const remember = (look: Look): RateDecision => {
      this.#looks.set(address, look, lookBytes);
      return decision(look, cost, now);
    };
    // Containers must not trust a time that another clock has made: no bucket is full later than in a minute.
    let fullAt = Math.min(this.#looks.get(address)?.fullAt ?? 0, now + minute);
    for (let tries = 1; tries <= triesMax && hasToken(fullAt, cost, now); tries++) {
      try {
        const taken = await table.update(bucket, takeToken(fullAt > now, cost, now));
        return remember({ fullAt: Number(taken['fullAt']), isAllowed: true });
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        const stored = Number(error.item?.['fullAt'] ?? 0);
        fullAt = Math.min(stored, now + minute);
        if (stored > fullAt + tolerance) await correct(table, bucket, stored, fullAt);
      }
    }
    return remember({ fullAt, isAllowed: false });
  }

  wasEmpty(table: Table, caller: CountedCaller): boolean {
    return this.#looks.get(addressOf(table, caller))?.isAllowed === false;
  }
}

const addressOf = (table: Table, { workspaceId, callerId }: CountedCaller): string =>
  `${table.name}#${workspaceId}#${callerId}`;

const hasToken = (fullAt: number, cost: number, now: number): boolean => fullAt + cost <= now + minute + tolerance;

function decision({ fullAt, isAllowed }: Look, cost: number, now: number): RateDecision {
  return {
    isAllowed,
    remaining: isAllowed ? Math.max(0, Math.floor((now + minute - fullAt + tolerance) / cost)) : 0,
    fullIn: Math.max(0, Math.ceil((fullAt - now) / 1_000)),
    retryAfter: isAllowed ? 0 : Math.max(1, Math.ceil((fullAt + cost - now - minute) / 1_000)),
  };
}

/** @param isInUse whether the bucket is assumed not to be full */
const takeToken = (isInUse: boolean, cost: number, now: number) => ({
  UpdateExpression: `SET fullAt = ${isInUse ? 'fullAt + :cost' : ':next'}, #ttl = :ttl`,
  ConditionExpression: isInUse
    ? 'fullAt > :now AND fullAt <= :latest'
    : 'attribute_not_exists(fullAt) OR fullAt <= :now',
  ExpressionAttributeValues: {
    ':now': now,
    ':ttl': Math.ceil((now + 10 * minute) / 1_000),
    ...(isInUse ? { ':cost': cost, ':latest': now + minute - cost + tolerance } : { ':next': now + cost }),
  },
});

/** Replaces a time that a container with a fast clock has stored, which would refuse the caller until then. */
const correct = (table: Table, bucket: Key, stored: number, fullAt: number): Promise<unknown> => {
  const update = {
    UpdateExpression: 'SET fullAt = :fullAt',
    ConditionExpression: 'fullAt = :stored',
    ExpressionAttributeValues: { ':fullAt': fullAt, ':stored': stored },
  };
  // Another container may have changed the bucket in the meantime.
  return table.update(bucket, update).catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error;
  });
};
