import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Checks the bytes of an announced image and makes it public. The request can be repeated. The response is 400 if the bytes are not an image of the five formats, and 409 if they have not arrived.',
  path: { id: 'The `id` of the announcement.' },
  success: { description: 'The image object.' },
  refusals: ['not_found', 'validation_failed', 'conflict'],
});
