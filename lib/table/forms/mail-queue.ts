import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import { Repository } from '../repository.ts';
import type { Key } from '../schema.ts';
import type { Table, Writes } from '../table.ts';
import { repeatTransaction } from '../writer/repeat-write.ts';
import { type MailJob, mailJobId, mailJobShards, newMailJob } from './mail-jobs.ts';

/** A stored job. Times are in milliseconds since 1970. */
export interface StoredMailJob extends MailJob, Key {
  /** The holder of the lease and its end. */
  readonly leaseOwner?: string;
  readonly leaseUntil?: number;
  /** The time of the next try. */
  readonly dueAt?: number;
  /** The reason why the last try failed. */
  readonly failure?: string;
}

/** A job that was given up, with the reason. It is kept until an operator sends or discards it. */
export interface ParkedMailJob extends Omit<MailJob, 'state'>, Key {
  readonly state: 'parked';
  readonly reason: string;
  readonly parkedAt: string;
}

/**
 * The mail jobs of all workspaces, for the functions that send them (access patterns F1, F3). A process leases a job
 * while it works on it. A sent or parked job leaves the queue. Each step can be repeated: after a crash between two
 * steps, the job is due again when its lease ends.
 */
export class MailQueue {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The jobs of a shard that are due, oldest first. */
  async *due(shard: number, now: number): AsyncGenerator<Key> {
    const jobs = this.#table.query({ pk: keys.mailJobs(shard), only: ['pk', 'sk', 'leaseUntil', 'dueAt'] });
    for await (const { pk, sk, leaseUntil = 0, dueAt = 0 } of jobs) {
      if (Number(leaseUntil) < now && Number(dueAt) <= now) yield { pk, sk };
    }
  }

  /**
   * Leases a job and counts the attempt.
   * @returns undefined if the job is done, not due, or leased by another process
   */
  async claim(key: Key, owner: string, now: number, leaseMilliseconds: number): Promise<StoredMailJob | undefined> {
    try {
      const claimed = await this.#table.update(key, {
        UpdateExpression: 'SET #owner = :owner, #until = :until, #attempts = #attempts + :one',
        ConditionExpression:
          'attribute_exists(#attempts) AND (attribute_not_exists(#until) OR #until < :now)' +
          ' AND (attribute_not_exists(#due) OR #due <= :now)',
        ExpressionAttributeNames: {
          '#owner': 'leaseOwner',
          '#until': 'leaseUntil',
          '#attempts': 'attempts',
          '#due': 'dueAt',
        },
        ExpressionAttributeValues: { ':owner': owner, ':until': now + leaseMilliseconds, ':one': 1, ':now': now },
      });
      return claimed as unknown as StoredMailJob;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // The reply to our own claim may have been lost.
      return error.item?.['leaseOwner'] === owner ? (error.item as unknown as StoredMailJob) : undefined;
    }
  }

  /**
   * Removes a job after its message was sent. It ignores the lease of another process, which would send the message a
   * second time.
   */
  finish({ pk, sk }: StoredMailJob): Promise<void> {
    return repeatTransaction(this.#table, { job: { Delete: { Key: { pk, sk } } } });
  }

  /** Ends the lease of a job until it is due again. */
  async postpone(job: StoredMailJob, dueAt: number, failure: string): Promise<void> {
    await ignoreTakeOver(
      this.#table.update(job, {
        UpdateExpression: 'SET #due = :due, #failure = :failure REMOVE #owner, #until',
        ConditionExpression: '#owner = :owner',
        ExpressionAttributeNames: {
          '#due': 'dueAt',
          '#failure': 'failure',
          '#owner': 'leaseOwner',
          '#until': 'leaseUntil',
        },
        ExpressionAttributeValues: { ':due': dueAt, ':failure': failure, ':owner': job.leaseOwner },
      }),
    );
  }

  /** Moves a job from the queue to the parked jobs, for operators. */
  async park(job: StoredMailJob, reason: string): Promise<void> {
    const { pk, sk, workspaceId, formId, responseId, recipient, createdAt, attempts } = job;
    const parked: ParkedMailJob = {
      ...keys.parkedMailJob(workspaceId, createdAt, mailJobId(job)),
      workspaceId,
      formId,
      responseId,
      recipient,
      createdAt,
      attempts,
      reason,
      state: 'parked',
      parkedAt: new Date().toISOString(),
    };
    const remove = {
      Key: { pk, sk },
      ConditionExpression: '#owner = :owner',
      ExpressionAttributeNames: { '#owner': 'leaseOwner' },
      ExpressionAttributeValues: { ':owner': job.leaseOwner },
    };
    await ignoreTakeOver(
      repeatTransaction(this.#table, { job: { Delete: remove }, parked: { Put: { Item: parked } } }),
    );
  }
}

/** The shards of the queue. */
export const mailShards: readonly number[] = Array.from({ length: mailJobShards }, (_, shard) => shard);

/**
 * Ignores a failed condition. Either another process has taken the job over, or the reply to our own write was lost.
 */
async function ignoreTakeOver(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

/** The mail jobs of a workspace that were given up (access pattern F3). */
export class ParkedMail extends Repository {
  /** Oldest first. */
  async *list(): AsyncGenerator<ParkedMailJob> {
    // No workspace id contains the character that follows `#`.
    const range = { from: `${this.workspaceId}#`, to: `${this.workspaceId}$` };
    for await (const item of this.table.query({ pk: keys.parkedMailJobs(), ...range })) {
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
      await repeatTransaction(this.table, {
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
