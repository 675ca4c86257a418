import { isDeepStrictEqual } from 'node:util';
import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
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
  /** The owner of the idempotency keys. @default the caller */
  readonly idempotencyScope?: IdempotencyScope;
}

interface Work<Answer> {
  /**
   * Does the work in a transaction that contains `idempotencyWrite`, if there is one.
   * @param answering makes the same write with the response, for work that makes its response before the transaction
   */
  readonly execute: (
    idempotencyWrite: TransactItem | undefined,
    answering: ((answer: Answer) => TransactItem) | undefined,
  ) => Promise<Answer>;
  /**
   * Answers a retry whose first answer was not recorded, or was for other permissions.
   * @param first the recorded answer; the caller may not be allowed to see all of it
   */
  readonly replay: (first?: Answer) => Promise<Answer>;
}

/**
 * Runs the work of a call once per idempotency key; a retry gets the answer of the first call. A refused call does not
 * use the key up. If the process ends between the work and the record of its answer, a retry gets the current state.
 * @param operation the scope of the key
 * @param request the body, or what stands for it; a retry must repeat it
 * @throws 409, 422, and errors of the work
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
  // If the permissions of the key or of its member differ, the recorded answer is not replayed.
  const view = [principal.permissions, effectivePermissions(principal)].map((granted) => [...granted].sort().join());
  const recorded = (answer: Answer) => JSON.stringify({ view, answer });
  let isRecorded = false;
  const complete = async (answer: Answer): Promise<Answer> => {
    // The work is committed. A failure to record its answer must not fail the request.
    if (!isRecorded) await record.complete(requestHash, recorded(answer)).catch(() => undefined);
    return answer;
  };
  const answerOf = async (outcome: RecordedOutcome): Promise<Answer> => {
    requireSameRequest(outcome, requestHash);
    if (outcome.answer === undefined) return complete(await replay());
    const first = JSON.parse(outcome.answer) as { readonly view: readonly string[]; readonly answer: Answer };
    return isDeepStrictEqual(first.view, view) ? first.answer : replay(first.answer);
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
    // The first call may have ended in the meantime and caused the error: for example, it has taken the name.
    const isRefused = error instanceof HttpError && error.statusCode < 500;
    const currentRecord = new IdempotencyRecord(table.uncached(), scope, operation, key);
    const outcomeOfOther = isRefused ? await currentRecord.find() : record.outcomeIn(error);
    if (outcomeOfOther) return answerOf(outcomeOfOther);
    throw asInFlight(error);
  }
}
