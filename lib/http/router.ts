import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { derived } from '#lib/table/memory/derived.ts';
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
  const segments = path.split('/');
  const fitting = patternsOf(routes).filter((pattern) => fits(pattern, segments));
  const [least] = fitting.map(({ rank }) => rank).sort();
  const best = fitting.filter(({ rank }) => rank === least).map(({ route }) => route);
  const route = best.find((other) => takes(other, method));
  if (route) return { kind: 'found', route, params: paramsOf(route, segments) };
  return best.length === 0
    ? { kind: 'not_found' }
    : { kind: 'method_not_allowed', allow: allowHeader(best), routes: best };
}

const takes = ({ methods, refusesHead }: Route, method: string): boolean =>
  (methods as readonly string[]).includes(method) || (method === 'HEAD' && !refusesHead && methods.includes('GET'));

const isParameter = (part: string): boolean => part.startsWith('{');
const isRest = (part: string): boolean => part.endsWith('+}');

/** The paths of routes in parts. Of two that match, that with the smaller rank is the better one. */
const patternsOf = derived((routes: readonly Route[]) =>
  routes.map((route) => {
    const parts = route.path.split('/');
    const kinds = parts.map((part) => Number(isParameter(part)) + Number(isRest(part)));
    return { route, parts, kinds, rank: kinds.join('') };
  }),
);

function fits({ parts, kinds }: ReturnType<typeof patternsOf>[number], segments: readonly string[]): boolean {
  if (parts.length !== segments.length && kinds.at(-1) !== 2) return false;
  for (let index = 0; index < parts.length; index++) {
    const segment = segments[index];
    if (kinds[index] === 2) return segment !== undefined && segments.at(-1) !== '';
    if (kinds[index] === 1 ? !segment : segment !== parts[index]) return false;
  }
  return true;
}

function paramsOf({ path }: Route, segments: readonly string[]): Record<string, string> {
  const params = path.split('/').flatMap((part, index): [string, string][] => {
    if (isRest(part)) return [[part.slice(1, -2), segments.slice(index).join('/')]];
    return isParameter(part) ? [[part.slice(1, -1), segments[index] ?? '']] : [];
  });
  return Object.fromEntries(params);
}

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
