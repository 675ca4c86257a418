import { isManagedKind, type ManagedKind, managedKinds, methodsOf } from '#lib/domain/manage/managed-kinds.ts';
import type { Endpoint } from './endpoint.ts';
import type { Route } from './router.ts';

/** The declaration that counts for a request: of an endpoint with kinds, that of the kind in the path. */
export function declarationFor(endpoint: Endpoint, { kind = '' }: Readonly<Record<string, string>>): Endpoint {
  const own = endpoint.kinds && Object.hasOwn(endpoint.kinds, kind) ? endpoint.kinds[kind] : undefined;
  return own ? { ...endpoint, ...own } : endpoint;
}

/** Every address that a declaration stands for: one for each kind, or itself. */
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

/** A route for one kind, which leads to the template that its function is declared with. */
export interface KindRoute extends Route {
  readonly template: string;
  readonly kind?: string;
}

/**
 * The routes with one line for each kind that a verb is offered for, so that an unknown kind is 404 and a verb that the
 * kind lacks is 405 with the kind's own `Allow`.
 */
export const withKinds = (routes: readonly Route[]): KindRoute[] =>
  routes.flatMap((route): KindRoute[] => {
    if (!route.path.includes('/{kind}')) return [{ ...route, template: route.path }];
    const of = route.path.endsWith('/{kind}') ? 'collection' : 'record';
    return Object.entries(managedKinds).flatMap(([kind, its]) => {
      const offered = methodsOf(its, of);
      const methods = route.methods.filter((method) => offered.includes(method));
      return methods.length > 0
        ? [{ ...route, methods, kind, path: pathOf(route.path, kind), template: route.path }]
        : [];
    });
  });
