import { setTimeout as pause } from 'node:timers/promises';
import { Contended, Unavailable } from '../errors.ts';
import type { Table, Writes } from '../table.ts';

const triesMax = 60;
/** A transaction locks its items for tens of milliseconds. */
const pauseMillisecondsMax = 150;

/** A write of one record in two steps. */
interface RepeatedWrite<Prepared, Result> {
  /** Reads the record and checks its change. */
  readonly prepare: (tries: number) => Promise<Prepared>;
  /** Tries the transaction once. `changed`: the record has changed since it was read. */
  readonly write: (prepared: Prepared) => Promise<Result | Contended | 'changed'>;
}

/**
 * Repeats a transaction after a conflict, and prepares it again after a change of the record. The client's own retries run
 * inside it. The request's deadline bounds both.
 * @throws Contended, Unavailable, and the errors of the steps
 */
export async function repeatWrite<Prepared, Result>(
  table: Table,
  { prepare, write }: RepeatedWrite<Prepared, Result>,
): Promise<Result> {
  let prepared: Prepared | undefined;
  let conflict: Contended | undefined;
  for (let tries = 1; tries <= triesMax; tries++) {
    // After a conflict the same write is repeated, so that it cannot be applied twice.
    prepared ??= await prepare(tries);
    const outcome = await write(prepared).catch((error: unknown) => {
      throw reasonOf(error, table, conflict);
    });
    if (outcome === 'changed') prepared = undefined;
    else if (outcome instanceof Contended) conflict = conflict ? withResult(outcome, conflict) : outcome;
    else return outcome;
    const longest = outcome === 'changed' ? 15 * tries : 25 * 2 ** tries;
    await pause(Math.random() * Math.min(pauseMillisecondsMax, longest));
  }
  throw conflict ?? new Unavailable('The record kept changing under the write.');
}

/**
 * Tries a transaction once, as the `write` of `repeatWrite`.
 * @returns the conflict with another transaction; undefined if the writes are stored
 * @throws ConditionFailed, Unavailable
 */
export async function tryTransaction(table: Table, writes: Writes): Promise<Contended | undefined> {
  try {
    await table.transact(writes, 1);
    return undefined;
  } catch (error) {
    if (error instanceof Contended) return error;
    throw error;
  }
}

/**
 * Repeats a write of several steps, with new reads, after failures that end within milliseconds.
 * @param work must have changed nothing when it fails in such a way
 * @throws Unavailable, and the other errors of `work`
 */
export const repeatWork = <Result>(
  table: Table,
  work: (reads: Table) => Promise<Result>,
  isTransient: (error: unknown) => boolean,
): Promise<Result> =>
  repeatWrite<Table, Result>(table, {
    prepare: async (tries) => (tries === 1 ? table : table.uncached()),
    write: (reads) =>
      work(reads).catch((error: unknown) => {
        if (isTransient(error)) return 'changed';
        throw error;
      }),
  });

/** If time runs out during a later try, the conflict of an earlier one remains the reason. */
export const reasonOf = (error: unknown, table: Table, conflict: Contended | undefined): unknown =>
  table.isPastDeadline && conflict && error instanceof Unavailable ? withResult(conflict, error) : error;

/** Combines the failures of two tries: the write is undone only if both are. */
const withResult = ({ writes, cause, isUndone }: Contended, other: Unavailable): Contended =>
  new Contended(writes, { cause, isUndone: isUndone && other.isUndone });
