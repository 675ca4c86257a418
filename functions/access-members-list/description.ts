import { describeEndpoint } from '#lib/openapi/description.ts';
import { listTexts } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Lists members by name.',
  query: listTexts,
  success: { description: 'A page of members.' },
  examples: [{ name: 'search', summary: 'Search members by name', key: 'admin', query: { q: 'lina' } }],
});
