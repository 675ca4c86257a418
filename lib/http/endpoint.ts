import * as z from 'zod/mini';
import type { CallerKind } from '#lib/domain/access/principal.ts';
import type { DeclaredRoute, Endpoint, MemberPermission, Routes, Schema } from './declaration.ts';

/** Whether visitors' tokens may use a route. Browsers then call it from other origins. */
export const isForVisitors = ({ callers }: Pick<Endpoint, 'callers'>): boolean => callers?.includes('visitor') ?? false;

/** The kinds of callers that may use the route; empty if the route is public. */
export const callersOf = ({ callers, keyIn }: Pick<Endpoint, 'callers' | 'keyIn'>): readonly CallerKind[] =>
  callers ?? (keyIn.length > 0 ? ['key'] : []);

/** The role of the key's member in calls of an endpoint. */
export const memberRuleOf = ({
  memberPermission,
  permissions,
}: Pick<Endpoint, 'memberPermission' | 'permissions'>): MemberPermission =>
  memberPermission ?? (permissions.some((permission) => permission.startsWith('messaging:')) ? 'required' : 'ignored');

/** The query of an endpoint that declares none. */
const noQuery = /* @__PURE__ */ z.object({});

/** Keeps the literal types of a declaration, so that a misspelt parameter in the handler does not compile. */
export const defineEndpoint = <
  const Path extends string,
  Body extends Schema,
  Response extends Schema,
  Headers extends Schema,
  Query extends Schema = typeof noQuery,
  const Own extends Routes = Routes,
>({
  query,
  ...endpoint
}: Omit<Endpoint<Path, Query, Body, Response, Headers, Own>, 'query'> & { readonly query?: Query }): Endpoint<
  Path,
  Query,
  Body,
  Response,
  Headers,
  Own
> => ({ ...endpoint, query: query ?? (noQuery as Schema as Query) });

/** Every route of an endpoint, each with its own path. */
export function routesOf({ routes, isRoutedByPattern, ...endpoint }: Endpoint): readonly DeclaredRoute[] {
  if (!routes) return [{ endpoint, gatewayPath: endpoint.path }];
  return Object.entries(routes).map(([name, { operation = name, ...parts }]) => ({
    name,
    operation,
    endpoint: { ...endpoint, ...parts },
    gatewayPath: isRoutedByPattern ? endpoint.path : parts.path,
  }));
}

/** Whether a route needs no body: its schema has a default. */
export const mayBeAbsent = (body: NonNullable<Endpoint['body']>): boolean => body.safeParse(undefined).success;
