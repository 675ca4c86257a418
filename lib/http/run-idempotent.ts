import type { Principal } from '#lib/domain/access/principal.ts';
import { jsonHash } from '#lib/domain/text/json-hash.ts';
import {
  IdempotencyRecord,
  type IdempotencyScope,
  type RecordedOutcome,
} from '#lib/table/access/idempotency-records.ts';
import type { Table, TransactItem } from '#lib/table/table.ts';
import { HttpError } from './errors.ts';
import { asInFlight, requireSameRequest } from './idempotency.ts';

interface IdempotentRequest {
  readonly principal: Principal;
  readonly table: Table;
  readonly headers: { readonly 'Idempotency-Key'?: string | undefined };
  /** Whose keys are meant. @default those of the caller */
  readonly idempotencyScope?: IdempotencyScope;
}

interface Work<Answer> {
  /**
   * Does the work in a transaction that contains the given write, if there is one.
   * @param answering makes the same write where the answer is known beforehand, so that it is recorded with the work
   */
  readonly execute: (
    idempotencyWrite: TransactItem | undefined,
    answering: ((answer: Answer) => TransactItem) | undefined,
  ) => Promise<Answer>;
  /**
   * Answers for work that is done, when its answer was not recorded or was for a caller with other permissions.
   * @param first the recorded answer; nothing of it may be shown that the caller may not see
   */
  readonly replay: (first?: Answer) => Promise<Answer>;
}

/**
 * Runs the work of a call once for its Idempotency-Key; a retry gets the answer of the first call. A refused call does
 * not use the key up. If the process ends between the work and the record of its answer, retries get the current state.
 * @param operation what the key is used for
 * @param request all that makes two calls the same
 * @throws 409, 422, and what the work throws
 */
export async function runIdempotent<Answer>(
  { principal, table, headers, idempotencyScope: scope = principal }: IdempotentRequest,
  operation: string,
  request: unknown,
  { execute, replay }: Work<Answer>,
): Promise<Answer> {
  const key = headers['Idempotency-Key'];
  if (key === undefined) return execute(undefined, undefined);
  const record = new IdempotencyRecord(table, scope, operation, key);
  const requestHash = jsonHash(request);
  // If the permissions of the key have changed since, the recorded answer is not replayed.
  const view = [...principal.permissions].sort();
  const recorded = (answer: Answer) => JSON.stringify({ view, answer });
  let isRecorded = false;
  const complete = async (answer: Answer): Promise<Answer> => {
    // The work is committed. Failing to record its answer must not fail the request.
    if (!isRecorded) await record.complete(requestHash, recorded(answer)).catch(() => undefined);
    return answer;
  };
  const answerOf = async (outcome: RecordedOutcome): Promise<Answer> => {
    requireSameRequest(outcome, requestHash);
    if (outcome.answer === undefined) return complete(await replay());
    const first = JSON.parse(outcome.answer) as { readonly view: readonly string[]; readonly answer: Answer };
    return first.view.join() === view.join() ? first.answer : replay(first.answer);
  };
  const outcome = await record.find();
  if (outcome) return answerOf(outcome);
  try {
    const answering = (answer: Answer): TransactItem => {
      isRecorded = true;
      return record.write(requestHash, recorded(answer));
    };
    return await complete(await execute(record.write(requestHash), answering));
  } catch (error) {
    // The first call may have ended meanwhile, and be the very reason for a refusal: the name is taken, say.
    const isRefused = error instanceof HttpError && error.statusCode < 500;
    const again = new IdempotencyRecord(table.fresh(), scope, operation, key);
    const outcomeOfOther = isRefused ? await again.find() : record.outcomeIn(error);
    if (outcomeOfOther) return answerOf(outcomeOfOther);
    throw asInFlight(error);
  }
}
