import { type CountedCaller, type RateDecision, RateLimiter } from '#lib/table/access/rate-limiter.ts';
import { rateLimited } from '../errors.ts';
import type { ApiEvent, RequestState } from '../request-state.ts';
import { openedTable } from './open-table.ts';

/** Calls per minute that each caller may make; undefined when the deployment sets no limit. */
const perMinute = Number(process.env['RATE_LIMIT'] ?? '0');
const limiter = new RateLimiter();

/** Counts a call, once for each request. @returns undefined when there is no limit @throws Unavailable */
export function countCall(
  state: RequestState,
  { workspaceId, callerId }: CountedCaller,
): Promise<RateDecision> | undefined {
  if (!(perMinute > 0)) return undefined;
  const { rate } = state;
  if (rate?.workspaceId === workspaceId && rate.callerId === callerId) return rate.decision;
  const decision = limiter.take(openedTable(state), { workspaceId, callerId }, perMinute);
  // A failure is reported to the caller that awaits the decision; a speculation may end without awaiting it.
  decision.catch(() => undefined);
  state.rate = { workspaceId, callerId, decision };
  return decision;
}

/**
 * Counts the calls of a caller, whatever becomes of them.
 * @throws 429 with what is left and when to come again
 */
export const limitRate = () => ({
  before: async ({ event: { state } }: { event: ApiEvent }) => {
    const { principal } = state;
    const decision = principal && (await countCall(state, principal));
    if (!decision) return;
    state.headers = { ...state.headers, ...rateHeaders(decision) };
    if (!decision.isAllowed) throw rateLimited(decision.retryAfter, principal.kind);
  },
});

/** As the IETF drafts them (draft-ietf-httpapi-ratelimit-headers). */
const rateHeaders = ({ remaining, fullIn }: RateDecision): Record<string, string> => ({
  'ratelimit-policy': `"key";q=${perMinute};w=60`,
  ratelimit: `"key";r=${remaining};t=${fullIn}`,
});
