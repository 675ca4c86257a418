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

/** Makes the writes that record the answer, for the transaction of the work. Empty without an idempotency key. */
export type RecordAnswer<Answer> = (answer: Answer) => Writes;

/**
 * Runs a write once per idempotency key; a retry gets the first answer. The answer must exist before the write is
 * stored. All API keys of the workspace share the idempotency keys. A refused call does not use the key up.
 * @param operation method and path, the scope of the key
 * @param same the body, or what stands for it; a retry must repeat it
 * @throws 409, 422, and errors of the work
 */
export async function writeIdempotent<Answer>(
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
