import type * as z from 'zod/mini';
import type { Permission } from '#lib/domain/access/permission.ts';
import type { CallerKind } from '#lib/domain/access/principal.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Where a route reads the API key (lib/spec/decisions.md section 2). */
export type KeyLocation = 'bearer' | 'x-api-key' | 'query';

/**
 * The rights of a function. Its IAM policy and environment are made only from these.
 *
 * - `table:put` is for parts of an index, `table:transact` for transactions, `table:remove` for deletions.
 * - Some may change only one kind of item: `table:uploads` (announced uploads), `table:mail` (due mails),
 *   `table:compaction` (notes of long logs), `table:rate` (rate buckets), `table:media` (public images), `table:tokens`
 *   (visitors' tokens), `table:sessions` (sessions), `table:retention` (records that are kept for a time),
 *   `table:schedules` (scheduled changes), `table:webhooks` (deliveries). `table:end-tokens` only removes visitors'
 *   tokens.
 * - `table:record-key-use` may only change last uses of keys. Every endpoint with API keys has it.
 * - `table:sign-in` only changes members and the items of their addresses, and writes audit events.
 * - `table:media-read` and `files:media-read` only read public images.
 * - Three grant nothing themselves, but lift a denial. `table:access` is for writes to API keys and members,
 *   `table:workspace` for writes to workspaces, `table:session` for reads of sessions.
 * - `files:remove` removes files and writes none.
 * - `files:history-read` and `files:history-write` are about large states of records alone.
 * - `files:link` adds the base address of file links, `files:address` that of the bucket. Both grant no permission.
 * - `webhooks:send` allows to read the secret that signs.
 * - `identity:sign-in` adds the issuer's addresses, `identity:invite` allows invitations. Both add the public address
 *   of the service.
 */
export type Use =
  | 'table:read'
  | 'table:update'
  | 'table:put'
  | 'table:transact'
  | 'table:remove'
  | 'table:uploads'
  | 'table:mail'
  | 'table:compaction'
  | 'table:retention'
  | 'table:schedules'
  | 'table:webhooks'
  | 'table:rate'
  | 'table:record-key-use'
  | 'table:media'
  | 'table:media-read'
  | 'table:tokens'
  | 'table:end-tokens'
  | 'table:access'
  | 'table:workspace'
  | 'table:session'
  | 'table:sessions'
  | 'table:sign-in'
  | 'files:read'
  | 'files:media-read'
  | 'files:history-read'
  | 'files:history-write'
  | 'files:address'
  | 'files:link'
  | 'files:remove'
  | 'files:write'
  | 'mail:send'
  | 'webhooks:send'
  | 'identity:sign-in'
  | 'identity:invite'
  | 'model:invoke';

export type Schema = z.ZodMiniType;

/**
 * Whether a call also depends on the key's member. `required`: the key must belong to a member, and both need the same
 * permission. `ifPresent`: if the key belongs to a member, both need the permission. `ignored`: the key's permission is
 * enough.
 */
export type MemberPermission = 'required' | 'ifPresent' | 'ignored';

/** One of several routes of an endpoint. It has the parts of the endpoint that it does not declare itself. */
export interface RouteParts {
  readonly path: string;
  readonly summary: string;
  /** The name in the API description. @default - the name of the route */
  readonly operation?: string;
  readonly permissions?: readonly Permission[];
  readonly permissionsNeeded?: 'all' | 'any';
  readonly query?: Schema;
  readonly headers?: Schema;
  /** For the API description only: no answer is 304. */
  readonly isNeverUnchanged?: true;
  /** For the API description only; the handler checks the body. */
  readonly body?: Schema;
  readonly response?: Schema;
  readonly isEdgeCached?: true;
}

export type Routes = Readonly<Record<string, RouteParts>>;

