import { isPreflight, PreflightAnswer } from './cors.ts';
import type { Endpoint } from './declaration.ts';
import { routesOf } from './endpoint.ts';
import { methodNotAllowed, notFound } from './errors.ts';
import type { ApiEvent } from './request-state.ts';
import { decodePath, decodeRoutes, findRoute, type RouteMatch, routesFor } from './router.ts';

/**
 * The routes that a request of this function may fit, made from the declarations when the functions are deployed or
 * started. Without them, its own routes are enough.
 */
const routes = decodeRoutes(process.env['ROUTES']);

/**
 * Matches the request against the route table before all other checks (lib/spec/decisions.md section 1). The gateway
 * has chosen the function, but it sends `PATCH .../list` to the route with an id in that segment.
 * @throws 404, 405, or the answer to a preflight
 */
export const matchRoute = (endpoint: Endpoint) => {
  const table = routes.length > 0 ? routes : routesFor('', endpoint);
  const own = new Map(routesOf(endpoint).map((route) => [route.endpoint.path, route]));
  return {
    before: ({ event }: { event: ApiEvent }) => {
      const { state } = event;
      const { path: wholePath } = event.requestContext.http;
      // A function URL passes the path as it was sent; the HTTP API decodes it (lib/spec/decisions.md section 1).
      const path = endpoint.responseMode === 'streamed' ? decodePath(wholePath) : wholePath;
      if (path === undefined) throw notFound('Address');
      const match = findRoute(table, state.method, path);
      const declared = own.get(pathOf(match));
      if (declared) state.route = declared;
      if (match.kind === 'method_not_allowed') {
        const methods = match.routes.flatMap((route) => (route.isForVisitors ? route.methods : []));
        if (methods.length > 0 && isPreflight(event)) throw new PreflightAnswer(event.headers['origin'] ?? '', methods);
        throw methodNotAllowed(match.allow);
      }
      if (match.kind === 'not_found' || !declared) throw notFound('Address');
      const { name } = declared;
      state.params = name === undefined ? match.params : { ...withFullId(match.params), kind: name };
    },
  };
};

/** Routes that take only other methods have the same path. */
function pathOf(match: RouteMatch): string {
  if (match.kind === 'found') return match.route.path;
  return (match.kind === 'method_not_allowed' && match.routes[0]?.path) || '';
}

/** The id of an entry has two segments. */
const withFullId = (params: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  params['modelId'] === undefined ? params : { ...params, id: `${params['modelId']}/${params['id']}` };
