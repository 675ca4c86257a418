import { describeEndpoint } from '#lib/openapi/description.ts';
import { consoleHeaders, pageHeaders } from '#lib/openapi/public-texts.ts';
import { endpoint } from './endpoint.ts';

const headers = { ...consoleHeaders, ...pageHeaders };

export const description = describeEndpoint(endpoint, {
  tag: 'About this API',
  text: 'Returns the management console, where members of a workspace sign in and work. The page sends requests only to this service.',
  path: {},
  query: {},
  success: { description: 'The page.', headers, content: { 'text/html': { type: 'string' } } },
  more: { 304: { description: 'The page has the `ETag` in `If-None-Match`; there is no body.', headers } },
  refusals: [],
  examples: [],
});
