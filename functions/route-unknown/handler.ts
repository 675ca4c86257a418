import middy from '@middy/core';
import { notFound } from '#lib/http/errors.ts';
import { answer } from '#lib/http/middleware/answer.ts';
import { matchRoute } from '#lib/http/middleware/match-route.ts';
import { requireOrigin } from '#lib/http/middleware/require-origin.ts';
import type { ApiEvent, ApiResult } from '#lib/http/request-state.ts';

/**
 * Handles requests without a route, so that wrong addresses (404) and wrong methods (405) get the errors of this
 * service.
 */
export const handler = middy<ApiEvent, ApiResult>()
  .use(answer('$default'))
  .use(requireOrigin())
  .use(matchRoute({ path: '$default' }))
  .handler((): Promise<ApiResult> => {
    throw notFound('Address');
  });
