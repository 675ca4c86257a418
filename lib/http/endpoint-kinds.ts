import type { Endpoint } from './endpoint.ts';
import type { Route } from './router.ts';

/** The declaration for a request. An endpoint with kinds has one declaration for each kind in the path. */
export function declarationFor(endpoint: Endpoint, { kind = '' }: Readonly<Record<string, string>>): Endpoint {
  const ofKind = endpoint.kinds && Object.hasOwn(endpoint.kinds, kind) ? endpoint.kinds[kind] : undefined;
  return ofKind ? { ...endpoint, ...ofKind } : endpoint;
}

/** The declaration of each kind; the declaration itself if it has no kinds. */
export const declarationsOf = (
  endpoint: Endpoint,
): { readonly kind: string | undefined; readonly endpoint: Endpoint }[] =>
  endpoint.kinds
    ? Object.entries(endpoint.kinds).map(([kind, { idPath }]) => ({
        kind,
        endpoint: { ...declarationFor(endpoint, { kind }), path: pathOf(endpoint.path, kind, idPath) },
      }))
    : [{ kind: undefined, endpoint }];

/** `/manage/{kind}/{id+}` for a kind. */
const pathOf = (path: string, kind: string, idPath?: string): string =>
  path.replace('{kind}', kind).replace('{id+}', idPath || '{id}');

/** The route of one kind. `path` is the template in the declaration of its function. */
export interface KindRoute extends Route {
  readonly template: string;
  readonly kind?: string;
}

/**
 * Expands routes into one route for each kind. So an unknown kind is 404. A verb that the kind lacks is 405 with the
 * kind's own `Allow`.
 */
export const withKinds = (routes: readonly Route[]): KindRoute[] =>
  routes.flatMap((route): KindRoute[] =>
    route.kinds
      ? Object.entries(route.kinds).map(([kind, idPath]) => ({
          ...route,
          kind,
          path: pathOf(route.path, kind, idPath),
          template: route.path,
        }))
      : [{ ...route, template: route.path }],
  );
