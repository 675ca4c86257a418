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
  const best = routesAt(treeOf(routes), segments, 0);
  const route = best.find((other) => takes(other, method));
  if (route) return { kind: 'found', route, params: paramsOf(route, segments) };
  return best.length === 0
    ? { kind: 'not_found' }
    : { kind: 'method_not_allowed', allow: allowHeader(best), routes: best };
}

const takes = ({ methods, refusesHead }: Route, method: string): boolean =>
  (methods as readonly string[]).includes(method) || (method === 'HEAD' && !refusesHead && methods.includes('GET'));

/** The routes whose paths begin with the same segments: those that end here, and all others by what follows. */
interface Branch {
  readonly ends: Route[];
  readonly next: Map<string, Branch>;
}

/** Names in `next` for a parameter, and for one that takes all further segments. No segment has a slash. */
const parameter = '/';
const rest = '/+';

const nameOf = (segment: string): string =>
  segment.startsWith('{') ? (segment.endsWith('+}') ? rest : parameter) : segment;

const treeOf = derived((routes: readonly Route[]): Branch => {
  const root: Branch = { ends: [], next: new Map() };
  for (const route of routes) {
    let branch = root;
    for (const segment of route.path.split('/')) {
      const next = branch.next.get(nameOf(segment)) ?? { ends: [], next: new Map() };
      branch.next.set(nameOf(segment), next);
      branch = next;
    }
    branch.ends.push(route);
  }
  return root;
});

/** The routes of the best matching path, of all methods. */
function routesAt({ ends, next }: Branch, segments: readonly string[], index: number): readonly Route[] {
  const segment = segments[index];
  if (segment === undefined) return ends;
  for (const name of segment === '' ? [''] : [segment, parameter]) {
    const branch = next.get(name);
    const found = branch ? routesAt(branch, segments, index + 1) : [];
    if (found.length > 0) return found;
  }
  return segments.at(-1) === '' ? [] : (next.get(rest)?.ends ?? []);
}

function paramsOf({ path }: Route, segments: readonly string[]): Record<string, string> {
  const parts = path
    .split('/')
    .entries()
    .filter(([, part]) => part.startsWith('{'));
  return Object.fromEntries(
    parts.map(([index, part]) =>
      part.endsWith('+}')
        ? [part.slice(1, -2), segments.slice(index).join('/')]
        : [part.slice(1, -1), segments[index] ?? ''],
    ),
  );
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
