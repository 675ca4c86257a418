import { jsonHash } from '#lib/domain/json-hash.ts';
import type { Principal } from '#lib/domain/principal.ts';
import { Repeat } from '#lib/table/repeats.ts';
import type { Table } from '#lib/table/table.ts';
import { idempotencyKeyReused, stillInFlight } from './idempotency.ts';

interface Repeatable {
  readonly principal: Principal;
  readonly table: Table;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/**
 * Answers a call with an Idempotency-Key once: a repetition gets the answer of the first, and nothing is done for it. A
 * call that is refused does not use the key up. A process that is killed between its write and its answer leaves
 * nothing behind that tells; the repetition is carried out then.
 * @param place what the key counts for
 * @param request all that makes a call the same one
 * @throws 409, 422, and what the work throws
 */
export async function answeredOnce<Answer>(
  { principal, table, headers }: Repeatable,
  place: string,
  request: unknown,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const key = headers['idempotency-key'];
  if (key === undefined) return work();
  const repeat = new Repeat(table, principal, place, key, jsonHash(request));
  const claim = await repeat.claim();
  if (claim.kind === 'answered') return JSON.parse(claim.answer) as Answer;
  if (claim.kind === 'another request') throw idempotencyKeyReused();
  if (claim.kind === 'in flight') throw stillInFlight();
  const answer = await work().catch(async (error) => {
    // When this fails too, the claim ends by itself.
    await repeat.release().catch(() => undefined);
    throw error;
  });
  // It is done: that it may be done again for a repetition is no reason to say otherwise.
  await repeat.finish(JSON.stringify(answer)).catch(() => undefined);
  return answer;
}