/** The declaration of an endpoint. The routes, the function on AWS and the types of the handler are made from it. */
export interface Endpoint<
  Path extends string = string,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Response extends Schema = Schema,
  Headers extends Schema = Schema,
  Own extends Routes = Routes,
> {
  /** A declared GET also answers HEAD, unless `refusesHead` is set. */
  readonly methods: readonly [Method, ...Method[]];
  /** Answers HEAD with 405, because the GET of this endpoint changes something. */
  readonly refusesHead?: true;
  /**
   * Relative to the base address; `{name}` is one segment, `{name+}` is the rest of the path. With `routes`, the pattern
   * of them all.
   */
  readonly path: Path;
  /** One sentence for the API description. */
  readonly summary: string;
  /** Empty if the endpoint is public, or for sessions alone. */
  readonly keyIn: readonly KeyLocation[];
  /**
   * The kinds of callers that may use the route. A visitor needs `messaging:conversation:engage`.
   * @default - API keys alone
   */
  readonly callers?: readonly CallerKind[];
  /** What the caller may do. `memberPermission` decides whether the member of the key needs the same. */
  readonly permissions: readonly Permission[];
  /** Whether the caller needs all of them or any one. @default all */
  readonly permissionsNeeded?: 'all' | 'any';
  /** @default required where a permission starts with `messaging:`, else ignored */
  readonly memberPermission?: MemberPermission;
  readonly isNeverUnchanged?: true;
  /** The routes of a function with several, by name. The name is `kind` among the parameters of the path. */
  readonly routes?: Own;
  /**
   * Whether one route of the gateway leads everything that fits `path` to the function, so that more routes are no more
   * resources. @default - each of `routes` has its own
   */
  readonly isRoutedByPattern?: true;
  /**
   * Reads the raw query strings; members it does not name are ignored (lib/spec/decisions.md section 1). A declaration
   * leaves it out if the route has no parameters.
   */
  readonly query: Query;
  /** Reads the headers that it names, as they are usually written (`If-Match`); absent on routes that read none. */
  readonly headers?: Headers;
  /** A JSON body; absent on routes that read none. */
  readonly body?: Body;
  /** @default 1 MB */
  readonly bodyBytesMax?: number;
  /**
   * `streamed` bodies may be larger than an event. Their handler.ts also exports `web`, which takes the plain HTTP
   * request. The local service uses it unless it imitates the limits of the platform.
   * @default buffered
   */
  readonly requestBodyMode?: 'buffered' | 'streamed';
  readonly response: Response;
  /** The status of a success. A handler may answer another status that `more` describes. @default 200 */
  readonly status?: 200 | 201 | 202 | 204 | 302;
  /**
   * `streamed` answers begin before they are complete. On AWS they need a function URL with response streaming.
   * @default buffered
   */
  readonly responseMode?: 'buffered' | 'streamed';
  /** Whether CloudFront caches the answers, as long as they say: they are the same for all callers. @default false */
  readonly isEdgeCached?: true;
  readonly uses: readonly Use[];
  readonly lambda?: LambdaSettings;
}

/** Lambda settings that differ from the defaults of lib/infra. */
export interface LambdaSettings {
  readonly memoryMegabytes?: number;
  readonly timeoutSeconds?: number;
}

/** One route with its whole declaration. */
export interface DeclaredRoute {
  /** Among the routes of its endpoint; undefined if it is the only one. */
  readonly name?: string;
  /** The name in the API description, if it is not that of the function. */
  readonly operation?: string;
  readonly endpoint: Endpoint;
  /** The path that leads to the function at the gateway, which is also the route of log lines and metrics. */
  readonly gatewayPath: string;
}

/** The declared routes of an endpoint by their names. */
export type RoutesOf<E extends Endpoint> = NonNullable<E['routes']>;

/** The parameters of a path template: `/cms/{modelId}/{id}` has `modelId` and `id`. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name extends `${infer Greedy}+` ? Greedy : Name]: string } & PathParameters<Rest>
  : unknown;
