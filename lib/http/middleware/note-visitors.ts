import { type Endpoint, isForVisitors } from '../endpoint.ts';
import type { ApiEvent } from '../exchange.ts';

/** Notes whether browsers call the route with visitors' tokens, because of which even early errors have CORS headers. */
export const noteVisitors = (endpoint: Pick<Endpoint, 'callers'>) => ({
  before: ({ event }: { event: ApiEvent }) => {
    event.exchange.isForVisitors = isForVisitors(endpoint);
  },
});
