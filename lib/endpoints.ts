import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Endpoint } from './http/declaration.ts';
import { routesOf } from './http/endpoint.ts';
import { type Route, routesFor } from './http/router.ts';
import type { Trigger } from './trigger.ts';

/** Holds one folder for each function of the service. */
export const functionsFolder = fileURLToPath(new URL('../functions', import.meta.url));

/** The function behind the `$default` route. It answers requests that match no route. */
export const fallbackFunction = 'route-unknown';

export interface EndpointFunction {
  /** The folder's name, which is the function's name everywhere. */
  readonly name: string;
  readonly folder: string;
  /** The file that exports `handler`. */
  readonly entry: string;
  readonly endpoint: Endpoint;
}

/** A background function: started by table changes or by a schedule. */
export interface TriggeredFunction {
  readonly name: string;
  readonly trigger: Trigger;
}

/** Finds every endpoint of the service by its folder, sorted by name. */
export const findEndpoints = (root = functionsFolder): Promise<EndpointFunction[]> =>
  findDeclared(root, 'endpoint', (name, endpoint: Endpoint) => {
    const folder = join(root, name);
    return { name, folder, entry: join(folder, 'handler.ts'), endpoint };
  });

/** Finds every background function, sorted by name. */
export const findTriggers = (root = functionsFolder): Promise<TriggeredFunction[]> =>
  findDeclared(root, 'trigger', (name, trigger: Trigger) => ({ name, trigger }));

async function findDeclared<Declaration, Found>(
  root: string,
  kind: 'endpoint' | 'trigger',
  found: (name: string, declaration: Declaration) => Found,
): Promise<Found[]> {
  const declared = (await functionNames(root)).filter((name) => existsSync(join(root, name, `${kind}.ts`)));
  return Promise.all(
    declared.map(async (name) => {
      const module = await import(pathToFileURL(join(root, name, `${kind}.ts`)).href);
      if (!module[kind]) throw new Error(`functions/${name}/${kind}.ts must export its declaration as \`${kind}\`.`);
      return found(name, module[kind]);
    }),
  );
}

/** The names of all functions, endpoints and others, sorted. */
export async function functionNames(root = functionsFolder): Promise<string[]> {
  const folders = await readdir(root, { withFileTypes: true });
  const named = folders.filter((folder) => folder.isDirectory() && existsSync(join(root, folder.name, 'handler.ts')));
  return named.map(({ name }) => name).sort();
}

/** The routes of the declared endpoints. */
export const routeTable = (endpoints: readonly EndpointFunction[]): Route[] =>
  endpoints.flatMap(({ name, endpoint }) => routesFor(name, endpoint));

/**
 * The routes that one function needs to answer like the whole service: those that fit a path on which requests are led
 * to it. `PATCH .../list` is led to the function of `PATCH .../{id}`. Because it gets no others, a new route changes
 * only the functions with paths like it.
 * @param own the endpoints of the function
 * @returns empty if each endpoint's own routes are enough
 */
export function routesNear(own: readonly EndpointFunction[], all: readonly EndpointFunction[]): Route[] {
  const table = routeTable(all);
  const near = own.map(({ name, endpoint }) => {
    const patterns = routesOf(endpoint).map(({ gatewayPath }) => patternOf(endpoint, gatewayPath));
    return { name, routes: table.filter(({ path }) => patterns.some((pattern) => overlap(pattern, path.split('/')))) };
  });
  if (near.every(({ name, routes }) => routes.every((route) => route.name === name))) return [];
  return table.filter((route) => near.some(({ routes }) => routes.includes(route)));
}

/** CloudFront leads the paths of streamed answers, and a parameter at their end stands for more segments. */
const patternOf = ({ responseMode }: Endpoint, path: string): string[] =>
  (responseMode === 'streamed' ? path.replace(/\{(\w+)\}$/, '{$1+}') : path).split('/');

/** Whether a path exists that fits both templates. */
function overlap(one: readonly string[], other: readonly string[]): boolean {
  for (const [index, part] of one.entries()) {
    const theirs = other[index];
    if (theirs === undefined) return false;
    if (part.endsWith('+}') || theirs.endsWith('+}')) return true;
    if (!part.startsWith('{') && !theirs.startsWith('{') && part !== theirs) return false;
  }
  return one.length === other.length;
}

/**
 * What the functions of the setting `functions` `grouped` handle, by their names. Functions with a URL of their own, and
 * those that no request starts, are alone. Access and sessions are apart, so that no other may write API keys and
 * members.
 */
const groups: Readonly<Record<string, RegExp>> = {
  access: /^access-/,
  chat: /^(?:visitor-session|conversations?|messages?)-/,
  content: /^(?:cms-|menu-|form-(?:get|submit)$)/,
  manage: /^(?:manage|schema|events|webhook)-/,
  pages: /^(?:public-files|route-unknown)$/,
  session: /^(?:session|profile)-/,
  uploads: /^(?:attachments-(?:announce|upload)|media-(?:announce|confirm|delete|upload))$/,
};

export const groupNames: readonly string[] = Object.keys(groups);

/** `cms-entry-get` is `CmsEntryGet` in the names of its resources. */
export const constructId = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z0-9])/g, (_, first) => first.toUpperCase());

/** The group of a function; undefined if it is alone. */
export const groupOf = (name: string): string | undefined => groupNames.find((group) => groups[group]?.test(name));

/** The routes of the gateway that lead to an endpoint, with the names of the declared ones. */
export function gatewayRoutes({ name: functionName, endpoint }: Pick<EndpointFunction, 'name' | 'endpoint'>) {
  const { methods, refusesHead, isRoutedByPattern } = endpoint;
  const paths = new Map(routesOf(endpoint).map(({ gatewayPath, name }) => [gatewayPath, name]));
  return [...paths].flatMap(([path, name]) =>
    methods.map((method) => ({
      /** Unique in the service. */
      id: [functionName, ...(isRoutedByPattern ? [] : [name ?? []].flat()), method],
      path,
      // One route for ANY handles GET and HEAD (lib/spec/decisions.md section 1), because a second route would be
      // another resource. It also receives methods without a route, which the function answers with 405.
      method: method === 'GET' && !refusesHead ? ('ANY' as const) : method,
    })),
  );
}
