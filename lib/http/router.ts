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

export type RouteMatch<R extends Route = Route> =
  | { readonly kind: 'found'; readonly route: R; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'method_not_allowed'; readonly allow: string; readonly routes: readonly R[] }
  | { readonly kind: 'not_found' };

/**
 * Finds the route of a request, segment by segment (lib/spec/decisions.md section 1). Among the matching paths, a
 * literal segment outranks a parameter. So `PATCH .../list` is a wrong method, never an entry with the id `list`.
 * @param path decoded exactly once; with a trailing slash it matches nothing
 */
export function findRoute<R extends Route>(routes: readonly R[], method: string, path: string): RouteMatch<R> {
  const segments = path.split('/');
  const best = bestMatches(routes, segments);
  for (const { route, params } of best) if (takes(route, method)) return { kind: 'found', route, params };
  if (best.length === 0) return { kind: 'not_found' };
  const others = best.map(({ route }) => route);
  return { kind: 'method_not_allowed', allow: allowHeader(others), routes: others };
}

const takes = ({ methods, refusesHead }: Route, method: string): boolean =>
  (methods as readonly string[]).includes(method) || (method === 'HEAD' && !refusesHead && methods.includes('GET'));

interface Match<R> {
  readonly route: R;
  readonly params: Record<string, string>;
  /**
   * One character for each segment, so that a string comparison ranks literals first, then parameters, then the rest.
   */
  readonly rank: string;
}

function bestMatches<R extends Route>(routes: readonly R[], segments: readonly string[]): Match<R>[] {
  const templates = templatesOf(routes);
  const matches = routes.flatMap((route, index) => {
    const template = templates[index] ?? [];
    // Most routes end here.
    if (!hasLiterals(template, segments)) return noMatch;
    return matchRoute(route, template, segments) ?? noMatch;
  });
  const best = matches.reduce((rank, match) => (match.rank > rank ? match.rank : rank), '');
  return matches.filter((match) => match.rank === best);
}

const noMatch: readonly never[] = [];

/** The segments of each route's path, split once for each table. */
const templatesOf = derived((routes: readonly Route[]) => routes.map(({ path }) => path.split('/')));

/** Whether each literal segment of a template is at its position. */
const hasLiterals = (template: readonly string[], segments: readonly string[]): boolean =>
  template.every((part, index) => part === segments[index] || part.startsWith('{'));

function matchRoute<R extends Route>(
  route: R,
  template: readonly string[],
  segments: readonly string[],
): Match<R> | undefined {
  const params: Record<string, string> = {};
  let rank = '';
  for (const [index, part] of template.entries()) {
    const segment = segments[index];
    if (segment === undefined) return undefined;
    if (part.endsWith('+}')) {
      if (segments.at(-1) === '') return undefined;
      params[part.slice(1, -2)] = segments.slice(index).join('/');
      return { route, params, rank: `${rank}0` };
    }
    if (part.startsWith('{')) {
      if (segment === '') return undefined;
      params[part.slice(1, -1)] = segment;
      rank += '1';
    } else if (part === segment) rank += '2';
    else return undefined;
  }
  return template.length === segments.length ? { route, params, rank } : undefined;
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
