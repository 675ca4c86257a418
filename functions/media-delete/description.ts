import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Deletes an image that no record names. Its address is 404 from then on; browsers and the edge may keep a copy for as long as they like. Images that records name are 409 with up to 20 of these records in `errors`.',
  path: { id: 'The `id` of the image.' },
  query: {},
  success: { description: 'The image is deleted.' },
  refusals: ['not_found', 'in_use'],
  examples: [],
});
