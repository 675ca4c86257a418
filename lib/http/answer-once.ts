import type { Principal } from '#lib/domain/access/principal.ts';
import { jsonHash } from '#lib/domain/text/json-hash.ts';
import { IdempotencyRecord, type RecordedOutcome } from '#lib/table/access/idempotency-records.ts';
import type { Table, Writes } from '#lib/table/table.ts';
import { asInFlight, requireSameRequest } from './idempotency.ts';

interface KeyedRequest {
  readonly principal: Pick<Principal, 'workspaceId'>;
  readonly table: Table;
  readonly headers: { readonly 'Idempotency-Key'?: string | undefined };
}

/** Parts of the transaction that does the work, which record its answer; none without an Idempotency-Key. */
export type RecordAnswer<Answer> = (answer: Answer) => Writes;

/**
 * Runs a write whose answer is known before it is stored, one time for its Idempotency-Key; a repetition gets the first
 * answer. The key counts in the workspace, whichever API key sends it. A refused call does not use it up.
 * @param operation method and path, which the key is used for
 * @param same all that makes two calls the same
 * @throws 409, 422, and what the work throws
 */
export async function answerOnce<Answer>(
  { principal: { workspaceId }, table, headers }: KeyedRequest,
  operation: string,
  same: unknown,
  work: (record: RecordAnswer<Answer>) => Promise<Answer>,
): Promise<Answer> {
  const key = headers['Idempotency-Key'];
  if (key === undefined) return work(() => ({}));
  const record = new IdempotencyRecord(table, { workspaceId }, operation, key);
  const requestHash = jsonHash(same);
  const answerOf = (outcome: RecordedOutcome): Answer => {
    requireSameRequest(outcome, requestHash);
    return JSON.parse(outcome.answer ?? 'null') as Answer;
  };
  const outcome = await record.find();
  if (outcome) return answerOf(outcome);
  try {
    return await work((answer) => ({ idempotency: record.write(requestHash, JSON.stringify(answer)) }));
  } catch (error) {
    const outcomeOfOther = record.outcomeIn(error);
    if (outcomeOfOther) return answerOf(outcomeOfOther);
    throw asInFlight(error);
  }
}
