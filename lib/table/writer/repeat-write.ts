import { setTimeout as pause } from 'node:timers/promises';
import { transact } from '../dynamodb/transact.ts';
import { ConditionFailed, Contended, Unavailable } from '../errors.ts';
import type { Item, Table, Writes } from '../table.ts';

/** Without a deadline. With one, a contended write is tried until its time is up. */
const triesMax = 60;
/** A transaction locks its items for tens of milliseconds. */
const pauseMillisecondsMax = 150;
/** If the deadline cuts off a transaction, its outcome is unknown. So no retry begins with less time left. */
const tryMillisecondsMin = 100;

/** A write in two steps. */
export interface RepeatedWrite<Prepared, Result> {
  /** Reads the stored state and checks the change. */
  prepare(tries: number): Prepared | Promise<Prepared>;
  /** Tries the transaction once. `changed`: the state has changed since it was read. */
  write(prepared: Prepared): Promise<Result | Contended | 'changed'>;
  /** Names what is written. In one container, writes of the same go one after the other, so that they do not conflict. */
  readonly turn?: string;
  /** The item that the write has stored, so that the next one of its turn does not read it. */
  stored?(): Item | undefined;
  /** Whether to prepare again after a conflict, too: the other transaction has probably changed the state. */
  readonly isPreparedEachTime?: boolean;
  /** The maximum number of tries, if it differs from the usual one. */
  readonly triesMax?: number;
  /** The longest pause after a try, in milliseconds, if it differs from the usual one. */
  pauseMillisecondsMax?(tries: number): number;
}

/**
 * The only loop around transactions. It repeats a transaction after a conflict, and prepares it again after a change of
 * the stored state. The client's own retries run inside it. The request's deadline bounds both.
 * @throws Contended, Unavailable, and the errors of the steps
 */
export async function repeatWrite<Prepared, Result>(
  table: Table,
  steps: RepeatedWrite<Prepared, Result>,
): Promise<Result> {
  if (steps.turn === undefined) return repeat(table, steps);
  const name = `${table.name} ${steps.turn}`;
  const before = turns.get(name);
  const own = waitFor(before, table).then((item) => {
    // The write before has changed what was read.
    if (before) table.clearCache();
    if (item) table.prime(item, item);
    return repeat(table, steps);
  });
  const ended = own.then(() => steps.stored?.()).catch(() => undefined);
  turns.set(name, ended);
  try {
    return await own;
  } finally {
    if (turns.get(name) === ended) turns.delete(name);
  }
}

/** The ends of the last writes of this container that are under way. */
const turns = new Map<string, Promise<Item | undefined>>();
/** A write that waits for others begins when so little time is left. */
const alwaysLeft = 1_000;

async function waitFor(other: Promise<Item | undefined> | undefined, table: Table): Promise<Item | undefined> {
  const most = table.millisecondsLeft - alwaysLeft;
  if (!other || most <= 0) return undefined;
  return most === Number.POSITIVE_INFINITY ? other : Promise.race([other, pause(most, undefined, { ref: false })]);
}

async function repeat<Prepared, Result>(table: Table, steps: RepeatedWrite<Prepared, Result>): Promise<Result> {
  let prepared: { readonly value: Prepared } | undefined;
  let conflict: Contended | undefined;
  try {
    const most =
      steps.triesMax ?? (table.millisecondsLeft === Number.POSITIVE_INFINITY ? triesMax : Number.POSITIVE_INFINITY);
    for (let tries = 1; tries <= most; tries++) {
      // A conflict has changed nothing, so the same write is repeated.
      prepared ??= { value: await steps.prepare(tries) };
      const outcome = await steps.write(prepared.value);
      const isConflict = outcome instanceof Contended;
      if (isConflict) conflict = outcome;
      else if (outcome !== 'changed') return outcome;
      if (!isConflict || steps.isPreparedEachTime) prepared = undefined;
      const longest = Math.min(pauseMillisecondsMax, isConflict ? 25 * 2 ** tries : 15 * tries);
      await table.pause(Math.random() * (steps.pauseMillisecondsMax?.(tries) ?? longest));
      if (table.millisecondsLeft < tryMillisecondsMin) break;
    }
  } catch (error) {
    // If time runs out during a later try, the conflict of an earlier one remains the reason.
    throw conflict && table.isPastDeadline && error instanceof Unavailable ? conflict : error;
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
    await transact(table, writes);
    return undefined;
  } catch (error) {
    if (error instanceof Contended) return error;
    throw error;
  }
}

/**
 * The same, for writes whose conditions fail if the stored state has changed since it was read.
 * @param read the names of these writes @default all of them
 */
export const tryChange = (table: Table, writes: Writes, read = Object.keys(writes)) =>
  tryTransaction(table, writes).catch((error: unknown) => {
    if (error instanceof ConditionFailed && read.includes(error.write ?? '')) return 'changed' as const;
    throw error;
  });

/**
 * Carries out a transaction that depends on nothing that was read.
 * @throws ConditionFailed, Contended, Unavailable
 */
export async function repeatTransaction(table: Table, writes: Writes): Promise<void> {
  await repeatWrite(table, {
    prepare: () => writes,
    write: async () => (await tryTransaction(table, writes)) ?? 'stored',
    // A failure leaves the caller time to clean up.
    triesMax: 16,
  });
}
