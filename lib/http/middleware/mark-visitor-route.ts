import { type Endpoint, isForVisitors } from '../endpoint.ts';
import type { ApiEvent } from '../request-state.ts';

/** Notes whether browsers call the route with visitors' tokens, because of which even early errors have CORS headers. */
export const markVisitorRoute = (endpoint: Pick<Endpoint, 'callers'>) => ({
  before: ({ event }: { event: ApiEvent }) => {
    event.state.isForVisitors = isForVisitors(endpoint);
  },
});
