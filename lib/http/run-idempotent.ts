import { jsonHash } from '#lib/domain/json-hash.ts';
import type { Principal } from '#lib/domain/principal.ts';
import { IdempotencyRecord, type RecordedOutcome } from '#lib/table/idempotency-records.ts';
import type { Table, TransactItem } from '#lib/table/table.ts';
import { asRefusal, requireSame } from './idempotency.ts';

interface IdempotentRequest {
  readonly principal: Principal;
  readonly table: Table;
  readonly headers: { readonly 'Idempotency-Key'?: string | undefined };
}

interface Work<Answer> {
  /** Does the work in a transaction that contains the given write, if there is one. */
  readonly execute: (idempotencyWrite: TransactItem | undefined) => Promise<Answer>;
  /** Answers for work that is done, when its answer was not recorded. */
  readonly replay: () => Promise<Answer>;
}

/**
 * Runs the work of a call once for its Idempotency-Key; a retry gets the answer of the first call. A refused call does
 * not use the key up. If the process ends between the work and the record of its answer, retries get the current state.
 * @param operation what the key is used for
 * @param request all that makes two calls the same
 * @throws 409, 422, and what the work throws
 */
export async function runIdempotent<Answer>(
  { principal, table, headers }: IdempotentRequest,
  operation: string,
  request: unknown,
  { execute, replay }: Work<Answer>,
): Promise<Answer> {
  const key = headers['Idempotency-Key'];
  if (key === undefined) return execute(undefined);
  const record = new IdempotencyRecord(table, principal, operation, key);
  const requestHash = jsonHash(request);
  // If the permissions of the key have changed since, the recorded answer is not replayed.
  const view = [...principal.permissions].sort();
  const complete = async (answer: Answer): Promise<Answer> => {
    // The work is committed. Failing to record its answer must not fail the request.
    await record.complete(requestHash, JSON.stringify({ view, answer })).catch(() => undefined);
    return answer;
  };
  const answerOf = async (outcome: RecordedOutcome): Promise<Answer> => {
    requireSame(outcome, requestHash);
    if (outcome.answer === undefined) return complete(await replay());
    const recorded = JSON.parse(outcome.answer) as { readonly view: readonly string[]; readonly answer: Answer };
    return recorded.view.join() === view.join() ? recorded.answer : replay();
  };
  const outcome = await record.find();
  if (outcome) return answerOf(outcome);
  try {
    return await complete(await execute(record.write(requestHash)));
  } catch (error) {
    const outcomeOfOther = record.outcomeIn(error);
    if (outcomeOfOther) return answerOf(outcomeOfOther);
    throw asRefusal(error);
  }
}
