import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Deletes an image that no record refers to. Its URL is then 404, but browsers and the CDN may keep a copy. If records refer to the image, the response is 409 and `errors` names up to 20 of them.',
  path: { id: 'The `id` of the image.' },
  success: { description: 'The image was deleted.' },
  refusals: ['not_found', 'in_use'],
});
