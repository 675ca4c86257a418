import type { Principal } from '#lib/domain/access/principal.ts';
import { isSamePrincipal } from '#lib/table/access/api-keys.ts';
import { originRefusal } from './cors.ts';
import type { Endpoint } from './endpoint.ts';
import { declarationFor } from './endpoint-kinds.ts';
import { countCall, wasOverLimit } from './middleware/limit-rate.ts';
import { refusalOf } from './middleware/require-permissions.ts';
import type { ApiEvent } from './request-state.ts';

/** Starts work for the expected caller, in parallel with the read of its credential. */
export type Speculate = (event: ApiEvent, lastSeen: Principal) => void;

/**
 * Runs the work of a request before its key is verified, so that both read in one batch. The work must change nothing.
 * It does not begin if the request would be refused for its permissions or its parameters. If the caller was over its
 * rate limit last time, it begins after the call is counted.
 */
export const speculation =
  (endpoint: Endpoint, work: (event: ApiEvent, lastSeen: Principal) => Promise<unknown>): Speculate =>
  (event, lastSeen) => {
    const { state } = event;
    const refusal = originRefusal(event, lastSeen) ?? refusalOf(declarationFor(endpoint, state.params), lastSeen);
    if (state.requestIssues.length > 0 || refusal) return;
    const isInDoubt = wasOverLimit(state, lastSeen);
    const decision = countCall(state, lastSeen);
    const result =
      decision && isInDoubt
        ? decision.then(({ isAllowed }) => (isAllowed ? work(event, lastSeen) : undefined))
        : work(event, lastSeen);
    // The code that uses the result gets the failure.
    result.catch(() => undefined);
    state.speculation = { principal: lastSeen, result };
  };

/** The result of the work, if it ran for the right caller; otherwise the work runs now. */
export const speculated = <Result>({ state }: ApiEvent, work: () => Promise<Result>): Promise<Result> => {
  const { principal, speculation: early } = state;
  const counts = early && principal && isSamePrincipal(early.principal, principal);
  return counts ? (early.result as Promise<Result>) : work();
};
