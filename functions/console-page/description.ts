import { describeEndpoint } from '#lib/openapi/description.ts';
import { consoleHeaders, pageHeaders } from '#lib/openapi/public-texts.ts';
import { endpoint } from './endpoint.ts';

const headers = { ...consoleHeaders, ...pageHeaders };

export const description = describeEndpoint(endpoint, {
  tag: 'About this API',
  text: 'Answers the page of the management console, where members of a workspace sign in and work. It asks this service only.',
  path: {},
  query: {},
  success: { description: 'The page.', headers, content: { 'text/html': { type: 'string' } } },
  more: { 304: { description: 'The caller has it already; there is no body.', headers } },
  refusals: [],
  examples: [],
});
