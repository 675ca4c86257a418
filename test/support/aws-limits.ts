import { setTimeout as pause } from 'node:timers/promises';
import type { Input, TableCall } from './table-call.ts';

/** The shortest time for which a transaction holds its items, by default. */
const transactionMilliseconds = 20;
/** The units per second of one partition key. */
const unitsPerSecond = { read: 3_000, write: 1_000 } as const;
type Direction = keyof typeof unitsPerSecond;

/** An error reply of DynamoDB. */
export interface Refusal {
  readonly type: string;
  readonly status: number;
  readonly more: object;
}

/** The fate of a call: a refusal, or the parts of a batch that are processed. */
export type Verdict =
  | { readonly refusal: Refusal }
  | {
      /** Whether the part of a batch with this index is processed. */
      readonly isDone: (index: number) => boolean;
      /** Called with the engine's output before the client gets it; without an argument if there was none. */
      readonly end: (output?: Input) => Promise<void>;
    };

/**
 * Limits of DynamoDB on AWS that the local engine lacks. AWS refuses a write of an item that a transaction holds, and a
 * transaction on an item that is being written. It also throttles calls of a partition key without remaining units.
 */
export class AwsLimits {
  readonly #now: () => number;
  readonly #holdMilliseconds: number;
  readonly #held = new Set<string>();
  readonly #writing = new Map<string, number>();
  readonly #buckets: Record<Direction, Map<string, Bucket>> = { read: new Map(), write: new Map() };

  /** @param now in milliseconds @param holdMilliseconds the shortest time for which a transaction holds its items */
  constructor(now: () => number = () => performance.now(), holdMilliseconds = transactionMilliseconds) {
    this.#now = now;
    this.#holdMilliseconds = holdMilliseconds;
  }

  judge(call: TableCall): Verdict {
    const items = itemsOf(call);
    const direction = readOperations.has(call.operation) ? 'read' : 'write';
    if (call.operation === 'TransactWriteItems') return this.#judgeTransaction(items);
    const codes = items.map((item) => this.#refusalOf(item, direction));
    const isBatch = call.operation.startsWith('Batch');
    const refused = codes.filter((code) => code !== undefined);
    if (refused.length > 0 && (!isBatch || refused.length === items.length)) return { refusal: refusal(refused[0]) };
    const done = items.filter((_, index) => codes[index] === undefined);
    const written = direction === 'write' ? done.map(nameOf) : [];
    for (const name of written) this.#writing.set(name, (this.#writing.get(name) ?? 0) + 1);
    return {
      isDone: (index) => codes[index] === undefined,
      end: async (output) => {
        for (const name of written) this.#release(name);
        this.#charge(done, direction, output);
      },
    };
  }

  #judgeTransaction(items: readonly ItemName[]): Verdict {
    const names = items.map(nameOf);
    const codes = items.map((item, index) => {
      const name = names[index] ?? '';
      if (this.#held.has(name) || this.#writing.has(name)) return 'TransactionConflict';
      return this.#isExhausted(item.pk, 'write') ? 'ProvisionedThroughputExceeded' : 'None';
    });
    if (codes.some((code) => code !== 'None')) return { refusal: cancellation(codes) };
    for (const name of names) this.#held.add(name);
    const until = this.#now() + this.#holdMilliseconds;
    return {
      isDone: () => true,
      end: async (output) => {
        await pause(Math.max(0, until - this.#now()));
        for (const name of names) this.#held.delete(name);
        this.#charge(items, 'write', output);
      },
    };
  }

  #refusalOf(item: ItemName, direction: Direction): string | undefined {
    if (this.#isExhausted(item.pk, direction)) return 'ProvisionedThroughputExceededException';
    const isHeld = direction === 'write' && this.#held.has(nameOf(item));
    return isHeld ? 'TransactionConflictException' : undefined;
  }

  #release(name: string): void {
    const left = (this.#writing.get(name) ?? 1) - 1;
    if (left === 0) this.#writing.delete(name);
    else this.#writing.set(name, left);
  }

  #isExhausted = (pk: string, direction: Direction): boolean => this.#bucket(pk, direction).left(this.#now()) <= 0;

  /** Charges the items of a call equally, because the engine reports only the sum. */
  #charge(items: readonly ItemName[], direction: Direction, output: Input): void {
    const consumed: readonly Input[] = [output?.ConsumedCapacity ?? []].flat();
    const units = consumed.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0) || items.length;
    for (const { pk } of items) this.#bucket(pk, direction).take(units / items.length, this.#now());
  }

  #bucket(pk: string, direction: Direction): Bucket {
    const bucket = this.#buckets[direction].get(pk) ?? new Bucket(unitsPerSecond[direction], this.#now());
    this.#buckets[direction].set(pk, bucket);
    return bucket;
  }
}

/** The remaining units of a partition key. A call may take more than remain, as on AWS. */
class Bucket {
  readonly #perSecond: number;
  #units: number;
  #at: number;

  constructor(perSecond: number, now: number) {
    this.#perSecond = perSecond;
    this.#units = perSecond;
    this.#at = now;
  }

  left(now: number): number {
    this.#units = Math.min(this.#perSecond, this.#units + ((now - this.#at) / 1_000) * this.#perSecond);
    this.#at = now;
    return this.#units;
  }

  take(units: number, now: number): void {
    this.#units = this.left(now) - units;
  }
}

interface ItemName {
  readonly pk: string;
  /** Empty for a range. */
  readonly sk: string;
}

const readOperations = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan']);
const nameOf = ({ pk, sk }: ItemName): string => `${pk} ${sk}`;
const textKey = ({ pk, sk }: Input): ItemName => ({ pk: pk.S, sk: sk.S });

/** The items of a call; those of a batch or transaction in order. For a range, its partition. */
export function itemsOf({ operation, input }: TableCall): ItemName[] {
  if (operation === 'Query') return [{ pk: input.ExpressionAttributeValues[':pk'].S, sk: '' }];
  if (operation === 'Scan') return [];
  if (operation === 'TransactWriteItems') {
    return input.TransactItems.flatMap(Object.values).map(({ Key, Item }: Input) => textKey(Key ?? Item));
  }
  if (!operation.startsWith('Batch')) return [textKey(input.Key ?? input.Item)];
  const [wanted]: Input[] = Object.values(input.RequestItems);
  if (operation === 'BatchGetItem') return wanted.Keys.map(textKey);
  return wanted.map(({ PutRequest, DeleteRequest }: Input) => textKey(PutRequest?.Item ?? DeleteRequest.Key));
}

const messages: Readonly<Record<string, string>> = {
  TransactionConflict: 'Transaction is ongoing for the item',
  TransactionConflictException: 'Transaction is ongoing for the item',
  ProvisionedThroughputExceeded: 'The level of configured provisioned throughput for the table was exceeded.',
  ProvisionedThroughputExceededException: 'The level of configured provisioned throughput for the table was exceeded.',
};

const refusal = (type = ''): Refusal => ({ type, status: 400, more: { message: messages[type] } });

const cancellation = (codes: readonly string[]): Refusal => ({
  type: 'TransactionCanceledException',
  status: 400,
  more: {
    message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`,
    CancellationReasons: codes.map((Code) => ({ Code, ...(Code !== 'None' && { Message: messages[Code] }) })),
  },
});
