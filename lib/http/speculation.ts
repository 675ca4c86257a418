import type { Principal } from '#lib/domain/access/principal.ts';
import { isSamePrincipal } from '#lib/table/access/api-keys.ts';
import { originRefusal } from './cors.ts';
import type { Endpoint } from './endpoint.ts';
import { declarationFor } from './endpoint-kinds.ts';
import type { ApiEvent } from './exchange.ts';
import { countCall } from './middleware/limit-rate.ts';
import { refusalOf } from './middleware/require-permissions.ts';

/** Begins work for a guessed caller, beside the read of its credential. */
export type Speculate = (event: ApiEvent, guess: Principal) => void;

/**
 * Runs the work of a request before its key is read, so that what it reads travels with the key. The work must change
 * nothing. It does not begin for a caller that would be refused: without the permissions of the endpoint, over its rate
 * limit, or with faults in its parameters.
 */
export const speculation =
  (endpoint: Endpoint, work: (event: ApiEvent, guess: Principal) => Promise<unknown>): Speculate =>
  (event, guess) => {
    const { exchange } = event;
    const refusal = originRefusal(event, guess) ?? refusalOf(declarationFor(endpoint, exchange.params), guess);
    if (exchange.faults.length > 0 || refusal) return;
    const decision = countCall(exchange, guess);
    const result = decision
      ? decision.then(({ isAllowed }) => (isAllowed ? work(event, guess) : undefined))
      : work(event, guess);
    // A failure is reported when the result is used.
    result.catch(() => undefined);
    exchange.speculation = { principal: guess, result };
  };

/** The result of the work if it ran for the caller that the key really belongs to; otherwise the work runs now. */
export const speculated = <Result>({ exchange }: ApiEvent, work: () => Promise<Result>): Promise<Result> => {
  const { principal, speculation: early } = exchange;
  const counts = early && principal && isSamePrincipal(early.principal, principal);
  return counts ? (early.result as Promise<Result>) : work();
};
