import { jsonHash } from '#lib/domain/json-hash.ts';
import type { Principal } from '#lib/domain/principal.ts';
import { type Remembered, Repeat } from '#lib/table/repeats.ts';
import type { Table, TransactItem } from '#lib/table/table.ts';
import { asRefusal, requireSame } from './idempotency.ts';

interface Repeatable {
  readonly principal: Principal;
  readonly table: Table;
  readonly headers: { readonly 'Idempotency-Key'?: string | undefined };
}

interface Work<Answer> {
  /** Does it, in a transaction that begins with `once`, if that is given. */
  readonly first: (once: TransactItem | undefined) => Promise<Answer>;
  /** Answers when it is done, but what was answered is not known. */
  readonly again: () => Promise<Answer>;
}

/**
 * Does the work of a call with an Idempotency-Key once: a repetition gets the answer of the first. A call that is
 * refused does not use the key up. When a process is killed between the work and its answer, the next repetition says
 * how things are by then, and so do all that follow.
 * @param place what the key counts for
 * @param request all that makes a call the same one
 * @throws 409, 422, and what the work throws
 */
export async function answeredOnce<Answer>(
  { principal, table, headers }: Repeatable,
  place: string,
  request: unknown,
  { first, again }: Work<Answer>,
): Promise<Answer> {
  const key = headers['Idempotency-Key'];
  if (key === undefined) return first(undefined);
  const repeat = new Repeat(table, principal, place, key);
  const requestHash = jsonHash(request);
  // Whoever may see other things by now has not had the answer.
  const view = [...principal.permissions].sort();
  const remember = async (answer: Answer): Promise<Answer> => {
    // It is done: that a repetition may be told otherwise is no reason to say that it is not.
    await repeat.complete(requestHash, JSON.stringify({ view, answer })).catch(() => undefined);
    return answer;
  };
  const repetition = async (used: Remembered): Promise<Answer> => {
    requireSame(used, requestHash);
    if (used.answer === undefined) return remember(await again());
    const known = JSON.parse(used.answer) as { readonly view: readonly string[]; readonly answer: Answer };
    return known.view.join() === view.join() ? known.answer : again();
  };
  const used = await repeat.find();
  if (used) return repetition(used);
  try {
    return await remember(await first(repeat.use(requestHash)));
  } catch (error) {
    const usedMeanwhile = repeat.usedIn(error);
    if (usedMeanwhile) return repetition(usedMeanwhile);
    throw asRefusal(error);
  }
}
