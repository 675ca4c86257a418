import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findEndpoints, functionsFolder } from '#lib/endpoints.ts';
import type { DeclaredRoute } from '#lib/http/declaration.ts';
import { routesOf } from '#lib/http/endpoint.ts';
import { listTextsOf } from '#lib/kinds/kind-endpoints.ts';
import type { Description } from './description.ts';

/** A route with the words of its description. */
export interface DescribedRoute extends Pick<DeclaredRoute, 'endpoint'> {
  /** The name of its operation. */
  readonly name: string;
  readonly description: Description;
}

/** The routes of all endpoints, in the order of the functions. */
export async function describedRoutes(root = functionsFolder): Promise<DescribedRoute[]> {
  const described = (await findEndpoints(root)).map(async ({ name, folder, endpoint }) => {
    const { description } = await import(pathToFileURL(join(folder, 'endpoint.ts')).href);
    if (!description) throw new Error(`functions/${name}/endpoint.ts must export its \`description\`.`);
    const words: Words = description();
    return routesOf(endpoint).map((route) => ({
      name: route.operation ?? name,
      endpoint: route.endpoint,
      description: wordsOf(words, route.name),
    }));
  });
  return (await Promise.all(described)).flat();
}

/** Those of all routes, or those of each by its name. */
type Words = Description | Readonly<Record<string, Description>>;

const isOfAll = (words: Words): words is Description => typeof words['tag' as never] === 'string';

function wordsOf(words: Words, route = ''): Description {
  if (!isOfAll(words)) return words[route] as Description;
  if (route === '') return words;
  const examples = words.examples?.filter(({ path }) => path?.['kind'] === route);
  return { ...words, query: { ...words.query, ...listTextsOf(route) }, examples };
}
