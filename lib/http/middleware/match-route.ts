import { isPreflight, PreflightAnswer } from '../cors.ts';
import type { Endpoint } from '../endpoint.ts';
import { type KindRoute, withKinds } from '../endpoint-kinds.ts';
import { methodNotAllowed, notFound } from '../errors.ts';
import type { ApiEvent } from '../request-state.ts';
import { decodePath } from '../request-target.ts';
import { decodeRoutes } from '../route-table.ts';
import { findRoute } from '../router.ts';

/** The route table of the whole service, made from the declarations when the functions are deployed or started. */
const routes: readonly KindRoute[] = withKinds(decodeRoutes(process.env['ROUTES']));

/**
 * Holds the request against the route table before anything else (lib/spec/decisions.md section 1). The gateway has
 * picked the function, but it would hand `PATCH .../list` to the route with an id in that place.
 * @throws 404, 405, or the answer to a preflight
 */
export const matchRoute = (endpoint: Pick<Endpoint, 'path' | 'answers'>) => ({
  before: ({ event }: { event: ApiEvent }) => {
    const path = endpoint.answers === 'streamed' ? decodedPath(event) : event.rawPath;
    const match = findRoute(routes, event.state.method, path);
    if (match.kind === 'method_not_allowed') {
      const methods = match.routes.flatMap((route) => (route.isForVisitors ? route.methods : []));
      if (methods.length > 0 && isPreflight(event)) throw new PreflightAnswer(event.headers['origin'] ?? '', methods);
      throw methodNotAllowed(match.allow);
    }
    if (match.kind === 'not_found' || match.route.template !== endpoint.path) throw notFound('Address');
    const { kind } = match.route;
    event.state.params = kind === undefined ? match.params : { ...withWholeId(match.params), kind };
  },
});

/** Two segments that name a record are its id. */
const withWholeId = (params: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  params['modelId'] === undefined ? params : { ...params, id: `${params['modelId']}/${params['id']}` };

/**
 * A function URL hands the path over as it was sent, the HTTP API decoded already (lib/spec/decisions.md section 1).
 * @throws 404 for an escape that is malformed or spells no UTF-8
 */
function decodedPath(event: ApiEvent): string {
  const path = decodePath(event.rawPath);
  if (path === undefined) throw notFound('Address');
  return path;
}
