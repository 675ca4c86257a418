import type * as z from 'zod/mini';
import type { Permission } from '#lib/domain/access/permission.ts';
import type { CallerKind } from '#lib/domain/access/principal.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Where a route reads the API key (lib/spec/decisions.md section 2). */
export type KeyLocation = 'bearer' | 'x-api-key' | 'query';

/**
 * What a function may touch; its IAM policy and environment are made from this and from nothing else. `table:rewrite`
 * is for parts of an index, `table:transact` for what is written as a whole, `table:remove` for what is done with.
 * `table:uploads`, `table:mail`, `table:rate`, `table:used`, `table:media` and `table:tokens` change announced uploads, mail jobs, the rates
 * of keys, the times of their use, public images and visitors' tokens only; every endpoint that takes keys has `table:used`.
 * `table:media-read` and `files:media-read` read public images and nothing else. `files:link` tells where links of files
 * lead, `files:address` where the bucket is, and both allow nothing. Without
 * `table:access` a role denies every write to API keys and members, without `table:workspace` to workspaces, without
 * `table:session` every read of sessions; these three allow nothing by themselves. `table:sessions` changes sessions
 * only, `table:sign-in` members and the places of their addresses only. `files:remove` removes files and writes none.
 * `identity:sign-in` tells where people sign in, `identity:invite` lets one be invited there; both tell the public
 * address of the service.
 */
export type Use =
  | 'table:read'
  | 'table:update'
  | 'table:rewrite'
  | 'table:transact'
  | 'table:remove'
  | 'table:uploads'
  | 'table:mail'
  | 'table:rate'
  | 'table:used'
  | 'table:media'
  | 'table:media-read'
  | 'table:tokens'
  | 'table:access'
  | 'table:workspace'
  | 'table:session'
  | 'table:sessions'
  | 'table:sign-in'
  | 'files:read'
  | 'files:media-read'
  | 'files:address'
  | 'files:link'
  | 'files:remove'
  | 'files:write'
  | 'mail:send'
  | 'identity:sign-in'
  | 'identity:invite'
  | 'model:invoke';

type Schema = z.ZodMiniType;

/**
 * What the member of a key has to do with a call: `needed`, with one and the same permission as the key; `counts`, so
 * that both need it where the key belongs to one; or `ignored`.
 */
export type KeyMember = 'needed' | 'counts' | 'ignored';

/** What an endpoint with `{kind}` in its path is for one kind. */
export interface EndpointKind {
  readonly summary: string;
  readonly permissions: readonly Permission[];
  readonly permissionsNeeded?: 'all' | 'any';
  readonly query?: Schema;
  /** For the API description; the handler judges the body. */
  readonly body?: Schema;
  readonly response?: Schema;
}

/**
 * The one declaration of an endpoint. The route and function on AWS, the local route, the tests' invoker and the
 * types of the handler are all made from it.
 */
export interface Endpoint<
  Path extends string = string,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Response extends Schema = Schema,
  Headers extends Schema = Schema,
> {
  /** A declared GET answers HEAD too, unless the endpoint refuses it. */
  readonly methods: readonly [Method, ...Method[]];
  /** Of an endpoint whose GET changes something: HEAD is a wrong method. */
  readonly refusesHead?: true;
  /** Relative to the base address; `{name}` is one segment, `{name+}` is the rest of the path. */
  readonly path: Path;
  /** One sentence for the API description. */
  readonly summary: string;
  /** Empty where everybody may call: such an endpoint goes through `publicApi` and has no permissions. */
  readonly keyIn: readonly KeyLocation[];
  /** Whose credentials open the route. A visitor needs `messaging:conversation:engage`. @default - API keys alone */
  readonly callers?: readonly CallerKind[];
  /** `keyMember` says whether the member of the key needs them, too. */
  readonly permissions: readonly Permission[];
  /** Whether all of them are needed or any one. @default all */
  readonly permissionsNeeded?: 'all' | 'any';
  /** @default needed where a permission starts with `messaging:`, else ignored */
  readonly keyMember?: KeyMember;
  /** By the value of `{kind}` in the path: the endpoint stands for one endpoint for each of them. */
  readonly kinds?: Readonly<Record<string, EndpointKind>>;
  /** Reads the raw query strings; members it does not name are ignored (lib/spec/decisions.md section 1). */
  readonly query: Query;
  /** Reads the headers that it names, as they are usually written (`If-Match`); absent on routes that read none. */
  readonly headers?: Headers;
  /** A JSON body; absent on routes that read none. */
  readonly body?: Body;
  /** @default 1 MB */
  readonly bodyBytesMax?: number;
  /**
   * `streamed` bodies are larger than an event can carry: handler.ts also exports `web`, which takes the plain HTTP
   * request, and which the local run uses unless it imitates the platform's limits. @default buffered
   */
  readonly bodies?: 'buffered' | 'streamed';
  readonly response: Response;
  /** The status of a successful answer; a handler may choose another one that `more` describes. @default 200 */
  readonly status?: 200 | 201 | 204 | 302;
  /**
   * `streamed` answers begin before they are complete: on AWS behind a function URL with response streaming, locally
   * through the same runtime interface. @default buffered
   */
  readonly answers?: 'buffered' | 'streamed';
  /** Whether the edge keeps the answers: they are the same for everybody and never change. @default false */
  readonly isEdgeCached?: true;
  readonly uses: readonly Use[];
  readonly lambda?: LambdaSettings;
}

/** Whether visitors' tokens open a route, so that browsers call it from other origins. */
export const isForVisitors = ({ callers }: Pick<Endpoint, 'callers'>): boolean => callers?.includes('visitor') ?? false;

/** Whose credentials open the route; nobody's where everybody may call. */
export const callersOf = ({ callers, keyIn }: Pick<Endpoint, 'callers' | 'keyIn'>): readonly CallerKind[] =>
  callers ?? (keyIn.length > 0 ? ['key'] : []);

/** What the member of a key has to do with an endpoint. */
export const memberRuleOf = ({ keyMember, permissions }: Pick<Endpoint, 'keyMember' | 'permissions'>): KeyMember =>
  keyMember ?? (permissions.some((permission) => permission.startsWith('messaging:')) ? 'needed' : 'ignored');

/** Lambda settings that differ from the defaults of lib/infra. */
export interface LambdaSettings {
  readonly memoryMegabytes?: number;
  readonly timeoutSeconds?: number;
}

/** Keeps the literal types of a declaration, so that a misspelt parameter in its handler does not compile. */
export const defineEndpoint = <
  const Path extends string,
  Query extends Schema,
  Body extends Schema,
  Response extends Schema,
  Headers extends Schema,
>(
  endpoint: Endpoint<Path, Query, Body, Response, Headers>,
): Endpoint<Path, Query, Body, Response, Headers> => endpoint;

/** The parameters a path template names: `/cms/{modelId}/{id}` has `modelId` and `id`. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name extends `${infer Greedy}+` ? Greedy : Name]: string } & PathParameters<Rest>
  : unknown;
