import { createHash, randomUUID } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Principal } from '#lib/domain/access/principal.ts';
import { recordBytesMax } from '#lib/domain/stored-size.ts';
import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import type { Key, Table, TransactItem, WorkspaceScope } from '../table.ts';

const daySeconds = 24 * 60 * 60;

/** The stored record of a call with an idempotency key. */
export interface RecordedOutcome {
  /** The hash of the request. A retry has the same one. */
  readonly requestHash: string;
  /** The answer to the call; undefined before it is recorded, or if it is too large. */
  readonly answer: string | undefined;
  /** Unique for each write of the record. */
  readonly version: string;
}

/**
 * The record of an idempotency key, kept for 24 hours. The transaction of the work also writes the record. So the work
 * takes effect at most once, even if the process dies. Access pattern I1.
 */
export class IdempotencyRecord {
  readonly #table: Table;
  readonly #key: Key;

  /** @param operation the scope of the key, e.g. the update of one entry */
  constructor(table: Table, owner: WorkspaceScope & Partial<Principal>, operation: string, key: string) {
    const { workspaceId, idempotencyId } = owner;
    this.#table = table;
    // Hashed, because the key may be longer than an item's key.
    const hash = createHash('sha256').update(JSON.stringify([idempotencyId ?? null, operation, key]));
    this.#key = keys.idempotencyRecord(workspaceId, hash.digest('hex'));
  }

  /** @returns undefined if the key is new, or was used more than 24 hours ago @throws Unavailable */
  async find(): Promise<RecordedOutcome | undefined> {
    const item = await this.#table.get(this.#key);
    return item && Number(item['ttl']) > nowSeconds() ? outcomeIn(item) : undefined;
  }

  /**
   * A write for the transaction of the work. If the key is used, it fails, and the transaction with it.
   * @param answer the answer, if it exists before the work; otherwise `complete` adds it
   * @param replaced the outcome that this one replaces
   */
  write(requestHash: string, answer?: string, replaced?: RecordedOutcome): TransactItem {
    const item = { ...this.#key, requestHash, version: randomUUID(), ttl: nowSeconds() + daySeconds };
    const Item = answer === undefined ? item : { ...item, answer: gzipSync(answer) };
    return { Put: { Item, ...isUnused(replaced) } };
  }

  /** The outcome that made a transaction fail. After a lost reply, it is the transaction's own. */
  outcomeIn(error: unknown): RecordedOutcome | undefined {
    const item = error instanceof ConditionFailed ? error.item : undefined;
    return item && item['pk'] === this.#key.pk && item['sk'] === this.#key.sk ? outcomeIn(item) : undefined;
  }

  /** Records the answer to finished work, unless one is recorded. @throws ConditionFailed, Unavailable */
  async complete(requestHash: string, answer: string): Promise<void> {
    const zipped = gzipSync(answer);
    if (zipped.length > recordBytesMax) return;
    await this.#table.update(this.#key, {
      UpdateExpression: 'SET answer = :answer',
      ConditionExpression: 'requestHash = :requestHash AND attribute_not_exists(answer)',
      ExpressionAttributeValues: { ':answer': zipped, ':requestHash': requestHash },
      ReturnValues: 'NONE',
    });
  }
}

/** A note of a recorded answer, for the transaction that records it. Erasing a person finds the answer by its note. */
export function noteOfAnswer(claim: TransactItem | undefined, keyOf: (hash: string) => Key): TransactItem[] {
  const item = claim?.Put?.Item;
  return item ? [{ Put: { Item: { ...keyOf(String(item['sk'])), ttl: item['ttl'] } } }] : [];
}

function outcomeIn({ requestHash, version, answer }: Readonly<Record<string, unknown>>): RecordedOutcome {
  return {
    requestHash: String(requestHash),
    version: String(version),
    answer: answer instanceof Uint8Array ? gunzipSync(answer).toString() : undefined,
  };
}

/** DynamoDB may delete an expired item days late. */
const isUnused = (replaced: RecordedOutcome | undefined) => ({
  ConditionExpression: `attribute_not_exists(pk) OR #ttl <= :now${replaced ? ' OR #version = :version' : ''}`,
  ExpressionAttributeValues: { ':now': nowSeconds(), ...(replaced && { ':version': replaced.version }) },
});

const nowSeconds = (): number => Math.ceil(Date.now() / 1_000);
