import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isPreflight, PreflightAnswer } from './cors.ts';
import { type Endpoint, routesOf } from './endpoint.ts';
import { methodNotAllowed, notFound, permissionDenied } from './errors.ts';
import { originHeader } from './origin-header.ts';
import { originSecret } from './own-signature.ts';
import type { ApiEvent } from './request-state.ts';
import { decodePath } from './request-target.ts';
import { decodeRoutes, findRoute, type RouteMatch } from './router.ts';

/**
 * Refuses callers that bypass CloudFront, because the gateway and the function URLs are public. The local run has no
 * CloudFront and refuses no caller. It accepts the current and the previous secret, because CloudFront takes minutes to
 * use a new one everywhere. An unknown secret makes the container read both again.
 * @throws 403, Unavailable
 */
export const requireOrigin = () => ({
  before: async ({ event }: { event: ApiEvent }) => {
    const { state } = event;
    if (!originSecret) {
      state.caller = callerName(event);
      return;
    }
    const sentSecret = event.headers[originHeader] ?? '';
    const [current] = await originSecret.values();
    state.caller = callerName(event, current);
    if (sentSecret !== '' && (await originSecret.some(isSent(sentSecret)))) return;
    throw permissionDenied('This service answers at its public address only.');
  },
});

/** Takes the same time for every input. */
const isSent =
  (sent: string) =>
  (value: string): boolean =>
    timingSafeEqual(digest(sent), digest(value));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The secret of the local run, whose log stays on this machine. */
const ownSecret = randomBytes(32).toString('hex');

/**
 * A keyed hash of the caller's address for log lines. Equal addresses have equal hashes. Without the secret, an address
 * cannot be found by trying all. The secret is that of the origin, because every function with an endpoint has it. Its
 * rotation changes all hashes, so callers cannot be followed for years.
 * @param originSecret the secret of the distribution; undefined without one
 */
export function callerName(event: Pick<ApiEvent, 'headers' | 'requestContext'>, originSecret?: string): string {
  const { sourceIp } = event.requestContext.http;
  const address = originSecret === undefined ? sourceIp : forwardedAddress(event.headers, sourceIp);
  const key = `caller address ${originSecret ?? ownSecret}`;
  return createHmac('sha256', key).update(address).digest('hex').slice(0, 16);
}

/**
 * The distribution appends the viewer's address to X-Forwarded-For, and the gateway appends that of the distribution.
 * The addresses before them come from the viewer and are not trusted.
 */
function forwardedAddress(headers: ApiEvent['headers'], sourceIp: string): string {
  const addresses = (headers['x-forwarded-for'] ?? '').split(',').map((address) => address.trim());
  return addresses.findLast((address) => address !== '' && address !== sourceIp) ?? sourceIp;
}

/** The route table of the whole service, made from the declarations when the functions are deployed or started. */
const routes = decodeRoutes(process.env['ROUTES']);

/**
 * Matches the request against the route table before all other checks (lib/spec/decisions.md section 1). The gateway
 * has chosen the function, but it sends `PATCH .../list` to the route with an id in that segment.
 * @throws 404, 405, or the answer to a preflight
 */
export const matchRoute = (endpoint: Endpoint) => {
  const own = new Map(routesOf(endpoint).map((route) => [route.endpoint.path, route]));
  return {
    before: ({ event }: { event: ApiEvent }) => {
      const { state } = event;
      const path = endpoint.responseMode === 'streamed' ? decodedPath(event) : event.rawPath;
      const match = findRoute(routes, state.method, path);
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

/**
 * A function URL passes the path as it was sent; the HTTP API decodes it (lib/spec/decisions.md section 1).
 * @throws 404 for a malformed escape or invalid UTF-8
 */
function decodedPath(event: ApiEvent): string {
  const path = decodePath(event.rawPath);
  if (path === undefined) throw notFound('Address');
  return path;
}
