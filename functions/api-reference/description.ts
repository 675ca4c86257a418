import { describeEndpoint } from '#lib/openapi/description.ts';
import { pageHeaders, publicHeaders, unchanged } from '#lib/openapi/public-texts.ts';
import { endpoint } from './endpoint.ts';

const headers = { ...publicHeaders, ...pageHeaders };

export const description = describeEndpoint(endpoint, {
  tag: 'About this API',
  text: 'Returns a page that shows this document. A key that you enter stays in the page. The page sends it only to this service, with the requests that you try.',
  success: { description: 'The page.', headers, content: { 'text/html': { type: 'string' } } },
  more: unchanged('page', headers),
});
