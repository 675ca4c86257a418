import { describeEndpoint } from '#lib/openapi/description.ts';
import { publicHeaders, unchanged } from '#lib/openapi/public-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'About this API',
  text: 'Returns a script or style sheet of the reference page.',
  path: { file: 'The name of the file.' },
  success: {
    description: 'The file.',
    headers: publicHeaders,
    content: { 'text/javascript': { type: 'string' }, 'text/css': { type: 'string' }, '*/*': {} },
  },
  more: unchanged('content', publicHeaders),
  refusals: ['not_found'],
});
