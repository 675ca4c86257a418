import type { RecordedOutcome } from '#lib/table/access/idempotency-records.ts';
import { Contended } from '#lib/table/errors.ts';
import { HttpError } from './errors.ts';

const header = 'Idempotency-Key';

export const requestInFlight = () =>
  new HttpError(409, 'conflict', `A request with this ${header} is still in progress. Try again shortly.`, {
    headers: { 'retry-after': '1' },
  });

/** @throws 422 if an idempotency key was used with another body */
export function requireSameRequest(outcome: RecordedOutcome, requestHash: string): void {
  if (outcome.requestHash === requestHash) return;
  throw new HttpError(422, 'idempotency_key_reused', `This ${header} was used with another body. Use a new one.`);
}

/** 409 if a transaction kept conflicting with others of the same idempotency key. */
export const asInFlight = (error: unknown): unknown =>
  error instanceof Contended && error.writes.includes('idempotency') ? requestInFlight() : error;
