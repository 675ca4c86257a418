import { describeEndpoint } from '#lib/openapi/description.ts';
import { consoleHeaders, unchanged } from '#lib/openapi/public-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'About this API',
  text: 'Returns a script or the style sheet of the console. Their names change with their content.',
  path: { file: 'The name of the file.' },
  success: {
    description: 'The file.',
    headers: consoleHeaders,
    content: { 'text/javascript': { type: 'string' }, 'text/css': { type: 'string' } },
  },
  more: unchanged('content', consoleHeaders),
  refusals: ['not_found'],
});
