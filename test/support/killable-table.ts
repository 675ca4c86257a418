import { createHash } from 'node:crypto';
import type { BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { type TableClient, tableClient } from '#lib/table/dynamodb/client.ts';
import type { Operation } from '#lib/table/dynamodb/operations.ts';
import { Table } from '#lib/table/table.ts';
import { testTable } from './world.ts';

type Request = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

const client = tableClient('import');

/**
 * A table whose user is killed after a number of writes. From then on, every call fails. The engine may write the items
 * of a batch in any order and stop anywhere. So each item is a separate write, and the order is shuffled.
 */
export class KillableTable {
  readonly table: Table;
  readonly #writesMax: number;
  readonly #beforeWrite: (writes: number) => unknown;
  #writes = 0;
  #isDead = false;

  /** @param beforeWrite awaited before each write, with the number of earlier writes */
  constructor(writesMax = Number.POSITIVE_INFINITY, beforeWrite: (writes: number) => unknown = () => undefined) {
    this.#writesMax = writesMax;
    this.#beforeWrite = beforeWrite;
    const call = this.#call.bind(this) as TableClient['call'];
    this.table = new Table({ client: { ...client, call }, name: testTable().name });
  }

  /** The number of completed writes. */
  get writes(): number {
    return this.#writes;
  }

  async #call(operation: Operation, input: object, signal: AbortSignal): Promise<unknown> {
    if (operation === 'BatchWriteItem') return this.#writeBatch(input, signal);
    const isWrite = ['PutItem', 'UpdateItem', 'TransactWriteItems'].includes(operation);
    if (isWrite) await this.#beforeWrite(this.#writes);
    this.#count(isWrite ? 1 : 0);
    return client.call(operation, input as never, signal);
  }

  async #writeBatch(input: Partial<BatchWriteCommandInput>, signal: AbortSignal): Promise<unknown> {
    const [[name, requests] = ['', []]] = Object.entries(input.RequestItems ?? {});
    const shuffled = (requests as Request[]).toSorted((a, b) => (this.#noise(a) < this.#noise(b) ? -1 : 1));
    for (const request of shuffled) {
      await this.#beforeWrite(this.#writes);
      this.#count(1);
      await client.call('BatchWriteItem', { RequestItems: { [name]: [request] } }, signal);
    }
    return {};
  }

  #count(writes: number): void {
    this.#isDead ||= this.#writes + writes > this.#writesMax;
    if (this.#isDead) throw new Error('The process was killed.');
    this.#writes += writes;
  }

  /** Pseudo-random, and equal for the same key and number of writes. */
  #noise({ PutRequest, DeleteRequest }: Request): string {
    const { pk, sk } = PutRequest?.Item ?? DeleteRequest?.Key ?? {};
    return createHash('md5').update(`${pk} ${sk} ${this.#writesMax}`).digest('hex');
  }
}
