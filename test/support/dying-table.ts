import { createHash } from 'node:crypto';
import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { type TableClient, tableClient } from '#lib/table/dynamodb/client.ts';
import { Table } from '#lib/table/table.ts';
import { testTable } from './world.ts';

type Request = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

const client = tableClient('import');

/**
 * A table whose user is killed after a number of writes: from then on every call fails. The engine may write the items
 * of a batch in any order and stop anywhere. So each item is one write, and they are made in another order.
 */
export class DyingTable {
  readonly table: Table;
  readonly #writesMax: number;
  readonly #beforeWrite: (writes: number) => unknown;
  #writes = 0;
  #isDead = false;

  /** @param beforeWrite awaited before each write, with how many were done before it */
  constructor(writesMax = Number.POSITIVE_INFINITY, beforeWrite: (writes: number) => unknown = () => undefined) {
    this.#writesMax = writesMax;
    this.#beforeWrite = beforeWrite;
    const send = (command: object, options: object) => this.#send(command, options);
    this.table = new Table({ client: { send } as unknown as TableClient, name: testTable().name });
  }

  /** How many writes were done. */
  get writes(): number {
    return this.#writes;
  }

  async #send(command: object, options: object): Promise<unknown> {
    if (command instanceof BatchWriteCommand) return this.#sendBatch(command, options);
    const isWrite = [PutCommand, UpdateCommand, TransactWriteCommand].some((type) => command instanceof type);
    if (isWrite) await this.#beforeWrite(this.#writes);
    this.#count(isWrite ? 1 : 0);
    return client.send(command as PutCommand, options);
  }

  async #sendBatch({ input }: BatchWriteCommand, options: object): Promise<unknown> {
    const [[name, requests] = ['', []]] = Object.entries(input.RequestItems ?? {});
    const shuffled = (requests as Request[]).toSorted((a, b) => (this.#noise(a) < this.#noise(b) ? -1 : 1));
    for (const request of shuffled) {
      await this.#beforeWrite(this.#writes);
      this.#count(1);
      await client.send(new BatchWriteCommand({ RequestItems: { [name]: [request] } }), options);
    }
    return {};
  }

  #count(writes: number): void {
    this.#isDead ||= this.#writes + writes > this.#writesMax;
    if (this.#isDead) throw new Error('The process was killed.');
    this.#writes += writes;
  }

  /** The same for the same key and number of writes, and like chance otherwise. */
  #noise({ PutRequest, DeleteRequest }: Request): string {
    const { pk, sk } = PutRequest?.Item ?? DeleteRequest?.Key ?? {};
    return createHash('md5').update(`${pk} ${sk} ${this.#writesMax}`).digest('hex');
  }
}
