import type { Principal } from '#lib/domain/access/principal.ts';
import { type CountedCaller, type RateDecision, RateLimiter } from '#lib/table/access/rate-limiter.ts';
import { rateLimited } from './errors.ts';
import { openedTable } from './open-table.ts';
import type { RequestState } from './request-state.ts';

/** The maximum number of calls of a caller per minute; undefined if the deployment sets no limit. */
const perMinute = Number(process.env['RATE_LIMIT'] ?? '0');
const limiter = new RateLimiter();

/** Counts a call, once for each request. @returns undefined without a limit @throws Unavailable */
export function countCall(
  state: RequestState,
  { workspaceId, callerId }: CountedCaller,
): Promise<RateDecision> | undefined {
  if (!(perMinute > 0)) return undefined;
  const { rate } = state;
  if (rate?.workspaceId === workspaceId && rate.callerId === callerId) return rate.decision;
  const decision = limiter.take(openedTable(state), { workspaceId, callerId }, perMinute);
  // The failure reaches the code that awaits the decision. A speculation may end without awaiting it.
  decision.catch(() => undefined);
  state.rate = { workspaceId, callerId, decision };
  return decision;
}

/** Whether the caller was over the limit at its last call in this container. */
export const wasOverLimit = (state: RequestState, caller: CountedCaller): boolean =>
  perMinute > 0 && limiter.wasEmpty(openedTable(state), caller);

/** Counts every call of a caller, failed ones included. @throws 429 with the remaining calls and the seconds to wait */
export async function requireWithinLimit(state: RequestState, principal: Principal): Promise<void> {
  const decision = await countCall(state, principal);
  if (!decision) return;
  state.headers = { ...state.headers, ...rateHeaders(decision) };
  if (!decision.isAllowed) throw rateLimited(decision.retryAfter, principal.kind);
}

/** The headers of draft-ietf-httpapi-ratelimit-headers. */
const rateHeaders = ({ remaining, fullIn }: RateDecision): Record<string, string> => ({
  'ratelimit-policy': `"key";q=${perMinute};w=60`,
  ratelimit: `"key";r=${remaining};t=${fullIn}`,
});
