import { describeEndpoint } from '#lib/openapi/description.ts';
import { consoleHeaders, unchangedConsole } from '#lib/openapi/public-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'About this API',
  text: 'Returns a script or the style sheet of the console. Their names change with their content.',
  path: { file: 'The name of the file.' },
  query: {},
  success: {
    description: 'The file.',
    headers: consoleHeaders,
    content: { 'text/javascript': { type: 'string' }, 'text/css': { type: 'string' } },
  },
  more: unchangedConsole,
  refusals: ['not_found'],
  examples: [],
});
