import { describeEndpoint } from '#lib/openapi/description.ts';
import { consoleHeaders, pageHeaders, unchanged } from '#lib/openapi/public-texts.ts';
import { endpoint } from './endpoint.ts';

const headers = { ...consoleHeaders, ...pageHeaders };

export const description = describeEndpoint(endpoint, {
  tag: 'About this API',
  text: 'Returns the management console, where members of a workspace sign in and work. The page sends requests only to this service.',
  success: { description: 'The page.', headers, content: { 'text/html': { type: 'string' } } },
  more: unchanged('page', headers),
});
