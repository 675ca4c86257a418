import { createHash, randomUUID } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Principal } from '#lib/domain/principal.ts';
import { recordBytesMax } from '#lib/domain/stored-size.ts';
import { ConditionFailed } from './errors.ts';
import { keys } from './keys.ts';
import type { Item } from './schema.ts';
import type { Table } from './table.ts';

const daySeconds = 24 * 60 * 60;
/** Longer than any request takes: whoever claims a key and is gone by then has been killed. */
const leaseSeconds = 15;

/** What a call with an Idempotency-Key meets. */
export type Claim =
  | { readonly kind: 'new' | 'in flight' }
  /** The answer of an earlier call. */
  | { readonly kind: 'answered'; readonly answer: string }
  | { readonly kind: 'another request' };

/** What an Idempotency-Key of an API key stands for, for 24 hours. Access pattern I1. */
export class Repeat {
  readonly #table: Table;
  readonly #item: Item;
  readonly #owner = randomUUID();

  /** @param place what the key counts for, such as an entry; @param requestHash tells whether a call is the same one */
  constructor(table: Table, principal: Principal, place: string, key: string, requestHash: string) {
    this.#table = table;
    // A key that may see other things by now has not had this answer.
    const view = JSON.stringify([principal.keyId, [...principal.permissions].sort(), place, key]);
    const hash = createHash('sha256').update(view).digest('hex');
    this.#item = { ...keys.repeat(principal.workspaceId, hash), requestHash };
  }

  /** @throws Unavailable */
  async claim(now = seconds()): Promise<Claim> {
    const lease = { owner: this.#owner, leaseUntil: now + leaseSeconds, ttl: now + daySeconds };
    try {
      await this.#table.put({ ...this.#item, ...lease }, isFree(now));
      return { kind: 'new' };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      return this.#meet(error.item);
    }
  }

  /** Remembers the answer; one that is too large is not remembered, and a repetition is carried out again. */
  async finish(answer: string, now = seconds()): Promise<void> {
    const zipped = gzipSync(answer);
    if (zipped.length > recordBytesMax) return this.release();
    await this.#table.put({ ...this.#item, answer: zipped, ttl: now + daySeconds });
  }

  /** Makes the key as good as new. */
  async release(): Promise<void> {
    await this.#table.put({ ...this.#item, leaseUntil: 0, ttl: seconds() });
  }

  #meet(found: Record<string, unknown> | undefined): Claim {
    // Our own claim, whose reply was lost.
    if (!found || found['owner'] === this.#owner) return { kind: 'new' };
    if (found['requestHash'] !== this.#item['requestHash']) return { kind: 'another request' };
    const { answer } = found;
    return answer instanceof Uint8Array
      ? { kind: 'answered', answer: gunzipSync(answer).toString() }
      : { kind: 'in flight' };
  }
}

const isFree = (now: number) => ({
  ConditionExpression: 'attribute_not_exists(pk) OR #ttl <= :now OR leaseUntil <= :now',
  ExpressionAttributeNames: { '#ttl': 'ttl' },
  ExpressionAttributeValues: { ':now': now },
});

const seconds = (): number => Math.ceil(Date.now() / 1_000);
