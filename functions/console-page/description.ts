import { describeEndpoint } from '#lib/openapi/description.ts';
import { consoleHeaders, unchangedConsole } from '#lib/openapi/public-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'About this API',
  text: 'Answers the page of the management console, where members of a workspace sign in and work. It asks this service only.',
  path: {},
  query: {},
  success: { description: 'The page.', headers: consoleHeaders, content: { 'text/html': { type: 'string' } } },
  more: unchangedConsole,
  refusals: [],
  examples: [],
});
