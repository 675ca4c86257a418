import { setTimeout as pause } from 'node:timers/promises';
import { Contended, Unavailable } from '../errors.ts';
import type { Table } from '../table.ts';

const triesMax = 60;
/** A transaction locks its items for some tens of milliseconds. */
const pauseMillisecondsMax = 150;

/** A write of one record, in two steps. */
interface RepeatedWrite<Prepared, Result> {
  /** Reads the record and checks its change. */
  readonly prepare: (tries: number) => Promise<Prepared>;
  /** Tries the transaction once. `changed`: the record is another one than was read. */
  readonly write: (prepared: Prepared) => Promise<Result | Contended | 'changed'>;
}

/**
 * The one loop of a write, beside that of the SDK: it repeats the transaction after a conflict, and prepares it anew
 * after a change of the record. The request's deadline bounds it.
 * @throws Contended, Unavailable, and what the steps throw
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
      // When time runs out during a later try, the conflict of an earlier try is still the reason.
      throw table.isOver && conflict && error instanceof Unavailable ? withResult(conflict, error) : error;
    });
    if (outcome === 'changed') prepared = undefined;
    else if (outcome instanceof Contended) conflict = conflict ? withResult(outcome, conflict) : outcome;
    else return outcome;
    const longest = outcome === 'changed' ? 15 * tries : 25 * 2 ** tries;
    await pause(Math.random() * Math.min(pauseMillisecondsMax, longest));
  }
  throw conflict ?? new Unavailable('The record kept changing under the write.');
}

/** A conflict of one try among others: the write is undone only if each of them is. */
const withResult = ({ writes, cause, isUndone }: Contended, other: Unavailable): Contended =>
  new Contended(writes, { cause, isUndone: isUndone && other.isUndone });
