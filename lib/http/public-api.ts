import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import middy from '@middy/core';
import { answer } from './answer.ts';
import { preferredCoding } from './compress.ts';
import { ifNoneMatchHolds } from './conditional.ts';
import type { Endpoint, PathParameters, RoutesOf } from './declaration.ts';
import { asHttpError, HttpError, notFound } from './errors.ts';
import { logFailure } from './log.ts';
import { requireOrigin } from './origin.ts';
import type { ApiEvent, ApiResult } from './request-state.ts';
import { matchRoute } from './route.ts';

/** A public file that stays the same until the next deployment. */
export interface PublicFile {
  readonly contentType: string;
  /** Absent if there is no such file: 404. */
  readonly content: string | Uint8Array | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Another address of this service. */
export interface PublicRedirect {
  readonly redirectTo: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type FindFile<Path extends string> = (
  params: PathParameters<Path>,
  headers: ApiEvent['headers'],
) => PublicFile | PublicRedirect | Promise<PublicFile>;

/** Wraps public routes, which read no key. They have access neither to the table nor to a workspace. */
export const publicApi = <E extends Endpoint>(
  endpoint: E,
  files: { readonly [Name in keyof RoutesOf<E>]: FindFile<RoutesOf<E>[Name]['path']> },
) =>
  middy<ApiEvent, ApiResult>()
    .use(answer(endpoint))
    .use(requireOrigin())
    .use(matchRoute(endpoint))
    .handler(async ({ state, headers }: ApiEvent): Promise<ApiResult> => {
      const find = files[state.route.name as keyof RoutesOf<E>] as FindFile<string>;
      const file = await find(state.params, headers);
      if ('redirectTo' in file) {
        return { statusCode: 302, headers: { ...cacheHeaders, ...file.headers, location: file.redirectTo } };
      }
      if (file.content === undefined) throw notFound('File');
      const { etag, bytes, gzipped } = served(file.content);
      const common = { ...cacheHeaders, etag, ...file.headers };
      if (ifNoneMatchHolds(headers['if-none-match'], etag)) return { statusCode: 304, headers: common };
      const isZipped = preferredCoding(headers['accept-encoding'], ['gzip']) !== undefined;
      return {
        statusCode: 200,
        headers: {
          ...common,
          'content-type': file.contentType,
          'x-content-type-options': 'nosniff',
          ...(isZipped && { 'content-encoding': 'gzip' }),
        },
        body: (isZipped ? gzipped() : bytes).toString('base64'),
        isBase64Encoded: true,
      };
    });

const cacheHeaders = { 'cache-control': 'public, max-age=300', vary: 'Accept-Encoding' };

interface Served {
  readonly etag: string;
  readonly bytes: Buffer;
  /** Compressed at the first use. */
  readonly gzipped: () => Buffer;
}

type Content = string | Uint8Array;

/** One entry for each public file of the function, so the map is bounded. */
const servedFiles = new Map<Content, Served>();

function served(content: Content): Served {
  const before = servedFiles.get(content);
  if (before) return before;
  const bytes = Buffer.from(content as string);
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  let zipped: Buffer | undefined;
  // Weak, because the bytes differ by encoding.
  const now = { etag: `W/"${hash}"`, bytes, gzipped: () => (zipped ??= gzipSync(bytes)) };
  servedFiles.set(content, now);
  return now;
}

/** The next address of a browser, and its cookies. */
export interface Redirect {
  readonly location: string;
  readonly cookies: readonly string[];
  /** Further members of the log line. */
  readonly logDetails?: Readonly<Record<string, string>>;
}

interface Redirecting {
  readonly handle: (event: ApiEvent) => Redirect | Promise<Redirect>;
  /** The redirect after an error. A person sees the answer, so errors are never JSON. */
  readonly onFailure: (error: unknown) => Redirect;
  /** Whether the error is a bug or an outage, which is logged with its cause. */
  readonly isOutage: (error: unknown) => boolean;
}

type Middleware = Exclude<Parameters<ReturnType<typeof middy<ApiEvent, ApiResult>>['use']>[0], readonly unknown[]>;

/** Wraps an endpoint that redirects a browser. It identifies no caller and shows no input. */
export const redirectApi = (
  endpoint: Endpoint,
  { handle, onFailure, isOutage }: Redirecting,
  before: readonly Middleware[] = [],
) =>
  middy<ApiEvent, ApiResult>()
    .use(answer(endpoint))
    .use(matchRoute(endpoint))
    .use([...before])
    .handler(async (event: ApiEvent): Promise<ApiResult> => {
      const { location, cookies, logDetails } = await requireOrigin()
        .before({ event })
        .then(() => handle(event))
        .catch((error: unknown) => {
          // Browsers come through CloudFront. All other callers get the error.
          if (error instanceof HttpError && error.statusCode < 500) throw error;
          if (isOutage(error)) {
            logFailure(event, asHttpError(error), error);
          }
          return onFailure(error);
        });
      Object.assign(event.state.logDetails, logDetails);
      return {
        statusCode: 302,
        headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
        cookies: [...cookies],
      };
    });
