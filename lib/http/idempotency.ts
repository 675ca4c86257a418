import { Contended } from '#lib/table/errors.ts';
import type { Remembered } from '#lib/table/repeats.ts';
import { HttpError } from './errors.ts';

const header = 'Idempotency-Key';

export const idempotencyKeyReused = () =>
  new HttpError(422, 'idempotency_key_reused', `This ${header} was used with another body; take a new one.`);

export const stillInFlight = () =>
  new HttpError(409, 'conflict', `A request with this ${header} is still being worked on; try again shortly.`, {
    headers: { 'retry-after': '1' },
  });

/** @throws 422 when an Idempotency-Key was used for something else */
export function requireSame(used: Remembered, requestHash: string): void {
  if (used.requestHash !== requestHash) throw idempotencyKeyReused();
}

/** 409 when a transaction could not be done since others with the same Idempotency-Key were, all the time. */
export const asRefusal = (error: unknown): unknown =>
  error instanceof Contended && error.writes.includes('idempotency') ? stillInFlight() : error;
