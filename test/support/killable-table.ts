import { createHash } from 'node:crypto';
import type { BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { type TableClient, tableClient } from '#lib/table/dynamodb/client.ts';
import type { Operation } from '#lib/table/dynamodb/operations.ts';
import { Table } from '#lib/table/table.ts';
import { testTable } from './world.ts';

type Request = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

const client = tableClient('import');

/**
 * Kills `run` after each number of its writes in turn, until one completes. How many writes it makes depends on time: a
 * slow import renews its lease, and a contended transaction is repeated.
 * @param check awaited after each run with the number of writes before the kill; true for the run that completed
 * @param step of the number of writes
 */
export async function killAtEveryWrite(
  run: (table: Table) => Promise<unknown>,
  check: (writes: number, isComplete: boolean) => unknown,
  { first = 0, step = 1 } = {},
): Promise<void> {
  for (let writes = first, isComplete = false; !isComplete; writes += step) {
    const killable = new KillableTable(writes);
    isComplete = await run(killable.table).then(
      () => true,
      (error) => {
        if (!killable.isDead) throw error;
        return false;
      },
    );
    await check(writes, isComplete);
  }
}

/**
 * A table whose user is killed after a number of writes. From then on, every call fails, after the calls in flight have
 * ended. The engine may write the items of a batch in any order and stop anywhere. So each item is a separate write, and
 * the order is shuffled.
 */
export class KillableTable {
  readonly table: Table;
  readonly #writesMax: number;
  readonly #beforeWrite: (writes: number) => unknown;
  readonly #inFlight = new Set<Promise<unknown>>();
  #writes = 0;
  #isDead = false;

  /** @param beforeWrite awaited before each write, with the number of earlier writes */
  constructor(writesMax = Number.POSITIVE_INFINITY, beforeWrite: (writes: number) => unknown = () => undefined) {
    this.#writesMax = writesMax;
    this.#beforeWrite = beforeWrite;
    const call = this.#call.bind(this) as TableClient['call'];
    this.table = new Table({ client: { ...client, call }, name: testTable().name });
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** The number of completed writes. */
  get writes(): number {
    return this.#writes;
  }

  async #call(operation: Operation, input: object, signal: AbortSignal): Promise<unknown> {
    if (operation === 'BatchWriteItem') return this.#writeBatch(input, signal);
    const isWrite = ['PutItem', 'UpdateItem', 'TransactWriteItems'].includes(operation);
    if (isWrite) await this.#beforeWrite(this.#writes);
    await this.#count(isWrite ? 1 : 0);
    return this.#send(operation, input, signal);
  }

  #send(operation: Operation, input: object, signal: AbortSignal): Promise<unknown> {
    const answer = client.call(operation, input as never, signal);
    this.#inFlight.add(answer);
    return answer.finally(() => this.#inFlight.delete(answer));
  }

  async #writeBatch(input: Partial<BatchWriteCommandInput>, signal: AbortSignal): Promise<unknown> {
    const [[name, requests] = ['', []]] = Object.entries(input.RequestItems ?? {});
    const shuffled = (requests as Request[]).toSorted((a, b) => (this.#noise(a) < this.#noise(b) ? -1 : 1));
    for (const request of shuffled) {
      await this.#beforeWrite(this.#writes);
      await this.#count(1);
      await this.#send('BatchWriteItem', { RequestItems: { [name]: [request] } }, signal);
    }
    return {};
  }

  async #count(writes: number): Promise<void> {
    this.#isDead ||= this.#writes + writes > this.#writesMax;
    if (this.#isDead) {
      await Promise.allSettled(this.#inFlight);
      throw new Error('The process was killed.');
    }
    this.#writes += writes;
  }

  /** Pseudo-random, and equal for the same key and number of writes. */
  #noise({ PutRequest, DeleteRequest }: Request): string {
    const { pk, sk } = PutRequest?.Item ?? DeleteRequest?.Key ?? {};
    return createHash('md5').update(`${pk} ${sk} ${this.#writesMax}`).digest('hex');
  }
}
