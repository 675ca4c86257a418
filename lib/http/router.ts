import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { derived } from '#lib/domain/derived.ts';
import type { Endpoint, Method } from './declaration.ts';
import { isForVisitors, routesOf } from './endpoint.ts';

/** One line of the route table; `name` is the function's folder. */
export interface Route {
  readonly name: string;
  readonly methods: readonly Method[];
  readonly path: string;
  readonly refusesHead?: true;
  /** Whether browsers call the route from other origins with a visitor's token. */
  readonly isForVisitors?: true;
}

/** The lines of the route table of one endpoint. */
export const routesFor = (name: string, declared: Endpoint): Route[] =>
  routesOf(declared).map(({ endpoint }) => ({
    name,
    methods: endpoint.methods,
    path: endpoint.path,
    ...(endpoint.refusesHead && { refusesHead: true as const }),
    ...(isForVisitors(endpoint) && { isForVisitors: true as const }),
  }));

/** @returns a path as `findRoute` takes it; undefined if an escape is malformed or is not UTF-8 */
export function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

export type RouteMatch =
  | { readonly kind: 'found'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'method_not_allowed'; readonly allow: string; readonly routes: readonly Route[] }
  | { readonly kind: 'not_found' };

/**
 * Finds the route of a request, segment by segment (lib/spec/decisions.md section 1). Among the matching paths, a
 * literal segment outranks a parameter. So `PATCH .../list` is a wrong method, never an entry with the id `list`.
 * @param path decoded exactly once; with a trailing slash it matches nothing
 */
export function findRoute(routes: readonly Route[], method: string, path: string): RouteMatch {
  const fitting = patternsOf(routes).filter(({ expression }) => expression.test(path));
  const [least] = fitting.map(({ rank }) => rank).sort();
  const best = fitting.filter(({ rank }) => rank === least);
  const found = best.find(({ route }) => takes(route, method));
  if (found) return { kind: 'found', route: found.route, params: { ...found.expression.exec(path)?.groups } };
  const others = best.map(({ route }) => route);
  return others.length === 0
    ? { kind: 'not_found' }
    : { kind: 'method_not_allowed', allow: allowHeader(others), routes: others };
}

const takes = ({ methods, refusesHead }: Route, method: string): boolean =>
  (methods as readonly string[]).includes(method) || (method === 'HEAD' && !refusesHead && methods.includes('GET'));

/** The paths of routes as expressions. Of two that match, that with the smaller rank is the better one. */
const patternsOf = derived((routes: readonly Route[]) =>
  routes.map((route) => {
    const parts = route.path.split('/').map((part) => /^\{(?<name>\w+)(?<rest>\+)?\}$/.exec(part)?.groups ?? part);
    const sources = parts.map((part) =>
      typeof part === 'string' ? RegExp.escape(part) : `(?<${part['name']}>${part['rest'] ? '.*[^/]' : '[^/]+'})`,
    );
    const rank = parts.map((part) => (typeof part === 'string' ? 0 : part['rest'] ? 2 : 1)).join('');
    return { route, expression: new RegExp(`^${sources.join('/')}$`, 's'), rank };
  }),
);

function allowHeader(routes: readonly Route[]): string {
  const methods = new Set<string>(routes.flatMap((route) => route.methods));
  if (routes.some((route) => takes(route, 'HEAD'))) methods.add('HEAD');
  return [...methods].sort().join(', ');
}

/** The route table for the variable `ROUTES`: compressed, because Lambda allows 4 KB of environment in total. */
export const encodeRoutes = (routes: readonly Route[]): string =>
  deflateRawSync(JSON.stringify(routes)).toString('base64');

/** @param text the variable `ROUTES`; absent or empty if no routes are set */
export const decodeRoutes = (text: string | undefined): readonly Route[] =>
  text === undefined || text === '' ? [] : JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString());
