import { describeEndpoint } from '#lib/openapi/description.ts';
import { publicHeaders, unchangedPublic } from '#lib/openapi/public-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'About this API',
  text: 'Answers a page that shows this document. A key that is put in there stays in the page and is sent with the calls that are tried, to this service only.',
  path: {},
  query: {},
  success: { description: 'The page.', headers: publicHeaders, content: { 'text/html': { type: 'string' } } },
  more: unchangedPublic,
  refusals: [],
  examples: [],
});
