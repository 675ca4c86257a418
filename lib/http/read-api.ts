import middy from '@middy/core';
import type { Principal } from '#lib/domain/access/principal.ts';
import { answer, bodyless, jsonText } from './answer.ts';
import { compress } from './compress.ts';
import { entityTagOf, heldTag, ifNoneMatchHolds } from './conditional.ts';
import type { Endpoint } from './declaration.ts';
import type { RequestIssue } from './errors.ts';
import { pipeline, type RequestOf, refuseIssues, replyText, requestOf, type WrittenReply } from './pipeline.ts';
import type { ApiEvent, ApiResult } from './request-state.ts';

type UncheckedRequest<E extends Endpoint> = Omit<RequestOf<E>, 'query' | 'body'> & {
  readonly query: Partial<RequestOf<E>['query']>;
};

/** `unchanged` answers 304: the caller already has the answer with this ETag. */
type ReadReply<E extends Endpoint> = WrittenReply<E> | { readonly unchanged: string };

interface ReadParts<E extends Endpoint> {
  /** It begins before the key has been read (authenticate.ts), so it must not write, unless it says so. */
  readonly handle: (request: RequestOf<E>) => Promise<ReadReply<E>>;
  /** Whether `handle` writes to the table. It then begins after all checks. */
  readonly writes?: true;
  /**
   * Finds further issues of an invalid query, so that the 400 lists all. The query has only its valid members. `handle`
   * must find these issues, too.
   */
  readonly findIssues?: (request: UncheckedRequest<E>) => Promise<readonly RequestIssue[]>;
}

/** Wraps a JSON endpoint for GET in the chain of checks, in the order of lib/spec/decisions.md section 1. */
export const readApi = <E extends Endpoint>(endpoint: E, { handle, findIssues, writes }: ReadParts<E>) => {
  const run = (event: ApiEvent, principal: Principal) => handle({ ...requestOf<E>(event), principal });
  return middy<ApiEvent, ApiResult>()
    .use(answer(endpoint, compress))
    .use(pipeline(endpoint, writes ? undefined : run))
    .use(refuseIssues(findIssues && ((event) => findIssues(requestOf<E>(event) as UncheckedRequest<E>))))
    .handler(async (event: ApiEvent): Promise<ApiResult> => {
      const { early, principal } = event.state;
      const begun = early as Promise<ReadReply<E>> | undefined;
      const reply = await (begun ?? run(event, principal as Principal));
      if ('unchanged' in reply) return notModified(endpoint, event, reply.unchanged);
      return cacheable(endpoint, event, replyText(endpoint, reply), reply);
    });
};

/** The ETag of an entry identifies its stored version without its related records, so it never leads to a 304. */
function cacheable(
  endpoint: Endpoint,
  event: ApiEvent,
  text: string,
  { headers: ownHeaders = {}, etag: handlerTag }: Pick<WrittenReply<Endpoint>, 'headers' | 'etag'>,
): ApiResult {
  const { principal } = event.state;
  if (!principal || ownHeaders['etag'] !== undefined)
    return jsonText(200, text, { ...varying(endpoint), ...ownHeaders });
  // Queries with different answers get different tags, because the tag is a hash of the text.
  const etag = handlerTag ?? entityTagOf(principal, undefined, [text, JSON.stringify(ownHeaders)]);
  if (ifNoneMatchHolds(event.headers['if-none-match'], etag)) return notModified(endpoint, event, etag);
  event.state.contentTag = etag;
  return jsonText(200, text, { ...varying(endpoint), etag, ...ownHeaders });
}

/** The request headers that answers depend on, for caches. A key in the query is part of the address already. */
const varying = ({ keyIn }: Endpoint): Readonly<Record<string, string>> =>
  keyIn.some((location) => location !== 'query') ? { vary: 'Authorization, X-Api-Key' } : {};

/** The caller can keep using its copy (RFC 9110, 15.4.5). */
const notModified = (endpoint: Endpoint, { headers }: ApiEvent, etag: string): ApiResult =>
  bodyless(304, { ...varying(endpoint), etag: heldTag(headers['if-none-match'], etag) });
