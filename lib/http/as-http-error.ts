import { Unavailable } from '#lib/table/errors.ts';
import { HttpError, internalError, unavailable } from './errors.ts';

/** The error answer for a failure: 503 if it is temporary, 500 for a bug. */
export function asHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  return error instanceof Unavailable || isTimeUp(error) ? unavailable() : internalError();
}

/** Middy aborts a handler just before the function's timeout, for example while a dependency hangs. */
const isTimeUp = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';
