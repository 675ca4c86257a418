import { describeEndpoint } from '#lib/openapi/description.ts';
import { entryParameterTexts, maxDepthHeader } from '#lib/openapi/entry-texts.ts';
import { contentLanguageHeader, localeTexts } from '#lib/openapi/locale-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'CMS',
  text: 'Returns an entry. An unpublished entry is 404 for keys without `cms:entry:read-unpublished`. The `ETag` is the stored version and does not depend on `fields`. Send it as `If-Match` with an update.',
  path: { modelId: 'The id of the CMS database.', id: 'The id of the entry.' },
  query: { ...entryParameterTexts, ...localeTexts },
  success: {
    description: 'The entry.',
    headers: {
      etag: { description: 'The stored version of the entry, for `If-Match`.' },
      ...maxDepthHeader,
      ...contentLanguageHeader,
    },
  },
  refusals: ['unknown_field', 'response_too_large', 'not_found'],
  examples: [
    {
      name: 'chef',
      summary: 'The name of one chef',
      key: 'site',
      path: { modelId: 'chefs', id: 'chef_noura' },
      query: { fields: 'name,published' },
    },
  ],
});
