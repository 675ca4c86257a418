import { describeEndpoint } from '#lib/openapi/description.ts';
import { etagHeader } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Returns an API key, without its secret. The `ETag` is the version of the key for `If-Match`. Use of the key does not change it.',
  path: { id: 'The id of the key.' },
  success: { description: 'The key.', headers: etagHeader },
  refusals: ['not_found'],
  examples: [{ name: 'site', summary: 'The key of the website', key: 'admin', path: { id: 'key_site' } }],
});
