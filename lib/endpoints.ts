import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Endpoint } from './http/endpoint.ts';
import type { Route } from './http/router.ts';

/** Where every function of the service lives, a folder each. */
export const functionsFolder = fileURLToPath(new URL('../functions', import.meta.url));

/** The function behind the `$default` route: it answers what no route takes. */
export const fallbackFunction = 'route-unknown';

export interface EndpointFunction {
  /** The folder's name, which is the function's name everywhere. */
  readonly name: string;
  readonly folder: string;
  /** The file that exports `handler`. */
  readonly entry: string;
  readonly endpoint: Endpoint;
}

/** A declaration as its file exports it. */
interface EndpointModule {
  readonly endpoint?: Endpoint;
}

/**
 * Finds every endpoint of the service by its folder, sorted by name. Functions without a declaration (the fallback
 * route, stream consumers) are no endpoints.
 */
export async function findEndpoints(root = functionsFolder): Promise<EndpointFunction[]> {
  const declared = (await functionNames(root)).filter((name) => existsSync(join(root, name, 'endpoint.ts')));
  return Promise.all(
    declared.map(async (name) => {
      const folder = join(root, name);
      const { endpoint }: EndpointModule = await import(pathToFileURL(join(folder, 'endpoint.ts')).href);
      if (!endpoint) throw new Error(`functions/${name}/endpoint.ts must export its declaration as \`endpoint\`.`);
      return { name, folder, entry: join(folder, 'handler.ts'), endpoint };
    }),
  );
}

/** The names of all functions, endpoints and others, sorted. */
export async function functionNames(root = functionsFolder): Promise<string[]> {
  const folders = await readdir(root, { withFileTypes: true });
  const named = folders.filter((folder) => folder.isDirectory() && existsSync(join(root, folder.name, 'handler.ts')));
  return named.map(({ name }) => name).sort();
}

/** What the router needs of the declarations. */
export const routeTable = (endpoints: readonly EndpointFunction[]): Route[] =>
  endpoints.map(({ name, endpoint }) => ({ name, methods: endpoint.methods, path: endpoint.path }));
