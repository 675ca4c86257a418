import { createHash, randomUUID } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { recordBytesMax } from '#lib/domain/stored-size.ts';
import type { Caller } from './api-keys.ts';
import { ConditionFailed } from './errors.ts';
import { keys } from './keys.ts';
import type { Key } from './schema.ts';
import type { Table, TransactItem } from './table.ts';

const daySeconds = 24 * 60 * 60;

/** What an Idempotency-Key stands for. */
export interface Remembered {
  /** Tells whether a call is the same one. */
  readonly requestHash: string;
  /** What the call was answered with; absent until that is known, and when it is too large. */
  readonly answer: string | undefined;
  /** Names this very writing of it. */
  readonly version: string;
}

/**
 * What an Idempotency-Key of an API key stands for, for 24 hours. It is written in the transaction that does the work,
 * so that the work is done once or not at all, whatever dies. Access pattern I1.
 */
export class Repeat {
  readonly #table: Table;
  readonly #key: Key;

  /** @param place what the key counts for, such as an entry */
  constructor(table: Table, { workspaceId, keyId }: Caller, place: string, key: string) {
    this.#table = table;
    // Hashed, since the key may be longer than that of an item.
    const hash = createHash('sha256').update(JSON.stringify([keyId, place, key]));
    this.#key = keys.repeat(workspaceId, hash.digest('hex'));
  }

  /** @returns nothing when the key is new, or was used more than 24 hours ago @throws Unavailable */
  async find(): Promise<Remembered | undefined> {
    const item = await this.#table.get(this.#key);
    return item && Number(item['ttl']) > seconds() ? rememberedIn(item) : undefined;
  }

  /**
   * What a transaction begins with that does the work; when the key was used meanwhile, nothing of it is done.
   * @param answer as far as it is known beforehand; else `complete` adds it
   * @param instead what the key stood for and is to stand for no more
   */
  use(requestHash: string, answer?: string, instead?: Remembered): TransactItem {
    const item = { ...this.#key, requestHash, version: randomUUID(), ttl: seconds() + daySeconds };
    const Item = answer === undefined ? item : { ...item, answer: gzipSync(answer) };
    return { Put: { TableName: this.#table.name, Item, ...isUnused(instead) } };
  }

  /** What has kept a transaction from being done, if it was the key; perhaps itself, when its reply was lost. */
  usedIn(error: unknown): Remembered | undefined {
    const item = error instanceof ConditionFailed ? error.item : undefined;
    return item && item['pk'] === this.#key.pk && item['sk'] === this.#key.sk ? rememberedIn(item) : undefined;
  }

  /** Remembers the answer to work that is done, unless one is remembered. @throws ConditionFailed, Unavailable */
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

function rememberedIn({ requestHash, version, answer }: Readonly<Record<string, unknown>>): Remembered {
  return {
    requestHash: String(requestHash),
    version: String(version),
    answer: answer instanceof Uint8Array ? gunzipSync(answer).toString() : undefined,
  };
}

/** The engine may delete an item days after its time. */
const isUnused = (instead: Remembered | undefined) => ({
  ConditionExpression: `attribute_not_exists(pk) OR #ttl <= :now${instead ? ' OR #version = :version' : ''}`,
  ExpressionAttributeNames: { '#ttl': 'ttl', ...(instead && { '#version': 'version' }) },
  ExpressionAttributeValues: { ':now': seconds(), ...(instead && { ':version': instead.version }) },
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
});

const seconds = (): number => Math.ceil(Date.now() / 1_000);
