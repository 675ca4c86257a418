import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import middy from '@middy/core';
import { preferredCoding } from './accept-encoding.ts';
import { ifNoneMatchHolds } from './conditional.ts';
import type { Endpoint, PathParameters } from './endpoint.ts';
import { answer } from './middleware/answer.ts';
import { matchRoute } from './middleware/match-route.ts';
import { requireOrigin } from './middleware/require-origin.ts';
import type { ApiEvent, ApiResult } from './request-state.ts';

/** A public file that stays the same until the next deployment. */
export interface PublicFile {
  readonly contentType: string;
  readonly content: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Another address of this service. */
export interface PublicRedirect {
  readonly redirectTo: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Wraps a public endpoint, which reads no key. It has access neither to the table nor to a workspace. */
export const publicApi = <E extends Endpoint>(
  endpoint: E,
  find: (
    params: PathParameters<E['path']>,
    headers: ApiEvent['headers'],
  ) => PublicFile | PublicRedirect | Promise<PublicFile>,
) =>
  middy<ApiEvent, ApiResult>()
    .use(answer(endpoint.path))
    .use(requireOrigin())
    .use(matchRoute(endpoint))
    .handler(async ({ state, headers }: ApiEvent): Promise<ApiResult> => {
      const file = await find(state.params as PathParameters<E['path']>, headers);
      if ('redirectTo' in file) {
        return { statusCode: 302, headers: { ...cacheHeaders, ...file.headers, location: file.redirectTo } };
      }
      const { etag, bytes, gzipped } = served(file);
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

/** One entry for each public file of the function, so the map is bounded. */
const servedFiles = new Map<PublicFile['content'], Served>();

function served({ content }: PublicFile): Served {
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
