import { isRecordId } from '#lib/domain/text/identifier.ts';
import { runIdempotent } from '#lib/idempotency/run-idempotent.ts';
import type { Writes } from '#lib/table/table.ts';
import type { AppliedChange } from '#lib/table/writer/change.ts';
import { repeatTransaction } from '#lib/table/writer/repeat-write.ts';
import { type AccessAnswer, type AccessCall, type AccessKind, accessScope } from './access-call.ts';

/** A change of a key or a member, with its answer. */
interface AnsweredChange<Applied> {
  readonly kind: AccessKind;
  readonly id: string;
  /** @param additionalWrites further writes of the transaction */
  readonly apply: (additionalWrites: (applied: Applied) => Writes) => Promise<Applied>;
  readonly audit: (applied: Applied) => Writes;
  readonly answerOf: (applied: Applied) => AccessAnswer;
  /** Reads the current record. A retry whose caller may not see the first answer gets it. */
  readonly show: (id: string) => Promise<AccessAnswer>;
}

/**
 * Makes a change once for each Idempotency-Key, with the audit event and the recorded answer in its transaction. The
 * scope of the key is the workspace, the method and the path.
 * @param operation the method and the path
 * @returns the answer, and whether this call made the change; a retry did not
 */
export async function answerChange<Applied extends Pick<AppliedChange, 'status'>>(
  call: AccessCall,
  operation: string,
  { kind, id, apply, audit, answerOf, show }: AnsweredChange<Applied>,
): Promise<{ readonly answer: AccessAnswer; readonly isFirst: boolean }> {
  const { table, logDetails, body = null } = call;
  Object.assign(logDetails, { recordKind: kind, recordId: isRecordId(id) ? id : '' });
  let isFirst = false;
  const answer = await runIdempotent<AccessAnswer>(call, accessScope(operation), {
    request: () => body,
    execute: async ({ claimWithAnswer }) => {
      const applied = await apply((change) => ({ idempotency: claimWithAnswer(answerOf(change)), ...audit(change) }));
      const own = answerOf(applied);
      // A write without changes makes no transaction, but still uses its Idempotency-Key up.
      const idempotency = applied.status === 'unchanged' ? claimWithAnswer(own) : undefined;
      if (idempotency) await repeatTransaction(table, { idempotency });
      isFirst = true;
      return own;
    },
    replay: async (first) => {
      if (first?.status === 204) return first;
      const location = first?.headers['location'];
      table.clearCache();
      const current = await show(location === undefined ? id : lastSegment(location));
      return { ...current, status: first?.status ?? 200, headers: { ...first?.headers, ...current.headers } };
    },
  });
  return { answer, isFirst };
}

const lastSegment = (location: string): string => decodeURIComponent(location.split('/').at(-1) ?? '');
