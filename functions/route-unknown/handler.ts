import middy from '@middy/core';
import { answer } from '#lib/http/answer.ts';
import type { Endpoint } from '#lib/http/declaration.ts';
import { notFound } from '#lib/http/errors.ts';
import { requireOrigin } from '#lib/http/origin.ts';
import type { ApiEvent, ApiResult } from '#lib/http/request-state.ts';
import { matchRoute } from '#lib/http/route.ts';

/** No schema and no permission counts for it. */
const endpoint = { path: '$default' } as Endpoint;

/**
 * Handles requests without a route, so that wrong addresses (404) and wrong methods (405) get the errors of this
 * service.
 */
export const handler = middy<ApiEvent, ApiResult>()
  .use(answer(endpoint))
  .use(requireOrigin())
  .use(matchRoute(endpoint))
  .handler((): Promise<ApiResult> => {
    throw notFound('Address');
  });
