import { describeEndpoint } from '#lib/openapi/description.ts';
import { listTexts } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Lists members by name.',
  path: {},
  query: listTexts,
  headers: { 'If-None-Match': 'The `ETag` of an earlier response to the same request.' },
  success: { description: 'A page of members.' },
  refusals: [],
  examples: [{ name: 'search', summary: 'Search members by name', key: 'admin', query: { q: 'lina' } }],
});
