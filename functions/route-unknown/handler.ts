import middy from '@middy/core';
import { answer } from '#lib/http/answer.ts';
import { notFound } from '#lib/http/errors.ts';
import type { ApiEvent, ApiResult } from '#lib/http/request-state.ts';
import { matchRoute, requireOrigin } from '#lib/http/route.ts';

/**
 * Handles requests without a route, so that wrong addresses (404) and wrong methods (405) get the errors of this
 * service.
 */
export const handler = middy<ApiEvent, ApiResult>()
  .use(answer({ path: '$default' }))
  .use(requireOrigin())
  .use(matchRoute({ path: '$default' }))
  .handler((): Promise<ApiResult> => {
    throw notFound('Address');
  });
