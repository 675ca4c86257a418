import type * as z from 'zod/mini';
import type { Permission } from '#lib/domain/permission.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

/** Where a route reads the API key (lib/spec/decisions.md section 2). */
export type KeyPlace = 'bearer' | 'x-api-key' | 'query';

/**
 * What a function may touch; its IAM policy and environment are made from this and from nothing else. `table:rewrite`
 * is for parts of an index, `table:transact` for what is written as a whole, `table:remove` for what is done with.
 * `table:uploads`, `table:mail` and `table:rate` change announced uploads, mail jobs and the rates of keys only. Without `table:access` a role denies
 * every write to API keys, members and workspaces; it allows nothing by itself. `files:remove` removes files and writes
 * none.
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
  | 'table:access'
  | 'files:read'
  | 'files:remove'
  | 'files:write'
  | 'mail:send'
  | 'model:invoke';

type Schema = z.ZodMiniType;

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
  /** A declared GET answers HEAD too. */
  readonly methods: readonly [Method, ...Method[]];
  /** Relative to the base address; `{name}` is one segment, `{name+}` is the rest of the path. */
  readonly path: Path;
  /** One sentence for the API description. */
  readonly summary: string;
  /** Empty where everybody may call: such an endpoint goes through `publicApi` and has no permissions. */
  readonly keyIn: readonly KeyPlace[];
  /** Those that start with `messaging:` are needed of the key and of the member it belongs to. */
  readonly permissions: readonly Permission[];
  /** Whether all of them are needed or any one. @default all */
  readonly permissionsNeeded?: 'all' | 'any';
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
  /**
   * `streamed` answers begin before they are complete: on AWS behind a function URL with response streaming, locally
   * through the same runtime interface. @default buffered
   */
  readonly answers?: 'buffered' | 'streamed';
  readonly uses: readonly Use[];
  readonly lambda?: LambdaSettings;
}

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
