import { type Endpoint, isForVisitors } from '../endpoint.ts';
import type { ApiEvent } from '../request-state.ts';

/** Marks routes that browsers call with visitors' tokens, so that early errors have CORS headers, too. */
export const markVisitorRoute = (endpoint: Pick<Endpoint, 'callers'>) => ({
  before: ({ event }: { event: ApiEvent }) => {
    event.state.isForVisitors = isForVisitors(endpoint);
  },
});
