import { describeEndpoint } from '#lib/openapi/description.ts';
import { pageHeaders, publicHeaders } from '#lib/openapi/public-texts.ts';
import { endpoint } from './endpoint.ts';

const headers = { ...publicHeaders, ...pageHeaders };

export const description = describeEndpoint(endpoint, {
  tag: 'About this API',
  text: 'Answers a page that shows this document. A key that is put in there stays in the page and is sent with the calls that are tried, to this service only.',
  path: {},
  query: {},
  success: { description: 'The page.', headers, content: { 'text/html': { type: 'string' } } },
  more: { 304: { description: 'The caller has it already; there is no body.', headers } },
  refusals: [],
  examples: [],
});
