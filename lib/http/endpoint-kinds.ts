import { isManagedKind, type ManagedKind, managedKinds, methodsOf } from '#lib/domain/manage/managed-kinds.ts';
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
    ? Object.keys(endpoint.kinds).map((kind) => ({
        kind,
        endpoint: { ...declarationFor(endpoint, { kind }), path: pathOf(endpoint.path, kind) },
      }))
    : [{ kind: undefined, endpoint }];

/** `/manage/{kind}/{id+}` for a kind. */
const pathOf = (path: string, kind: string): string =>
  path.replace('{kind}', kind).replace('{id+}', isManagedKind(kind) ? idPathOf(managedKinds[kind]) : '{id}');

const idPathOf = ({ idPath }: ManagedKind): string => idPath ?? '{id}';

/** The route of one kind. `path` is the template in the declaration of its function. */
export interface KindRoute extends Route {
  readonly template: string;
  readonly kind?: string;
}

/**
 * Expands routes into one route for each kind and verb. So an unknown kind is 404. A verb that the kind lacks is 405
 * with the kind's own `Allow`.
 */
export const withKinds = (routes: readonly Route[]): KindRoute[] =>
  routes.flatMap((route): KindRoute[] => {
    if (!route.path.includes('/{kind}')) return [{ ...route, template: route.path }];
    const target = route.path.endsWith('/{kind}') ? 'collection' : 'record';
    return Object.entries(managedKinds).flatMap(([kind, managedKind]) => {
      const offered = methodsOf(managedKind, target);
      const methods = route.methods.filter((method) => offered.includes(method));
      return methods.length > 0
        ? [{ ...route, methods, kind, path: pathOf(route.path, kind), template: route.path }]
        : [];
    });
  });
