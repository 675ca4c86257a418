import { type RateDecision, takeToken } from '#lib/table/rate-buckets.ts';
import { rateLimited } from '../errors.ts';
import type { ApiEvent } from '../exchange.ts';
import { openedTable } from './open-table.ts';

/** How many calls a minute each key may make; none when the deployment has not switched it on. */
const perMinute = Number(process.env['RATE_LIMIT'] ?? '0');

/**
 * Counts the calls of a key, whatever becomes of them.
 * @throws 429 with what is left and when to come again
 */
export const limitRate = () => ({
  before: async ({ event: { exchange } }: { event: ApiEvent }) => {
    const { principal } = exchange;
    if (!(perMinute > 0) || !principal) return;
    const decision = await takeToken(openedTable(exchange), principal, perMinute);
    exchange.headers = rateHeaders(decision);
    if (!decision.isAllowed) throw rateLimited(decision.retryAfter);
  },
});

/** As the IETF drafts them (draft-ietf-httpapi-ratelimit-headers). */
const rateHeaders = ({ remaining, fullIn }: RateDecision): Record<string, string> => ({
  'ratelimit-policy': `"key";q=${perMinute};w=60`,
  ratelimit: `"key";r=${remaining};t=${fullIn}`,
});
