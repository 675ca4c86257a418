import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { jsonHash } from '#lib/domain/text/json-hash.ts';
import { HttpError } from '#lib/http/errors.ts';
import { IdempotencyRecord, type RecordedOutcome } from '#lib/table/access/idempotency-records.ts';
import { Contended } from '#lib/table/errors.ts';
import type { Table, TransactItem } from '#lib/table/table.ts';

export interface IdempotentCall {
  readonly principal: Principal;
  readonly table: Table;
  readonly headers: { readonly 'Idempotency-Key'?: string | undefined } | undefined;
  /** Opens the table again after the body, which can take longer to arrive than calls of `table` may. */
  readonly laterTable?: () => Table;
}

/** What an Idempotency-Key is used for, and by whom: its caller alone, or all callers of the workspace. */
export interface KeyScope {
  readonly sharedBy: 'caller' | 'workspace';
  /** For example the update of one entry. */
  readonly operation: string;
}

/** The write that uses up the key, with the answer. Undefined without a key. It comes first in its transaction. */
export type ClaimWithAnswer<Answer> = (answer: Answer) => TransactItem | undefined;

/** One of the claims must be in the transaction of the work, so that both take effect or neither. */
interface Claims<Answer> {
  /** For work whose answer exists only after its transaction. */
  readonly claim: TransactItem | undefined;
  readonly claimWithAnswer: ClaimWithAnswer<Answer>;
  /** The answer of an earlier call, if `isOver`. */
  readonly former: Answer | undefined;
}

interface Work<Answer> {
  /**
   * The body, or what stands for it. A retry must repeat it.
   * @param key tells whether a body that is read now is to be stored, and hashed
   */
  readonly request: (key: 'none' | 'new' | 'used') => unknown;
  /** Does the work. What it returns becomes the answer of all retries. */
  readonly execute: (claims: Claims<Answer>) => Promise<Answer>;
  /**
   * The answer for a retry whose caller has other permissions than the first one.
   * @param first the recorded answer, parts of which may be hidden from this caller; undefined if none was recorded
   */
  readonly replay: (first: Answer | undefined) => Answer | Promise<Answer>;
  /** Whether a recorded answer is of no more use, so that a retry does the work again. @default never */
  readonly isOver?: (first: Answer) => boolean;
}

/** The `replay` of work that answers every caller with the same. */
export function asRecorded<Answer>(first: Answer | undefined): Answer {
  if (first === undefined) throw new Error('The work did not record its answer in its transaction.');
  return first;
}

/**
 * Runs the work of a call once for each Idempotency-Key; a retry gets the answer of the first call. A refused call does
 * not use the key up. README.md says what each caller sees.
 * @throws 409, 422, and errors of the work
 */
export async function runIdempotent<Answer>(
  call: IdempotentCall,
  scope: KeyScope,
  work: Work<Answer>,
): Promise<Answer> {
  const record = recordOf(call, scope);
  const outcome = await record?.find();
  const request = await work.request(record ? (outcome ? 'used' : 'new') : 'none');
  if (!record) return work.execute({ claim: undefined, claimWithAnswer: () => undefined, former: undefined });
  const requestHash = jsonHash(request);
  const view = viewOf(call.principal);
  const complete = async (answer: Answer): Promise<Answer> => {
    // The work is committed. A failure to record its answer must not fail the request.
    await record.complete(requestHash, JSON.stringify({ view, answer })).catch(() => undefined);
    return answer;
  };
  const answerOf = async (first: RecordedAnswer<Answer>): Promise<Answer> => {
    if (first.answer === undefined) return complete(await work.replay(undefined));
    return first.view === view ? first.answer : work.replay(first.answer);
  };
  const first = outcome && readOutcome<Answer>(outcome, requestHash);
  const former = first?.answer !== undefined && work.isOver?.(first.answer) ? first.answer : undefined;
  if (first && former === undefined) return answerOf(first);
  let isRecorded = former !== undefined;
  try {
    const answer = await work.execute({
      claim: record.write(requestHash),
      claimWithAnswer: (answer) => {
        isRecorded = true;
        return record.write(requestHash, JSON.stringify({ view, answer }), outcome);
      },
      former,
    });
    return isRecorded ? answer : await complete(answer);
  } catch (error) {
    const outcomeOfOther = await otherOutcome(error, record, call, scope);
    // A call that was refused to replace an answer does not get that answer.
    if (outcomeOfOther && outcomeOfOther.version !== outcome?.version)
      return answerOf(readOutcome(outcomeOfOther, requestHash));
    throw error instanceof Contended && error.writes.includes('idempotency') ? requestInFlight() : error;
  }
}

/** Reads the record of a key early, in one round trip with other reads. */
export const readKeyAhead = async (call: IdempotentCall, scope: KeyScope): Promise<unknown> =>
  recordOf(call, scope)?.find();

function recordOf({ principal, table, headers }: IdempotentCall, { sharedBy, operation }: KeyScope) {
  const key = headers?.['Idempotency-Key'];
  const { workspaceId, idempotencyId } = principal;
  const owner = sharedBy === 'caller' ? { workspaceId, idempotencyId } : { workspaceId };
  return key === undefined ? undefined : new IdempotencyRecord(table, owner, operation, key);
}

/** Callers with equal views see the same: their keys and the members of these have the same permissions. */
const viewOf = (principal: Principal): string =>
  jsonHash([principal.permissions, effectivePermissions(principal)].map((granted) => [...granted].sort()));

interface RecordedAnswer<Answer> {
  readonly view?: string;
  /** Undefined if the process ended between the work and the record of its answer. */
  readonly answer?: Answer;
}

/** @throws 422 if the key was used with another body */
function readOutcome<Answer>({ requestHash, answer }: RecordedOutcome, expected: string): RecordedAnswer<Answer> {
  if (requestHash === expected) return answer === undefined ? {} : (JSON.parse(answer) as RecordedAnswer<Answer>);
  throw new HttpError(422, 'idempotency_key_reused', 'This Idempotency-Key was used with another body. Use a new one.');
}

/** The outcome of another call with the key, which made this one fail. */
async function otherOutcome(error: unknown, record: IdempotencyRecord, call: IdempotentCall, scope: KeyScope) {
  const isRefused = error instanceof HttpError && error.statusCode < 500;
  if (!isRefused) return record.outcomeIn(error);
  // The other call may have ended in the meantime and caused the refusal: for example, it has taken the name.
  const table = call.laterTable?.() ?? call.table.uncached();
  return recordOf({ ...call, table }, scope)?.find();
}

/** A transaction kept conflicting with others of the same key. */
const requestInFlight = () =>
  new HttpError(409, 'conflict', 'A request with this Idempotency-Key is still in progress. Try again shortly.', {
    headers: { 'retry-after': '1' },
  });
