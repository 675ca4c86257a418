import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Checks the bytes of an announced image and makes it public. The call can be repeated. 400: the bytes are no image of the five formats; announce another image. 409: the bytes have not arrived yet.',
  path: { id: 'The `id` of the announcement.' },
  query: {},
  success: { description: 'The image object.' },
  refusals: ['not_found', 'validation_failed', 'conflict'],
  examples: [],
});
