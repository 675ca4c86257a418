import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { type EndpointFunction, findEndpoints, routesNear, routeTable } from '#lib/endpoints.ts';
import { routesOf } from '#lib/http/endpoint.ts';
import { findRoute, routesFor } from '#lib/http/router.ts';

const endpoints = await findEndpoints();
const table = routeTable(endpoints);

/** Whether the gateway may lead a path to the function. CloudFront takes the end of a path of streamed answers as one. */
const mayReach = ({ endpoint }: EndpointFunction, path: string): boolean =>
  routesOf(endpoint).some(({ gatewayPath }) => {
    const isOpen = endpoint.responseMode === 'streamed';
    const source = gatewayPath.replaceAll(/\{\w+(\+?)\}/g, (_, more) => (more || isOpen ? '.+' : '[^/]+'));
    return new RegExp(`^${source}$`).test(path);
  });

/** Paths that fit each route, and some that only begin like one. */
const paths = [
  ...new Set(
    table.flatMap(({ path }) =>
      ['list', 'announce', 'a', 'members', 'a/b', 'workspace'].flatMap((word) => {
        const filled = path.replaceAll(/\{\w+\+?\}/g, word);
        return [filled, `${filled}/`, `${filled}/${word}`, filled.replace(/[^/]+$/, word)];
      }),
    ),
  ),
];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

describe('The routes of one function', () => {
  it.each(endpoints)('lead $name to the same answers as those of the whole service', (own) => {
    const near = routesNear([own], endpoints);
    const known = near.length === 0 ? routesFor(own.name, own.endpoint) : near;
    const reaching = paths.filter((path) => mayReach(own, path));
    expect(reaching.length).toBeGreaterThan(0);
    const found = reaching.flatMap((path) =>
      methods.map((method) => ({
        method,
        path,
        own: findRoute(known, method, path),
        whole: findRoute(table, method, path),
      })),
    );
    // One comparison by `expect` for each request would take most of the time.
    expect(found.filter(({ own, whole }) => !isDeepStrictEqual(own, whole))).toEqual([]);
  });

  it('do not change with a route elsewhere, so that it starts no other function anew', () => {
    const [some] = endpoints as [EndpointFunction];
    const added = {
      ...some,
      name: 'added',
      endpoint: { ...some.endpoint, path: '/api/v2/orders/{id}', routes: undefined },
    };
    const more = [...endpoints, added as EndpointFunction];
    for (const own of endpoints) expect(routesNear([own], more)).toEqual(routesNear([own], endpoints));
    expect(endpoints.filter((own) => routesNear([own], endpoints).length === table.length)).toEqual([]);
  });

  it('change for the functions with paths like the new one', () => {
    const [some] = endpoints as [EndpointFunction];
    const endpoint = { ...some.endpoint, path: '/api/public/cms/{modelId}/count', routes: undefined };
    const added = { ...some, name: 'added', endpoint } as EndpointFunction;
    const changed = endpoints.filter(
      (own) => routesNear([own], [...endpoints, added]).length !== routesNear([own], endpoints).length,
    );
    expect(changed.map(({ name }) => name)).toEqual(['cms-entry-get', 'cms-entry-update']);
  });
});
