import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import type { Table, Writes } from '../table.ts';
import { repeatTransaction } from '../writer/repeat-write.ts';
import { newMailJob } from './mail-jobs.ts';
import type { ParkedMailJob } from './mail-queue.ts';

/** The mail jobs of a workspace that were given up (access pattern F3). */
export class ParkedMail {
  readonly #table: Table;
  readonly #workspaceId: string;

  constructor(table: Table, { workspaceId }: WorkspaceScope) {
    this.#table = table;
    this.#workspaceId = workspaceId;
  }

  /** Oldest first. */
  async *list(): AsyncGenerator<ParkedMailJob> {
    // No workspace id contains the character that follows `#`.
    const range = { from: `${this.#workspaceId}#`, to: `${this.#workspaceId}$` };
    for await (const item of this.#table.query({ pk: keys.parkedMailJobs(), ...range })) {
      yield item as unknown as ParkedMailJob;
    }
  }

  /**
   * Puts a job back into the queue as a new one, so that it is due immediately.
   * @returns whether it was still parked
   */
  retry(parked: ParkedMailJob): Promise<boolean> {
    const { workspaceId, formId, responseId, recipient, createdAt } = parked;
    const job = newMailJob({ workspaceId, formId, responseId, recipient, createdAt });
    return this.#take(parked, { job: { Put: { Item: job } } });
  }

  /** Removes a parked job without sending it; the response stays. @returns whether it was still parked */
  discard = (parked: ParkedMailJob): Promise<boolean> => this.#take(parked, {});

  async #take({ pk, sk }: ParkedMailJob, writes: Writes): Promise<boolean> {
    const isParked = { Key: { pk, sk }, ConditionExpression: 'attribute_exists(pk)' };
    try {
      await repeatTransaction(this.#table, {
        parked: { Delete: { ...isParked } },
        ...writes,
      });
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return false;
      throw error;
    }
  }
}
